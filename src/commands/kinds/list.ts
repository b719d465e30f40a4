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

/** The collections of a list, and what it keeps of them. */
interface Selection {
  readonly sources: readonly Call[];
  readonly filter: ListFilter | undefined;
}

/** What is read of the collections, and how much of it is printed. */
interface Reading {
  readonly selection: Selection;
  /** What to read instead when the service does not know the id of the first collection. */
  readonly renamed: (error: EduError) => Promise<Selection | undefined>;
  /** What to read instead when the filter kept nothing. @throws EduError when it refers to what does not exist */
  readonly checked: () => Promise<Selection | undefined>;
  /** Adds names to items, which filters may look into. */
  readonly add: ((page: readonly unknown[]) => Promise<readonly unknown[]>) | undefined;
  readonly limit: number | undefined;
  readonly pageSize: number | undefined;
  readonly signal: AbortSignal;
}

/** The items of all collections that pass the filter as one list of pages, at most `limit` items. */
function walk(client: Client, reading: Reading): Walk {
  const { selection, renamed, checked, add, limit, pageSize, signal } = reading;
  let cut: Cut = false;
  async function* pages(): AsyncGenerator<readonly unknown[]> {
    let isFirst = true;
    let other: Selection | undefined;
    try {
      for await (const page of pagesOf(selection)) {
        isFirst = false;
        yield page;
      }
    } catch (error) {
      const isUnknown = isFirst && error instanceof EduError && (error.kind === 'not_found' || error.status === 400);
      other = isUnknown ? await renamed(error) : undefined;
      if (other === undefined) throw error;
    }
    if (isFirst && selection.filter !== undefined) other ??= await checked();
    if (other !== undefined) yield* pagesOf(other);
  }
  async function* pagesOf({ sources, filter }: Selection): AsyncGenerator<readonly unknown[]> {
    let left = limit ?? Number.POSITIVE_INFINITY;
    for (const [index, source] of sources.entries()) {
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
      if (!cut && (filter !== undefined || index < sources.length - 1)) cut = 'perhaps';
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
  // A sorted list is cut by the printer, after it has seen all of it.
  const limit = context.globals.sort === undefined ? number(context.globals, 'limit') : undefined;
  const names = named === undefined ? undefined : (await import('./person-names.js')).withPersonNames;
  const add = names && named && ((page: readonly unknown[]) => names(page, named.field, context));
  let filter: ListFilter | undefined;
  async function select(chosen: Values): Promise<Selection> {
    filter = await filterOf(spec, chosen, context);
    return { sources: await spec.sources(chosen, context), filter };
  }
  const line = { command, typed: given, values };
  const otherwise = (again: Values | undefined) => (again === undefined ? undefined : select(again));
  const reading: Reading = {
    selection: await select(values),
    renamed: async (error) => otherwise(await (await import('./names.js')).withNamesTried(line, context, error)),
    checked: async () => otherwise(await (await import('./names.js')).withReferencesChecked(line, context)),
    add,
    limit,
    pageSize: number(context.globals, 'page-size'),
    signal: context.signal,
  };
  const { pages, wasCut } = walk(client, reading);
  await printer.list(pages, { shape, noun: spec.noun, wasCut });
  for (const note of filter?.notes() ?? []) await context.warn(note);
}
