/**
 * An export from start to end: every list that the caller may see, over its own organization and all that it owns, into
 * one folder. Lists that do not depend on each other are read side by side. Knows the client, no terminal.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '../client/client.js';
import type { Language } from '../contract/shared.js';
import { EduError, type ErrorKind, usageError } from '../errors.js';
import { type FileFacts, PARTIAL, publish, type Target, writeDataFile } from './data-file.js';
import { type FileFormat, type Format, fileFormat, fileName } from './format.js';
import { type Limiter, limiter } from './limiter.js';
import { takeLock } from './lock.js';
import {
  CHANGES,
  findManifest,
  MANIFEST,
  type Manifest,
  type OrganizationFacts,
  type ReadManifest,
  type ResourceFacts,
  readManifest,
  writeManifest,
} from './manifest.js';
import { readDataFile } from './read.js';
import { EXPORTED, keyReader, RESOURCES, type Resource } from './resources.js';
import { writeChanges } from './since.js';
import { type Sorted, Sorter } from './sorter.js';
import { activationsOf, type Source, sourcesOf } from './sources.js';
import { openState, type State } from './state.js';
import { walkSource } from './walk-source.js';

export interface ExportOptions {
  readonly folder: string;
  readonly resources: ReadonlySet<Resource>;
  readonly format: Format;
  readonly gzip: boolean;
  readonly language: Language;
  /** Of subjects and types; empty for just `language`. */
  readonly languages: readonly Language[];
  /** What the caller may not see makes the export incomplete. */
  readonly strict: boolean;
  /** Folder of an earlier export: only what changed since then is written. */
  readonly since: string | undefined;
  /** Lists that are read at a time. */
  readonly concurrency: number;
  readonly pageSize: number | undefined;
  /** Do not continue an export that was broken off. */
  readonly fresh: boolean;
}

export interface ExportParts {
  readonly client: Client;
  /** The caller's own organization. */
  readonly organization: () => Promise<OrganizationFacts>;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called as items arrive, with how many of the resource there are so far. */
  readonly onItems?: ((resource: Resource, count: number) => void) | undefined;
  /** Called when a resource is finished, complete or not. */
  readonly onDone?: ((resource: Resource, facts: ResourceFacts) => void) | undefined;
  /** Called once when resources of an earlier run are kept. */
  readonly onContinue?: ((resources: readonly Resource[]) => void) | undefined;
}

export interface Outcome {
  readonly manifest: Omit<Manifest, 'kind' | 'version'>;
  /** Why resources are not complete, in their order. */
  readonly failures: readonly EduError[];
}

const WORK = '.edu-export';
const MOST_FILTERS = 20;
const MOST_NOTES = 100;

/** After these there is no point in going on with other lists. */
const HOPELESS: ReadonlySet<ErrorKind> = new Set(['unauthenticated', 'interrupted', 'terminated', 'usage', 'internal']);
const NOT_TO_SEE: ReadonlySet<ErrorKind> = new Set(['forbidden', 'notFound']);
const OUT_OF_REACH: ReadonlySet<ErrorKind> = new Set(['unreachable', 'busy']);

/** The system refused to write. */
function diskError(error: unknown): EduError | undefined {
  if (error instanceof EduError || !(error instanceof Error) || !('code' in error)) return undefined;
  const { code } = error;
  if (typeof code !== 'string' || !('syscall' in error)) return undefined;
  const path = 'path' in error ? ` ${String(error.path)}` : '';
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  return new EduError(
    isFull ? 'partial' : 'failed',
    isFull
      ? `The export is not complete: there is no space left on the disk (${code}${path}).`
      : `The export could not be written: ${error.message}`,
    {
      hint: isFull
        ? 'Free some space and run it again: what is complete is kept. Sorting needs as much again as the largest file.'
        : 'Check that the folder can be written.',
      cause: error,
    },
  );
}

const asEduError = (error: unknown): EduError =>
  error instanceof EduError
    ? error
    : (diskError(error) ??
      new EduError('internal', error instanceof Error ? error.message : String(error), { cause: error }));

const reasonOf = ({ kind, status, message }: EduError): string =>
  NOT_TO_SEE.has(kind)
    ? `${kind === 'forbidden' ? 'not allowed' : 'not found'}${status === undefined ? '' : ` (${status})`}`
    : message;

/** What the export works with once the folder is its own. */
interface Job {
  readonly options: ExportOptions;
  readonly parts: ExportParts;
  readonly work: string;
  readonly limit: Limiter;
  readonly signal: AbortSignal;
  /** Ends all reading. */
  readonly stop: (error: EduError) => void;
  readonly state: State;
  readonly since: ReadManifest | undefined;
  /** Called before a file gets its name for the first time. */
  readonly beforePublishing: () => Promise<void>;
  readonly done: Map<Resource, ResourceFacts>;
  readonly failures: Map<Resource, EduError>;
  /** Something was read: the service is there. */
  reached: boolean;
  /** Where all licences are, for their activations. */
  licences: { readonly folder: string; readonly facts: FileFacts } | undefined;
}

/** A list that can't be read, for a reason of its own. */
interface Trouble {
  readonly of: string;
  readonly error: EduError;
}

/** What reading a resource's lists came to. */
interface Reading {
  readonly sorter: Sorter;
  restarts: number;
  lists: number;
  readonly filters: string[];
  readonly skipped: Trouble[];
  readonly failed: Trouble[];
}

function begin(job: Job, resource: Resource): Reading {
  const sorter = new Sorter({ folder: job.work, name: resource, unique: EXPORTED[resource].repeats !== true });
  return { sorter, restarts: 0, lists: 0, filters: [], skipped: [], failed: [] };
}

/** Reads one list into the resource's sorter, when its turn comes. Never throws. */
function reader(job: Job, resource: Resource, reading: Reading) {
  const { options, parts } = job;
  const exported = EXPORTED[resource];
  const key = keyReader(exported);
  const { line } = fileFormat(options.format, exported.shape);
  let count = 0;
  return (source: Source, watch: { onPage?: (items: readonly unknown[]) => void; onRestart?: () => void } = {}) =>
    job.limit(async () => {
      // One list that fails makes the resource incomplete: the others need not be read.
      if (job.signal.aborted || reading.failed.length > 0) return;
      try {
        reading.restarts += await walkSource(source, reading.sorter, {
          signal: job.signal,
          pageSize: options.pageSize,
          key,
          line,
          onItems: (change) => {
            job.reached = true;
            count += change;
            parts.onItems?.(resource, count);
          },
          ...watch,
        });
        job.reached = true;
      } catch (thrown) {
        const error = asEduError(thrown);
        if (HOPELESS.has(error.kind) || diskError(thrown) !== undefined) job.stop(error);
        const trouble = { of: source.of, error };
        if (NOT_TO_SEE.has(error.kind)) {
          job.reached = true;
          reading.skipped.push(trouble);
        } else reading.failed.push(trouble);
      }
    });
}

function noteFilter(reading: Reading, source: Source): void {
  reading.lists++;
  if (reading.filters.length < MOST_FILTERS) reading.filters.push(source.filter);
}

/** The notes of a resource, in an order that does not depend on which list was faster. */
function notesOf({ skipped, failed }: Reading): string[] {
  const said = (troubles: readonly Trouble[], what: string): string[] =>
    troubles.map(({ of, error }) => `${what}${of === '' ? '' : ` ${of}`}: ${reasonOf(error)}`).sort();
  const notes = [...said(failed, 'failed'), ...said(skipped, 'skipped')];
  return notes.length <= MOST_NOTES
    ? notes
    : [...notes.slice(0, MOST_NOTES), `and ${notes.length - MOST_NOTES} more notes`];
}

const schemaOf = (resource: Resource): string => `${resource}.schema.json`;

/** The facts of a resource without a file. */
function factsWithoutFile(resource: Resource, reading: Reading, complete: boolean): ResourceFacts {
  const { filters, lists, restarts } = reading;
  const more = lists > filters.length ? [`and ${lists - filters.length} more lists`] : [];
  return {
    complete,
    file: null,
    count: 0,
    bytes: 0,
    sha256: null,
    filters: [...filters, ...more],
    schema: schemaOf(resource),
    restarts,
    notes: notesOf(reading),
  };
}

/** Writes what was read of a resource, whole or what changed. */
async function write(job: Job, resource: Resource, reading: Reading): Promise<ResourceFacts> {
  const { options, since } = job;
  const { folder, format, gzip } = options;
  const exported = EXPORTED[resource];
  const form = fileFormat(format, exported.shape);
  const facts = factsWithoutFile(resource, reading, true);
  const sorted = await reading.sorter.sorted();
  if (since === undefined) {
    const file = fileName(resource, format, gzip);
    const target = { path: join(folder, file), file, gzip };
    const written = await writeDataFile(sorted, form, target);
    await job.beforePublishing();
    await publish(target);
    if (resource === 'licenses') job.licences = { folder, facts: written };
    return { ...facts, ...written };
  }
  if (resource === 'licenses' && options.resources.has('activations')) {
    const file = fileName('whole', format, false);
    const target = { path: join(job.work, file), file, gzip: false };
    job.licences = { folder: job.work, facts: await copyOf(sorted, form, target) };
  }
  const before = since.manifest.resources[resource];
  const earlier =
    before?.file == null || before.sha256 === null
      ? noEntries()
      : readDataFile(options.since ?? '', fileFactsOf(before), since.manifest.format, keyReader(exported));
  const named = (change: string): string => fileName(`${resource}.${change}`, format, gzip);
  const { facts: changes, publish: publishAll } = await writeChanges(sorted, earlier, form, folder, gzip, named);
  await job.beforePublishing();
  await publishAll();
  return { ...facts, count: CHANGES.reduce((sum, change) => sum + changes[change].count, 0), changes };
}

/** A file of all lines, while the lines themselves are still needed. */
async function copyOf(sorted: Sorted, form: FileFormat, target: Target): Promise<FileFacts> {
  const facts = await writeDataFile({ ...sorted, whole: undefined }, form, target);
  await publish(target);
  return facts;
}

async function* noEntries(): AsyncGenerator<never> {}

/** @throws TypeError for facts without a file */
export function fileFactsOf({ file, count, bytes, sha256 }: ResourceFacts): FileFacts {
  if (file === null || sha256 === null) throw new TypeError('there is no file');
  return { file, count, bytes, sha256 };
}

/** Ends a resource: its file, or why there is none. */
async function finish(job: Job, resource: Resource, reading: Reading): Promise<void> {
  const { strict } = job.options;
  const { skipped, failed, sorter } = reading;
  try {
    const [cause] = [...failed, ...(strict ? skipped : [])];
    let facts: ResourceFacts;
    if (job.signal.aborted || cause !== undefined) {
      facts = factsWithoutFile(resource, reading, false);
      if (cause !== undefined) job.failures.set(resource, cause.error);
    } else if (reading.lists > 0 && skipped.length === reading.lists && resource !== 'activations') {
      facts = factsWithoutFile(resource, reading, true);
      await job.state.note(resource, facts);
    } else {
      facts = await write(job, resource, reading);
      await job.state.note(resource, facts);
    }
    job.done.set(resource, facts);
    job.parts.onDone?.(resource, facts);
  } catch (thrown) {
    const error = asEduError(thrown);
    job.stop(error);
  } finally {
    await sorter.clear().catch(() => {});
  }
}

/** Reads and writes a resource of known lists. */
async function exportLists(
  job: Job,
  resource: Resource,
  sources: readonly Source[],
  trouble?: EduError | undefined,
): Promise<void> {
  const reading = begin(job, resource);
  const read = reader(job, resource, reading);
  for (const source of sources) noteFilter(reading, source);
  if (trouble !== undefined) {
    reading.lists++;
    (NOT_TO_SEE.has(trouble.kind) ? reading.skipped : reading.failed).push({ of: 'own organization', error: trouble });
  }
  await Promise.all(sources.map((source) => read(source)));
  await finish(job, resource, reading);
}

/** Lists the organizations of a kind, and exports them if asked for. @returns what is owned, or why that is not known */
async function ownedOrganizations(
  job: Job,
  resource: 'publishers' | 'schools',
  isExported: boolean,
): Promise<{ readonly owned: readonly OrganizationFacts[]; readonly trouble: EduError | undefined }> {
  const type = resource === 'publishers' ? 'Publisher' : 'School';
  const ids = new Set<string>();
  const reading = begin(job, resource);
  const read = reader(job, resource, reading);
  const { client } = job.parts;
  const scope = { language: job.options.language, languages: [], organizations: [] };
  for (const source of sourcesOf(resource, client, scope)) {
    noteFilter(reading, source);
    await read(source, {
      onPage: (items) => {
        for (const item of items) {
          if (typeof item === 'object' && item !== null && 'id' in item && item.id != null) ids.add(String(item.id));
        }
      },
      onRestart: () => ids.clear(),
    });
  }
  const trouble = reading.failed[0]?.error ?? (job.options.strict ? reading.skipped[0]?.error : undefined);
  if (isExported) await finish(job, resource, reading);
  else await reading.sorter.clear();
  return { owned: [...ids].sort().map((id) => ({ id, type })), trouble };
}

/** The activations of all licences that have been activated, by the file of licences that was just written. */
async function exportActivations(job: Job): Promise<void> {
  const { options, parts } = job;
  const licences = job.licences;
  const reading = begin(job, 'activations');
  const trouble = job.failures.get('licenses');
  if (trouble !== undefined) reading.failed.push({ of: 'licences', error: trouble });
  if (licences !== undefined) {
    const read = reader(job, 'activations', reading);
    const running = new Set<Promise<void>>();
    const { folder, facts } = licences;
    for await (const entries of readDataFile(folder, facts, options.format, keyReader(EXPORTED.licenses))) {
      for (const { item } of entries) {
        // "403 […] when the licence has not yet been activated": no need to ask.
        if (job.signal.aborted || Number(item.numberOfActivations ?? 1) === 0) continue;
        const source = activationsOf(parts.client, String(item.id));
        noteFilter(reading, source);
        const run = read(source).finally(() => running.delete(run));
        running.add(run);
        // A million licences must not wait in memory for their turn.
        if (running.size >= options.concurrency * 4) await Promise.race(running);
      }
    }
    await Promise.all(running);
  }
  await finish(job, 'activations', reading);
}

/** What is listed by organization, and the lists of organizations themselves. */
const NEED_ORGANIZATIONS: readonly Resource[] = ['publishers', 'schools', 'roles', 'users', 'classes', 'books'];

/** Everything that is not complete yet. */
async function exportAll(job: Job): Promise<Pick<Manifest, 'organization' | 'organizations'>> {
  const { options, parts, state, done } = job;
  const wanted = RESOURCES.filter((name) => options.resources.has(name));
  for (const name of wanted) {
    const facts = state.complete.get(name);
    if (facts !== undefined) done.set(name, facts);
  }
  const open = new Set(wanted.filter((name) => !done.has(name)));
  if (open.has('activations') && !open.has('licenses')) {
    const facts = done.get('licenses');
    // Of an export of changes there is no file of all licences: they are read again.
    if (job.since === undefined && facts?.complete && facts.file !== null) {
      job.licences = { folder: options.folder, facts: fileFactsOf(facts) };
    } else if (facts?.file === null && facts.changes === undefined) job.licences = undefined;
    else open.add('licenses');
  }
  if (open.size < wanted.length) parts.onContinue?.(wanted.filter((name) => !open.has(name)));
  const { language, languages } = options;
  const scope = { language, languages, organizations: [] };

  // What depends on nothing starts at once.
  const first = (['account', 'subjects', 'types', 'readers', 'subscriptions'] as const)
    .filter((name) => open.has(name))
    .map((name) => exportLists(job, name, sourcesOf(name, parts.client, scope)));
  const licences = open.has('licenses')
    ? exportLists(job, 'licenses', sourcesOf('licenses', parts.client, scope))
    : Promise.resolve();
  const activations = open.has('activations') ? licences.then(() => exportActivations(job)) : Promise.resolve();

  const needed = wanted.some((name) => NEED_ORGANIZATIONS.includes(name));
  if (!needed) {
    await Promise.all([...first, licences, activations]);
    return { organization: await parts.organization().catch(() => null), organizations: [] };
  }
  const own = parts.organization().then(
    (found) => ({ found, trouble: undefined }),
    (thrown: unknown) => {
      const error = asEduError(thrown);
      if (HOPELESS.has(error.kind)) job.stop(error);
      return { found: null, trouble: error };
    },
  );
  const [{ found, trouble }, publishers, schools] = await Promise.all([
    own,
    ownedOrganizations(job, 'publishers', open.has('publishers')),
    ownedOrganizations(job, 'schools', open.has('schools')),
  ]);
  const owned = [...publishers.owned, ...schools.owned].filter(({ id }) => id !== found?.id);
  const organizations = found === null ? owned : [found, ...owned];
  const unknown = [trouble, publishers.trouble, schools.trouble].find((error) => error !== undefined);
  const rest = (['roles', 'users', 'classes', 'books'] as const)
    .filter((name) => open.has(name))
    .map((name) => {
      const sources = sourcesOf(name, parts.client, { ...scope, organizations });
      return exportLists(job, name, sources, name === 'classes' ? schools.trouble : unknown);
    });
  await Promise.all([...first, licences, activations, ...rest]);
  return { organization: found, organizations };
}

/** What a run must have in common with the one before to continue it. */
function identityOf(
  options: ExportOptions,
  client: Client,
  own: OrganizationFacts | null,
  since: string | null,
): string {
  const { format, gzip, language, languages, strict } = options;
  const facts = { baseUrl: client.baseUrl, own, format, gzip, language, languages, strict, since };
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

/** The names of the data files that a manifest speaks of. */
function filesOf(manifest: Pick<Manifest, 'resources'>): string[] {
  return Object.values(manifest.resources).flatMap((facts) => [
    ...(facts.file === null ? [] : [facts.file]),
    ...(facts.changes === undefined ? [] : CHANGES.map((change) => facts.changes?.[change].file ?? '')),
  ]);
}

/** The earlier export that this one is compared to. @throws usage error when it can't be */
async function baseOf({ since, folder, format, resources }: ExportOptions): Promise<ReadManifest | undefined> {
  if (since === undefined) return undefined;
  const { resolve } = await import('node:path');
  if (resolve(since) === resolve(folder)) {
    throw usageError('--since and --to name the same folder.', 'Write the changes to a folder of their own.');
  }
  const base = await readManifest(since);
  const { manifest } = base;
  if (manifest.since !== null) {
    throw usageError(`${since} holds changes only.`, 'Compare with a whole export, made without --since.');
  }
  if ((manifest.format === 'csv') !== (format === 'csv')) {
    throw usageError(
      `${since} is ${manifest.format}, which can't be compared with ${format}.`,
      `Use --format ${manifest.format}.`,
    );
  }
  const missing = [...resources].filter((name) => manifest.resources[name]?.complete !== true);
  if (missing.length > 0) throw usageError(`${since} does not hold all of: ${missing.join(', ')}.`);
  return base;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Exports.
 * @returns what was written; incomplete when there are failures
 * @throws EduError when nothing could be done, when going on made no sense, or when the disk took no more
 */
export async function runExport(options: ExportOptions, parts: ExportParts): Promise<Outcome> {
  const { folder } = options;
  const since = await baseOf(options);
  const work = join(folder, WORK);
  const made = await mkdir(work, { recursive: true }).catch((error: unknown) => {
    throw usageError(`The folder ${folder} can't be made or used: ${error instanceof Error ? error.message : error}`);
  });
  const release = await takeLock(folder, join(work, 'lock'), parts.now());
  const statePath = join(work, 'state.json');
  try {
    await removeLeftovers(folder, work);
    return await lockedExport(options, parts, work, statePath, since);
  } finally {
    await release();
    // Folders that hold nothing are not left behind; rmdir refuses the others.
    await rmdir(work).catch(() => {});
    if (made !== undefined) await rmdir(folder).catch(() => {});
  }
}

/** Runs and partial files of a process that was killed. */
async function removeLeftovers(folder: string, work: string): Promise<void> {
  for (const name of await readdir(work)) {
    if (/\.run(\.keys)?$|^whole\./.test(name) || name.endsWith(PARTIAL)) await rm(join(work, name), { force: true });
  }
  const ours = new RegExp(`^(${RESOURCES.join('|')}|manifest)\\.[\\w.]*${PARTIAL.replace('.', '\\.')}$`);
  for (const name of await readdir(folder)) if (ours.test(name)) await rm(join(folder, name), { force: true });
}

async function lockedExport(
  options: ExportOptions,
  parts: ExportParts,
  work: string,
  statePath: string,
  since: ReadManifest | undefined,
): Promise<Outcome> {
  const { folder, format, gzip, language, languages } = options;
  const { client } = parts;
  let asked: Promise<OrganizationFacts> | undefined;
  const organization = (): Promise<OrganizationFacts> => {
    asked ??= parts.organization();
    return asked;
  };
  const own = await organization().catch((error: unknown) => {
    const known = asEduError(error);
    if (HOPELESS.has(known.kind) || OUT_OF_REACH.has(known.kind)) throw known;
    return null;
  });
  const sinceHash = since === undefined ? null : sha256(since.text);
  const identity = identityOf(options, client, own, sinceHash);
  const state = await openState(folder, statePath, identity, parts.now(), options.fresh);
  const former = await findManifest(folder);
  const controller = new AbortController();
  const interrupt = (): void => controller.abort(parts.signal.reason);
  if (parts.signal.aborted) interrupt();
  parts.signal.addEventListener('abort', interrupt, { once: true });
  let isManifestGone = false;
  const job: Job = {
    options,
    parts: { ...parts, organization },
    work,
    limit: limiter(options.concurrency),
    signal: controller.signal,
    stop: (error) => controller.abort(error),
    state,
    since,
    // As soon as one file is replaced, the manifest there no longer describes the folder.
    beforePublishing: async () => {
      if (isManifestGone) return;
      isManifestGone = true;
      await rm(join(folder, MANIFEST), { force: true });
    },
    done: new Map(),
    failures: new Map(),
    reached: false,
    licences: undefined,
  };
  try {
    const { organization: found, organizations } = await exportAll(job);
    if (controller.signal.aborted) throw asEduError(controller.signal.reason);
    const failures = RESOURCES.flatMap((name) => job.failures.get(name) ?? []);
    const [failure] = failures;
    if (failure !== undefined && !job.reached && OUT_OF_REACH.has(failure.kind)) throw failure;
    const manifest = {
      complete: failures.length === 0,
      baseUrl: client.baseUrl,
      organization: found,
      organizations,
      format,
      gzip,
      language,
      languages,
      since: sinceHash,
      resources: Object.fromEntries(job.done),
    };
    if (manifest.complete) await removeFormer(folder, former, manifest);
    await writeManifest(folder, manifest);
    if (manifest.complete) await rm(statePath, { force: true });
    await removeLeftovers(folder, work);
    return { manifest, failures };
  } catch (error) {
    throw asEduError(error);
  } finally {
    parts.signal.removeEventListener('abort', interrupt);
  }
}

/** The folder holds one export: files of the one before that this one does not have go. */
async function removeFormer(
  folder: string,
  former: ReadManifest | undefined,
  manifest: Pick<Manifest, 'resources'>,
): Promise<void> {
  if (former === undefined) return;
  const kept = new Set(filesOf(manifest));
  for (const file of filesOf(former.manifest)) if (!kept.has(file)) await rm(join(folder, file), { force: true });
}
