/** Runs commands that show an item, or the pages of one or several collections. */
import { type Command, isOn, textOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { ALL_ORGANIZATIONS } from '../../cli/organization-flags.js';
import { type Column, ID, PERSON } from '../../contract/columns.js';
import { personNames } from '../../contract/shared.js';
import type { Field } from '../../contract/vocabulary.js';
import { seenKeys } from '../../core/seen-keys.js';
import { mapped } from '../../output/select/item-pages.js';
import type { Cut } from '../../output/select/pipeline.js';
import type { Namer } from './person-names.js';
import { complete, resolved } from './prompt-missing.js';
import type { Call, ItemSpec, ListFilter, ListSpec } from './spec.js';

/** Reads the collections one after the other, up to `limit` items. @param asText items may be `JsonText` */
async function paginate(sources: readonly Call[], asText: boolean, limit: number | undefined, context: Context) {
  const client = await context.client();
  const read = asText ? client.texts : client.pages;
  const pageSize = context.effective().pageSize?.value;
  const options = { signal: context.signal, pageSize, seen: sources.length > 1 ? seenKeys() : undefined };
  let cut: Cut = false;
  const onCut = (): void => {
    cut = true;
  };
  async function* pages(): AsyncGenerator<readonly unknown[]> {
    let left = limit;
    for (const [index, { endpoint, input }] of sources.entries()) {
      for await (const page of read(endpoint, input, { ...options, limit: left, onCut })) {
        if (left !== undefined) left -= page.length;
        if (page.length > 0) yield page;
      }
      if (left !== 0) continue;
      // Does not send another request only to find out whether there are more items.
      if (!cut && index < sources.length - 1) cut = 'perhaps';
      return;
    }
  }
  return { pages: pages(), wasCut: (): Cut => cut };
}

/** @param namer adds names, which `--search` reads, to items that are printed without */
async function filterOf(
  spec: ListSpec,
  values: Values,
  context: Context,
  namer: Namer | undefined,
): Promise<ListFilter | undefined> {
  const text = textOf(values, 'search');
  const own = await spec.filter?.(values, context);
  if (text === undefined) return own;
  const { allOf, searchFilter } = await import('./list-filter.js');
  const search = searchFilter(text, spec.search);
  const { named: field } = spec;
  if (namer === undefined || field === undefined) return allOf([search, own]);
  const keep: ListFilter['keep'] = async (items) => {
    const named = await namer.add(items, field);
    const found = new Set(await search.keep(named));
    return items.filter((_, index) => found.has(named[index]));
  };
  return allOf([{ keep }, own]);
}

/** The shape of items with the names of users; the name stands beside the ID. */
function withNames({ columns: [id = ID, ...others] = [], ...shape }: Field): Field {
  const [name, email] = PERSON.filter(({ title }) => title === 'Name' || title === 'E-mail') as [Column, Column];
  // On a narrow terminal, the address is left out first, and the name last.
  const columns = [id, { ...name, rank: 1 }, ...others, email];
  return { ...shape, fields: { ...shape.fields, ...personNames }, columns };
}

/** Completes the values, and checks the output before any request. `named` is set if people are shown by name. */
async function prepared<N extends { readonly shape: ListSpec['shape'] }>(
  command: Command,
  spec: { readonly named?: N | undefined; readonly shape: ListSpec['shape'] },
  given: Values,
  prints: 'list' | 'item',
  context: Context,
) {
  const whole = await complete(command, context.path, given, context);
  const printer = await context.printer();
  const isNamed = isOn(whole, 'with-names') || (printer.traits.people === true && context.io.stdout.isTTY);
  const named = isNamed ? spec.named : undefined;
  const shape = named?.shape ?? spec.shape;
  await printer.check(shape, prints);
  const values = await resolved(command, whole, context);
  return { values, printer, named, shape };
}

export async function list(general: Command, spec: ListSpec, given: Values, context: Context): Promise<void> {
  const { named: field = '' } = spec;
  const needed = await spec.needed?.(given, context);
  const flags = (general.flags ?? []).map((one) => (one.name === needed ? { ...one, required: true } : one));
  const command = { ...general, flags };
  const isAll = spec.all !== undefined && isOn(given, ALL_ORGANIZATIONS.name);
  const arranged = spec.arranged?.(given);
  const own = isAll ? (await import('./all-organizations.js')).acrossOrganizations(spec.shape) : spec.shape;
  const whole = arranged?.shape(own) ?? own;
  const named = field === '' ? undefined : { shape: withNames(whole) };
  const { values, printer, shape, ...shown } = await prepared(command, { named, shape: whole }, given, 'list', context);
  const people = async () => (await spec.people?.(values, context)) ?? [];
  const isRead = field !== '' && (shown.named !== undefined || textOf(values, 'search') !== undefined);
  const namer = isRead ? (await import('./person-names.js')).createNamer(context, people) : undefined;
  const isNamed = shown.named !== undefined && namer !== undefined;
  const filter = await filterOf(spec, values, context, isNamed ? undefined : namer);
  const all = isAll ? await spec.all?.(values, printer.traits.people === true, context) : undefined;
  const isPrintedAsRead = filter === undefined && arranged === undefined;
  const limit = isPrintedAsRead ? printer.readLimit : undefined;
  const asText = printer.copies && isPrintedAsRead && !isNamed;
  const { pages: read, wasCut } =
    all === undefined
      ? await paginate(await spec.sources(values, context), asText, limit, context)
      : { pages: all, wasCut: undefined };
  const pages = isNamed ? mapped(read, (page) => namer.add(page, field)) : read;
  const keep = filter?.keep;
  await printer.list(arranged?.pages(keep === undefined ? pages : mapped(pages, keep)) ?? pages, {
    shape,
    noun: spec.noun,
    scope: await spec.scope?.(values, context),
    filter: arranged === undefined ? keep : undefined,
    wasCut,
  });
  for (const note of [...(filter?.notes?.() ?? []), ...(namer?.notes() ?? [])]) await context.warn(note);
}

export async function item(command: Command, spec: ItemSpec, given: Values, context: Context): Promise<void> {
  const { values, printer, named, shape } = await prepared(command, spec, given, 'item', context);
  const value = await context.during('Asking the service', spec.fetch(values, context));
  if (await spec.show?.(value, values, context)) return;
  await printer.item(named === undefined ? value : await named.add(value, context), shape);
  const note = spec.note?.(value);
  if (note !== undefined) await context.warn(note);
}
