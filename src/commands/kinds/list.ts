/** Runs commands that show an item, or the pages of one or several collections. */
import { type Command, isOn, numberOf, textOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import type { Client } from '../../client/request/client.js';
import { type Column, ID, PERSON } from '../../contract/columns.js';
import { personNames } from '../../contract/shared.js';
import type { Field } from '../../contract/vocabulary.js';
import { EduError, isKind } from '../../core/errors.js';
import type { Cut } from '../../output/printer.js';
import { complete, hasNames, triedAsIds } from './prompt-missing.js';
import type { Call, ItemSpec, ListFilter, ListSpec } from './spec.js';

interface Selection {
  readonly sources: readonly Call[];
  readonly filter: ListFilter | undefined;
}

interface Reading {
  readonly selection: Selection;
  /** Returns what to read instead if the service does not know the ID of the first collection. */
  readonly renamed: (error: EduError) => Promise<Selection | undefined>;
  /** Returns what to read instead if there was no item. @throws EduError for references that do not exist */
  readonly checked: () => Promise<Selection | undefined>;
  readonly add: ((page: readonly unknown[]) => Promise<readonly unknown[]>) | undefined;
  /** Whether items may be `JsonText`. */
  readonly asText: boolean;
  readonly limit: number | undefined;
  readonly pageSize: number | undefined;
  readonly signal: AbortSignal;
}

/** Reads the collections one after the other, until `limit` items have passed the filter. */
function paginate(client: Client, { selection, renamed, checked, add, asText, limit, pageSize, signal }: Reading) {
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
    if (isFirst) other ??= await checked();
    if (other !== undefined) yield* pagesOf(other);
  }
  async function* pagesOf({ sources, filter }: Selection): AsyncGenerator<readonly unknown[]> {
    let left = limit ?? Number.POSITIVE_INFINITY;
    for (const [index, source] of sources.entries()) {
      const onCut = (): void => {
        cut = true;
      };
      // With a filter, the number of items to read is not known.
      const limited = limit === undefined || filter !== undefined ? {} : { limit: left, onCut };
      const read = asText && filter === undefined ? client.texts : client.pages;
      for await (const page of read(source.endpoint, source.input, { signal, pageSize, ...limited })) {
        const items = add === undefined ? page : await add(page);
        const kept = filter === undefined ? items : await filter.keep(items);
        const taken = kept.length > left ? kept.slice(0, left) : kept;
        left -= taken.length;
        if (taken.length > 0) yield taken;
        if (kept.length > taken.length) onCut();
        if (left <= 0 && filter !== undefined) break;
      }
      if (left > 0) continue;
      // Does not request another page only to find out whether there are more items.
      if (!cut && (filter !== undefined || index < sources.length - 1)) cut = 'perhaps';
      return;
    }
  }
  return { pages: pages(), wasCut: (): Cut => cut };
}

async function filterOf(spec: ListSpec, values: Values, context: Context): Promise<ListFilter | undefined> {
  const text = textOf(values, 'search');
  const own = await spec.filter?.(values, context);
  if (text === undefined) return own;
  const { allOf, searchFilter } = await import('./list-filter.js');
  return allOf([searchFilter(text, spec.search), own]);
}

/** The shape of items with the names of users; the name stands beside the ID. */
function withNames({ columns: [id = ID, ...others] = [], ...shape }: Field): Field {
  const [name, email] = PERSON.filter(({ title }) => title === 'Name' || title === 'E-mail') as [Column, Column];
  return { ...shape, fields: { ...shape.fields, ...personNames }, columns: [id, name, ...others, email] };
}

/** Completes the values, and checks the output before any request. `named` is set if people are shown by name. */
async function prepared<N extends { readonly shape: ListSpec['shape'] }>(
  command: Command,
  spec: { readonly named?: N | undefined; readonly shape: ListSpec['shape'] },
  given: Values,
  context: Context,
) {
  const values = await complete(command, context.path, given, context);
  const printer = await context.printer();
  const isNamed = isOn(values, 'with-names') || (printer.traits.people === true && context.io.stdout.isTTY);
  const named = isNamed ? spec.named : undefined;
  const shape = named?.shape ?? spec.shape;
  await printer.check(shape);
  return { values, printer, named, shape };
}

export async function list(command: Command, spec: ListSpec, given: Values, context: Context): Promise<void> {
  const { named: field = '' } = spec;
  const named = field === '' ? undefined : { shape: withNames(spec.shape) };
  const { values, printer, shape, ...shown } = await prepared(command, { named, shape: spec.shape }, given, context);
  const client = await context.client();
  // With --sort, the printer applies the limit after it has read the whole list.
  const limit = context.globals.sort === undefined ? numberOf(context.globals, 'limit') : undefined;
  const names = shown.named && (await import('./person-names.js')).withPersonNames;
  const add = names && ((page: readonly unknown[]) => names(page, field, context));
  let filter: ListFilter | undefined;
  async function select(chosen: Values): Promise<Selection> {
    filter = await filterOf(spec, chosen, context);
    return { sources: await spec.sources(chosen, context), filter };
  }
  const line = { command, typed: given, values };
  const otherwise = (again: Values | undefined) => (again === undefined ? undefined : select(again));
  const selection = await select(values);
  const reading: Reading = {
    selection,
    renamed: async (error) =>
      otherwise(await (await import('./resolve-names.js')).withNamesTried(line, context, error)),
    checked: async () => {
      // Without a 404 in the API document, an unknown ID may have an empty list.
      const isSure = selection.sources.every(({ endpoint }) => endpoint.errors.includes(404));
      if (filter === undefined && (isSure || !hasNames(command, values))) return undefined;
      const { looksLikeName, mayBeName } = await import('../../client/references/looks.js');
      const isReference = filter === undefined ? looksLikeName : mayBeName;
      const { withReferencesChecked } = await import('./resolve-names.js');
      const again = withReferencesChecked(line, context, isReference).catch((error: unknown) => {
        // Without a filter the list itself is valid, so a look-up that fails does not hide it.
        if (filter !== undefined || isKind(error, 'not_found', 'usage')) throw error;
        return undefined;
      });
      return otherwise(await again);
    },
    add,
    asText: printer.copies && add === undefined,
    limit,
    pageSize: numberOf(context.globals, 'page-size'),
    signal: context.signal,
  };
  const { pages, wasCut } = paginate(client, reading);
  await printer.list(pages, { shape, noun: spec.noun, wasCut });
  for (const note of filter?.notes?.() ?? []) await context.warn(note);
}

export async function item(command: Command, spec: ItemSpec, given: Values, context: Context): Promise<void> {
  const { values, printer, named, shape } = await prepared(command, spec, given, context);
  // The spinner covers only the request, not the prompt for one of several names.
  const value = await triedAsIds({ command, typed: given, values }, context, (ids) =>
    context.during('Asking the service', spec.fetch(ids, context)),
  );
  if (await spec.show?.(value, values, context)) return;
  await printer.item(named === undefined ? value : await named.add(value, context), shape);
}
