/** Runs `edu export`: shows progress, prints the written files, and reports missing lists. */

import { isOn, numberOf, textOf, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import type { Client } from '../../client/request/client.js';
import { LONG_MAX_WAIT_MS } from '../../client/request/client-state.js';
import { systemClock } from '../../client/request/clock.js';
import { RequestThrottle } from '../../client/request/request-throttle.js';
import { account } from '../../contract/account.js';
import { LANGUAGES, type Language } from '../../contract/shared.js';
import { any } from '../../contract/vocabulary.js';
import { EduError, usageError } from '../../core/errors.js';
import { orClosed } from '../../core/io.js';
import { shardOf } from '../../core/shard.js';
import { version } from '../../core/version.js';
import type { ExportEnd } from '../../export/collect/export.js';
import { skippedNote } from '../../export/collect/export-failures.js';
import type { ExportOptions, ExportParts } from '../../export/collect/export-job.js';
import { inOrder, ON_REQUEST, RESOURCES, type Resource } from '../../export/collect/resources.js';
import type { Format } from '../../export/files/file-format.js';
import { COPY_FORMATS, type ResourceFacts } from '../../export/files/manifest.js';
import { DIALECTS } from '../../output/column-types.js';
import type { Printer } from '../../output/printer.js';
import { counted, durationText, meter, sized } from '../../output/progress/meter.js';
import { notify } from '../kinds/print-result.js';
import { maxRemovedOf, modeOf, namedResources } from './check-flags.js';
import { DOCUMENT, SUMMARY, VERIFIED } from './export-shape.js';

const LINE_MS = 30_000;

type Watch = Pick<Required<ExportParts>, 'onItems' | 'onDone' | 'onContinue'>;

const throttled = ({ rate: { learned } }: RequestThrottle): readonly string[] =>
  learned === undefined ? [] : [`the service throttles to ${learned.toFixed(1)} requests/s`];

/** @returns the callbacks of an export, and a function that ends the display */
async function watchExport(
  context: Context,
  { traffic }: Pick<Client, 'traffic'>,
  throttle: RequestThrottle,
): Promise<Watch & { readonly end: () => Promise<void> }> {
  const rate = meter(systemClock.now());
  const startedAt = systemClock.now();
  const counts = new Map<Resource, number>();
  let read = 0;
  const { isTTY } = context.io.stderr;
  const waiting = isTTY && !context.quiet ? (await context.progress()).wait('Exporting') : undefined;
  const label = (): string => {
    const parts = [...counts].map(([name, items]) => `${name} ${counted(items)}`);
    const now = systemClock.now();
    rate.record(read, now);
    const facts = [
      durationText((now - startedAt) / 1000),
      ...(rate.rate === undefined ? [] : [`${counted(rate.rate)} items/s`]),
      ...(traffic.waitedMs < 1000 ? [] : [`waited ${durationText(traffic.waitedMs / 1000)}`]),
      ...throttled(throttle),
    ];
    return `Exporting: ${parts.join(', ') || 'waiting for the service'} (${facts.join(', ')})`;
  };
  // A timer, because no page may arrive for minutes while the service is unavailable.
  const lines = isTTY ? undefined : setInterval(() => void notify(label(), context).catch(() => {}), LINE_MS);
  lines?.unref();
  return {
    onItems(resource, count) {
      read += count - (counts.get(resource) ?? 0);
      counts.set(resource, count);
      waiting?.update(label());
    },
    async onDone(resource, facts) {
      counts.delete(resource);
      const what = facts.complete ? `${counted(facts.count)} ${facts.count === 1 ? 'item' : 'items'}` : 'not complete';
      await context.say(`${resource}: ${what}${facts.file === null ? '' : `, ${sized(facts.bytes)}`}`);
    },
    async onContinue(kept) {
      const names = [...kept].map(([name, at]) => `${name} (${at})`);
      await notify(`Kept from an earlier run: ${names.join(', ')}. --fresh reads everything again.`, context);
    },
    async end() {
      clearInterval(lines);
      waiting?.done();
      const { refusals } = throttle.rate;
      const [limit] = throttled(throttle);
      if (limit !== undefined)
        await notify(`${limit}; it refused ${counted(refusals)} of ${counted(traffic.requests)} requests`, context);
    },
  };
}

function resourcesOf(values: Values): ReadonlySet<Resource> {
  const named = namedResources(values);
  const chosen = new Set<Resource>(named.length > 0 ? named : RESOURCES.filter((name) => !ON_REQUEST.has(name)));
  if (textsOf(values, 'with').includes('activations')) chosen.add('activations');
  // Activations can only be read by licence.
  if (chosen.has('activations')) chosen.add('licenses');
  return chosen;
}

function languagesOf(values: Values): readonly Language[] {
  const asked = textsOf(values, 'languages').map((language) => language.toUpperCase());
  if (asked.includes('ALL')) return LANGUAGES;
  return LANGUAGES.filter((language) => asked.includes(language));
}

function optionsOf(values: Values, context: Context): ExportOptions {
  const format = textOf(values, 'format') ?? 'ndjson';
  const copy = COPY_FORMATS.find((name) => name === format);
  return {
    folder: textOf(values, 'to') ?? '',
    resources: resourcesOf(values),
    named: new Set(namedResources(values)),
    format: (copy === undefined ? format : 'ndjson') as Format,
    copy,
    gzip: isOn(values, 'gzip'),
    language: context.language(),
    languages: languagesOf(values),
    strict: isOn(values, 'strict'),
    strictSchema: isOn(values, 'strict-schema'),
    since: textOf(values, 'since'),
    baseline: textOf(values, 'baseline'),
    maxRemoved: maxRemovedOf(textOf(values, 'max-removed') ?? ''),
    force: isOn(values, 'force'),
    concurrency: numberOf(values, 'concurrency') ?? 4,
    maxRestarts: numberOf(values, 'max-restarts') ?? 6,
    pageSize: context.effective().pageSize?.value,
    shard: shardOf(textOf(values, 'shard') ?? ''),
    fresh: isOn(values, 'fresh'),
    mode: modeOf(textOf(values, 'mode') ?? ''),
  };
}

/** The resources of an export, in their order. */
const writtenIn = ({ resources }: ExportEnd['manifest']) =>
  Object.entries(inOrder(resources)) as [Resource, ResourceFacts][];

/** Checks how the summary is to be printed, before anything is read or written. */
async function summaryPrinter(context: Context): Promise<Printer> {
  const printer = await context.printer();
  await (printer.traits.oneDocument ? printer.check(DOCUMENT, 'item') : printer.check(SUMMARY, 'list'));
  return printer;
}

async function printSummary(printer: Printer, folder: string, manifest: ExportEnd['manifest']): Promise<void> {
  // `--quiet` prints only IDs, and files have none.
  if (printer.traits.idsOnly) return;
  if (printer.traits.oneDocument) {
    const { complete, organization, organizations, copy = null } = manifest;
    const resources = inOrder(manifest.resources);
    const summary = { folder, complete, organization, organizations, copy, resources };
    return printer.item(summary, DOCUMENT);
  }
  const rows: Readonly<Record<string, unknown>>[] = writtenIn(manifest).map(
    ([resource, { count: items, file, bytes, complete, restarts, notes }]) => {
      return { resource, items, file, bytes, complete, restarts, notes };
    },
  );
  for (const { count: items, ...copy } of manifest.copy?.files ?? [])
    rows.push({ items, ...copy, complete: true, restarts: null, notes: [] });
  await printer.list(rows, { shape: SUMMARY, noun: 'resources' });
}

async function warnOfUnseen(context: Context, manifest: ExportEnd['manifest']): Promise<void> {
  for (const [resource, { unseen }] of writtenIn(manifest)) {
    for (const reason of new Set(unseen.map((one) => one.reason))) {
      const names = unseen.filter((one) => one.reason === reason && one.list !== '').map(({ list }) => list);
      await context.warn(`skipped ${resource}${names.length === 0 ? '' : ` of ${names.join(', ')}`}: ${reason}`);
    }
  }
}

/** @param isWarned the warnings name the skipped lists */
function incomplete({ manifest, failures, forbidden }: ExportEnd, folder: string, isWarned: boolean): EduError {
  const [first] = failures;
  const missing = writtenIn(manifest).filter(([, { complete }]) => !complete);
  const names = missing.map(([name]) => name).join(', ');
  const details = writtenIn(manifest).flatMap(([where, { complete, notes, unseen }]) => {
    const skipped = new Set(unseen.map(skippedNote));
    const isNamed = (note: string): boolean => (skipped.has(note) ? !isWarned : !complete);
    return notes.filter(isNamed).map((message) => ({ where, message }));
  });
  if (missing.length === forbidden.length)
    return new EduError('forbidden', `Cannot export ${names}: ${first?.message ?? 'not allowed'}.`, {
      hint: 'Leave out what you may not read. List your permissions with `edu account show`.',
      details: isWarned ? [] : details,
    });
  const hint = `Run it again within 12 hours: what is complete in ${folder} is kept, the rest is fetched.`;
  return new EduError('partial', `The export is not complete: ${names}.`, {
    ...first,
    isReason: false,
    hint: first?.hint === undefined ? hint : `${hint} ${first.hint}`,
    details,
    cause: first,
  });
}

async function exportTo(values: Values, context: Context): Promise<void> {
  const options = optionsOf(values, context);
  if (isOn(context.globals, 'excel'))
    throw usageError('--excel does not apply to the files of an export.', 'Use --format xlsx.');
  const printer = await summaryPrinter(context);
  const { runExport } = await import('../../export/collect/export.js');
  const { ownOrganization } = await import('../../client/create/list-of-created.js');
  const client = await context.client();
  const { maxWait } = context.effective();
  const throttle = new RequestThrottle(systemClock, maxWait?.value ?? LONG_MAX_WAIT_MS);
  const watch = await watchExport(context, client, throttle);
  let outcome: ExportEnd;
  try {
    outcome = await runExport(options, {
      client,
      throttle,
      account: async () => (await client.call(account.show, {}, { signal: context.signal })).id,
      // Not the cached one: the account may have moved.
      organization: () => ownOrganization(client, { signal: context.signal }),
      signal: context.signal,
      ...context.machine,
      version: version(),
      ...watch,
    });
  } finally {
    await watch.end();
  }
  if (options.maxRemoved !== undefined && !outcome.isCompared)
    await context.warn('--max-removed checks nothing: this export is compared with no earlier one');
  const { complete } = outcome.manifest;
  // Programs read one JSON object from stderr, the error.
  const isWarned = complete || printer.traits.machine !== true;
  if (isWarned) await warnOfUnseen(context, outcome.manifest);
  await printSummary(printer, options.folder, outcome.manifest).catch(orClosed);
  if (!complete) throw incomplete(outcome, options.folder, isWarned);
}

async function verifyFolder(folder: string, context: Context): Promise<void> {
  const { verify } = await import('../../export/files/verify.js');
  const printer = await context.printer();
  const files = await context.during(`Checking ${folder}`, verify(folder, context.signal));
  const problems = files.flatMap(({ resource, file, problem }) =>
    problem === undefined ? [] : [{ where: file ?? resource, message: problem }],
  );
  if (!printer.traits.idsOnly) {
    const rows = files.map(({ problem = null, ...file }) => ({ ...file, problem }));
    await printer.list(rows, { shape: VERIFIED, noun: 'files' }).catch(orClosed);
  }
  if (problems.length === 0) return;
  const isDamaged = files.some(({ file, problem }) => file !== null && problem !== undefined);
  const hint = isDamaged ? 'Run its export again with --fresh.' : 'Run the export again: it fetches what is missing.';
  const message = isDamaged ? `${folder} does not match its manifest.` : `The export in ${folder} is not complete.`;
  throw new EduError(isDamaged ? 'internal' : 'partial', message, { details: problems, hint });
}

async function mergeShards(values: Values, context: Context): Promise<void> {
  const printer = await summaryPrinter(context);
  const { mergeExports } = await import('../../export/collect/merge-exports.js');
  const [, ...folders] = textsOf(values, 'resource');
  const to = textOf(values, 'to') ?? '';
  const { signal, machine } = context;
  const merging = mergeExports(folders, to, { signal, mode: modeOf(textOf(values, 'mode') ?? ''), ...machine });
  const manifest = await context.during(`Merging into ${to}`, merging);
  await warnOfUnseen(context, manifest);
  await printSummary(printer, to, manifest);
}

async function printSchema(values: Values, context: Context): Promise<void> {
  const { ddlOf, schemaOf, schemasOf } = await import('../../export/files/schema.js');
  const printer = await context.printer('json');
  const named = namedResources(values);
  const chosen = named.length > 0 ? named : RESOURCES;
  const dialect = DIALECTS.find((name) => name === textOf(values, 'dialect'));
  if (dialect !== undefined) return printer.raw(chosen.map((name) => ddlOf(name, dialect)).join('\n'));
  const [only] = named;
  const schema = only !== undefined && named.length === 1 ? schemaOf(only) : schemasOf(chosen);
  await printer.item(schema, any('JSON Schema'));
}

export async function runExportCommand(values: Values, context: Context): Promise<void> {
  if (textsOf(values, 'resource')[0] === 'merge') return mergeShards(values, context);
  if (isOn(values, 'schema')) return printSchema(values, context);
  if (isOn(values, 'as-plan')) return (await import('./as-plan.js')).exportAsPlan(values, context);
  const folder = textOf(values, 'verify');
  if (folder !== undefined) return verifyFolder(folder, context);
  return exportTo(values, context);
}
