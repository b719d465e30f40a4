/** Runs `edu licenses summary`: reads all licences once, prints the groups, and writes the page of `--html`. */
import { textOf, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { LISTED_TYPES, licenses } from '../../contract/licenses.js';
import { publishers } from '../../contract/publishers.js';
import { schools } from '../../contract/schools.js';
import { dayAfter, dayOf } from '../../core/day.js';
import { ignoreEduError, isKind, UNREADABLE } from '../../core/errors.js';
import { writeOutput } from '../../core/fs/output-file.js';
import { seenKeys } from '../../core/seen-keys.js';
import { requireBaseUrl } from '../../settings/in-effect.js';
import { licenceFilter } from '../resources/license-filter-flags.js';
import { type Row, Tally } from './license-tally.js';
import { GROUPINGS, type Grouping, SUMMARY } from './summary-shape.js';

async function readAll(tally: Tally, values: Values, context: Context): Promise<void> {
  const filter = await licenceFilter(values, context);
  const client = await context.client();
  const options = { signal: context.signal, pageSize: context.effective().pageSize?.value, seen: seenKeys() };
  for (const type of LISTED_TYPES) {
    for await (const page of client.pages(licenses.list, { query: { type } }, options)) {
      for (const licence of (await filter?.keep(page)) ?? page) tally.add(licence);
    }
  }
  for (const note of filter?.notes?.() ?? []) await context.warn(note);
}

/** Adds names to the organizations that the caller may list; the others have only IDs. @returns these names by ID */
async function nameOrganizations(rows: readonly Row[], context: Context): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const client = await context.client();
  const unlisted: string[] = [];
  for (const [kind, { list }] of Object.entries({ publishers, schools })) {
    try {
      for await (const page of client.pages(list, {}, { signal: context.signal }))
        for (const { id, name } of page) names.set(id, name);
    } catch (error) {
      if (!isKind(error, ...UNREADABLE)) throw error;
      unlisted.push(kind);
    }
  }
  for (const row of rows) row.name = names.get(row.id ?? '') ?? row.name;
  if (unlisted.length > 0 && rows.some(({ name }) => name === null))
    await context.warn(`Organizations without a name: ${unlisted.join(' and ')} cannot be listed.`);
  return names;
}

async function writePage(
  path: string,
  tally: Tally,
  { until, names }: { readonly until: string; readonly names: ReadonlyMap<string, string> },
  context: Context,
): Promise<void> {
  const { page } = await import('./page.js');
  // The figures do not depend on it.
  const own = await context.callersOrganization().catch(ignoreEduError);
  const name = own === undefined ? undefined : names.get(own.id);
  const facts = {
    today: dayOf(context.now()),
    until,
    organization: own && (name === undefined ? `${own.type} ${own.id}` : `${name} (${own.type} ${own.id})`),
    service: context.isOffline ? 'bundled service (--offline)' : requireBaseUrl(context.effective()),
  };
  await writeOutput(path, [page(tally, facts)], { signal: context.signal });
  await context.say(`Wrote ${path}.`);
}

export async function summarize(values: Values, context: Context): Promise<void> {
  const by = (textOf(values, 'by') ?? 'book') as Grouping;
  const html = textOf(values, 'html');
  const printer = await context.printer();
  await printer.check(SUMMARY, 'list');
  const today = dayOf(context.now());
  const until = dayAfter(today, textOf(values, 'expiring') ?? '60d') ?? today;
  const tally = new Tally(html === undefined ? [by] : GROUPINGS, today, until, textsOf(values, 'book'));
  await context.during('Reading licences', readAll(tally, values, context));
  const rows = tally.rows(by);
  const isNamed = by === 'organization' || html !== undefined;
  const names = isNamed ? await nameOrganizations(tally.rows('organization'), context) : new Map<string, string>();
  await printer.list(rows, {
    shape: SUMMARY,
    noun: 'groups',
    total: tally.total,
    scope: `of the licences ${licenses.list.list.scope}`,
  });
  for (const note of tally.notes()) await context.warn(note);
  if (html !== undefined) await writePage(html, tally, { until, names }, context);
}
