/** Prints a list: every page of one or several collections, in the format asked for. */
import { type Command, isOn, textOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import type { Client } from '../../client/request/client.js';
import { EduError } from '../../core/errors.js';
import type { Cut } from '../../output/printer.js';
import { complete } from './prompt-missing.js';
import type { Call, ListFilter, ListSpec } from './spec.js';

interface Walk {
  readonly pages: AsyncIterable<readonly unknown[]>;
  readonly wasCut: () => Cut;
}

/** What is read of the collections, and how much of it is printed. */
interface Reading {
  readonly sources: readonly Call[];
  /** Other collections to read when the service does not know the id of the first one. */
  readonly renamed: (error: EduError) => Promise<readonly Call[] | undefined>;
  /** Adds names to items, which filters may look into. */
  readonly add: ((page: readonly unknown[]) => Promise<readonly unknown[]>) | undefined;
  readonly filter: ListFilter | undefined;
  readonly limit: number | undefined;
  readonly pageSize: number | undefined;
  readonly signal: AbortSignal;
}

/** The items of all collections that pass the filter as one list of pages, at most `limit` items. */
function walk(client: Client, { sources, renamed, add, filter, limit, pageSize, signal }: Reading): Walk {
  let cut: Cut = false;
  async function* pages(): AsyncGenerator<readonly unknown[]> {
    let isFirst = true;
    try {
      for await (const page of pagesOf(sources)) {
        isFirst = false;
        yield page;
      }
    } catch (error) {
      const isUnknown = isFirst && error instanceof EduError && (error.kind === 'not_found' || error.status === 400);
      const others = isUnknown ? await renamed(error) : undefined;
      if (others === undefined) throw error;
      yield* pagesOf(others);
    }
  }
  async function* pagesOf(calls: readonly Call[]): AsyncGenerator<readonly unknown[]> {
    let left = limit ?? Number.POSITIVE_INFINITY;
    for (const [index, source] of calls.entries()) {
      const onCut = (): void => {
        cut = true;
      };
      // What is filtered is read until enough has passed.
      const limited = limit === undefined || filter !== undefined ? {} : { limit: left, onCut };
      for await (const page of client.pages(source.endpoint, source.input, { signal, pageSize, ...limited })) {
        const items = add === undefined ? page : await add(page);
        const kept = filter === undefined ? items : await filter.keep(items);
        const taken = kept.length > left ? kept.slice(0, left) : kept;
        left -= taken.length;
        if (taken.length > 0) yield taken;
        if (kept.length > taken.length) onCut();
        if (left <= 0 && filter !== undefined) break;
      }
      if (left > 0) continue;
      // What was not read is not asked just to know whether it is empty.
      if (!cut && (filter !== undefined || index < calls.length - 1)) cut = 'perhaps';
      return;
    }
  }
  return { pages: pages(), wasCut: () => cut };
}

const number = (values: Values, name: string): number | undefined => {
  const value = values[name];
  return typeof value === 'number' ? value : undefined;
};

/** What the flags of the line keep; undefined when all is kept. */
async function filterOf(spec: ListSpec, values: Values, context: Context): Promise<ListFilter | undefined> {
  const text = textOf(values, 'search');
  const own = await spec.filter?.(values, context);
  if (text === undefined) return own;
  const { allOf, searchFilter } = await import('./list-filter.js');
  return allOf([searchFilter(text, spec.search), own]);
}

/** Runs a list command. */
export async function list(command: Command, spec: ListSpec, given: Values, context: Context): Promise<void> {
  const values = await complete(command, context.path, given, context);
  const printer = await context.printer();
  const isNamed = isOn(values, 'with-names') || (printer.traits.people === true && context.io.stdout.isTTY);
  const named = isNamed ? spec.named : undefined;
  const shape = named?.shape ?? spec.shape;
  await printer.check(shape);
  const client = await context.client();
  const sources = await spec.sources(values, context);
  /** The collections under names that look like ids, once the service does not know these. */
  const renamed = async (error: EduError): Promise<readonly Call[] | undefined> => {
    const again = await (await import('./names.js')).withNamesTried(command, values, context, error);
    return again === undefined ? undefined : spec.sources(again, context);
  };
  // A sorted list is cut by the printer, after it has seen all of it.
  const limit = context.globals.sort === undefined ? number(context.globals, 'limit') : undefined;
  const names = named === undefined ? undefined : (await import('./person-names.js')).withPersonNames;
  const add = names && named && ((page: readonly unknown[]) => names(page, named.field, context));
  const filter = await filterOf(spec, values, context);
  const pageSize = number(context.globals, 'page-size');
  const { pages, wasCut } = walk(client, { sources, renamed, add, filter, limit, pageSize, signal: context.signal });
  await printer.list(pages, { shape, noun: spec.noun, wasCut });
  for (const note of filter?.notes() ?? []) await context.warn(note);
}
