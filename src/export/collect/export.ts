/** Exports every readable list of the caller's organization and all that it owns into one folder. */
import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, rm, rmdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { EduError, usageError } from '../../core/errors.js';
import { limiter } from '../../core/for-each.js';
import { writing } from '../../core/fs/disk-errors.js';
import { takeLock } from '../../core/fs/lock.js';
import { ensureFolder } from '../../core/fs/mkdir.js';
import { checkFree } from '../../core/fs/output-file.js';
import type { Machine } from '../../core/io.js';
import { PARTIAL } from '../files/data-file.js';
import { JOURNAL, openJournal } from '../files/export-journal.js';
import { fileName } from '../files/file-format.js';
import {
  findManifest,
  MANIFEST,
  type ManifestFacts,
  placeIn,
  type ReadManifest,
  readManifest,
  writeManifest,
} from '../files/manifest.js';
import { checkFolder, checkWhole, type Owner, otherOrigin, otherShard } from '../files/origin.js';
import { isoTime } from '../files/run-record.js';
import { schemaDigest } from '../files/schema.js';
import { writeDescription } from '../files/write-description.js';
import { exportError, HOPELESS, isWriteRefusal, markForbidden, OUT_OF_REACH } from './export-failures.js';
import type { Baseline, ExportOptions, ExportParts, Job } from './export-job.js';
import { exportAll } from './list-pages.js';
import { RESOURCES } from './resources.js';

export type ExportEnd = Awaited<ReturnType<typeof lockedExport>>;

const WORK = '.edu-export';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A hash of the settings that a run must share with the interrupted one to resume it. */
function identityOf(options: ExportOptions, owner: Owner, baseline: string | null): string {
  const { format, gzip, language, languages, strict, strictSchema, maxRemoved, shard, since } = options;
  const settings = { format, gzip, language, languages, strict, strictSchema, maxRemoved, shard };
  return sha256(JSON.stringify({ ...owner, ...settings, isSince: since !== undefined, baseline }));
}

/** The earlier export that the user named. @throws usage error if the two cannot be compared */
async function namedBaseline({
  since,
  baseline,
  folder,
  format,
  resources,
}: ExportOptions): Promise<Baseline | undefined> {
  const named = since ?? baseline;
  if (named === undefined) return undefined;
  const flag = since === undefined ? '--baseline' : '--since';
  if (resolve(named) === resolve(folder)) {
    throw usageError(
      `${flag} and --to name the same folder, ${folder}.`,
      since === undefined
        ? 'Leave out --baseline: an export is always compared with the previous one in its folder.'
        : 'Write the changes to a folder of their own.',
    );
  }
  const read = await readManifest(named);
  const { manifest } = read;
  checkWhole(read, resources);
  if (since !== undefined && (manifest.format === 'csv') !== (format === 'csv')) {
    throw usageError(
      `${since} is ${manifest.format}, which cannot be compared with ${format}.`,
      `Use --format ${manifest.format}.`,
    );
  }
  const missing = since === undefined ? [] : [...resources].filter((name) => manifest.resources[name] === undefined);
  if (missing.length > 0) throw usageError(`${named} does not contain all of: ${missing.join(', ')}.`);
  return { ...read, label: `${flag} ${named}` };
}

/** @throws usage error for an earlier export of another account, service or language */
function checkOrigin({ label, manifest }: Baseline, options: ExportOptions, owner: Owner): void {
  if (options.force) return;
  const schemas = [...options.resources].map((name) => [name, { schemaSha256: schemaDigest(name) }]);
  const now = { ...options, ...owner, resources: Object.fromEntries(schemas) };
  const origin = otherOrigin(manifest, now, options.resources);
  if (origin !== undefined)
    throw usageError(`Cannot compare with ${label}: ${origin}.`, 'Add --force to compare them anyway.');
}

/** The manifests of a folder: that of the last export, and that of the last complete one if an incomplete one followed. */
export const manifestsIn = async (folder: string, work: string): Promise<readonly ReadManifest[]> =>
  (await Promise.all([folder, work].map(findManifest))).filter((found) => found !== undefined);

/**
 * The last complete export in the folder, whose manifest is kept until the next one is complete; forgotten by `--fresh`.
 * @param published what an incomplete export has replaced
 */
async function lastComplete(
  earlier: readonly ReadManifest[],
  work: string,
  options: ExportOptions,
  published: Job['journal']['published'],
): Promise<Baseline | undefined> {
  const { folder } = options;
  if (options.fresh) {
    await rm(join(work, MANIFEST), { force: true });
    return undefined;
  }
  const found = earlier.find(({ manifest }) => manifest.complete);
  if (found === undefined) return undefined;
  const resources = { ...found.manifest.resources };
  for (const [name, facts] of published) if (facts.file === resources[name]?.file) resources[name] = facts;
  const manifest = { ...found.manifest, resources };
  await writeManifest(work, manifest);
  if (manifest.since !== null || options.since !== undefined) return undefined;
  if (otherShard(manifest.shard, options.shard) !== undefined) return undefined;
  // What is removed or not visible is found by IDs, which are the same in every language.
  if (String(manifest.languages) !== String(options.languages)) return undefined;
  return { ...found, manifest, folder, label: `the earlier export in ${folder}` };
}

type Written = Pick<ExportOptions, 'folder' | 'resources' | 'format' | 'gzip'>;

/** @throws usage error if a folder has files that no export wrote, such as a wanted state, and that one would replace */
export async function requireOwnFiles({ folder, resources, format, gzip }: Written): Promise<void> {
  // A killed export leaves its work folder.
  if (existsSync(join(folder, WORK)) || (await findManifest(folder)) !== undefined) return;
  checkFree(folder, [MANIFEST, ...[...resources].map((name) => fileName(name, format, gzip))]);
}

/**
 * Locks an export folder and a work folder in it, which are created if necessary, for this user only.
 * @throws a usage error if the folder cannot be used, or another process writes to it
 */
export async function inLockedFolder<T>(
  folder: string,
  machine: Machine,
  write: (work: string) => Promise<T>,
): Promise<T> {
  const work = join(folder, WORK);
  const made = writing(folder, () => ensureFolder(work), 'Name a folder that you can write to with --to.');
  const lock = placeIn(folder, join(WORK, 'lock'));
  let unlock: (() => void) | undefined;
  try {
    unlock = await takeLock(lock, machine, `${folder} is being written`);
    return await write(work);
  } finally {
    unlock?.();
    // Removes the new folders that are empty; rmdir fails for the others.
    for (const own of [...made, work].reverse()) await rmdir(own).catch(() => {});
  }
}

/** @throws EduError if nothing could be exported, if the export was stopped, or if the disk is full */
export async function runExport(options: ExportOptions, parts: ExportParts): Promise<ExportEnd> {
  try {
    const baseline = await namedBaseline(options);
    await requireOwnFiles(options);
    return await inLockedFolder(options.folder, parts, (work) => lockedExport(options, parts, work, baseline));
  } catch (error) {
    throw exportError(error);
  }
}

/** Removes temporary and partial files of a killed process. @param kept names that are still needed */
async function removeLeftovers(folder: string, work: string, kept: ReadonlySet<string> = new Set()) {
  for (const name of await readdir(work)) {
    if (kept.has(name)) continue;
    if (/\.run$|^whole\./.test(name) || name.endsWith(PARTIAL)) await rm(join(work, name), { force: true });
  }
  const ours = new RegExp(`^(${RESOURCES.join('|')}|manifest|run)\\.[\\w.]*${PARTIAL.replace('.', '\\.')}$`);
  for (const name of await readdir(folder)) if (ours.test(name)) await rm(join(folder, name), { force: true });
}

/** The result of a look-up, or why the service does not provide it. @throws EduError after which an export is pointless */
const orReason = <T>(ask: () => Promise<T>): Promise<T | EduError> =>
  ask().catch((error: unknown) => {
    const reason = exportError(error);
    if (HOPELESS.has(reason.kind) || OUT_OF_REACH.has(reason.kind)) throw reason;
    return reason;
  });

const orNull = <T>(found: T | EduError): T | null => (found instanceof EduError ? null : found);

async function lockedExport(options: ExportOptions, parts: ExportParts, work: string, named: Baseline | undefined) {
  const { folder, format, gzip, shard, language, languages, fresh, since, mode, copy } = options;
  const { client } = parts;
  const startedAt = parts.now();
  const account = orNull(await orReason(parts.account));
  const own = await orReason(parts.organization);
  const owner: Owner = { baseUrl: client.baseUrl, account, organization: orNull(own) };
  if (named !== undefined) checkOrigin(named, options, owner);
  const earlier = await manifestsIn(folder, work);
  checkFolder(folder, earlier[0]?.manifest, owner, options.resources);
  const baselineHash = named === undefined ? null : sha256(named.text);
  const head = { identity: identityOf(options, owner, baselineHash), owner };
  const journal = await openJournal(folder, work, head, parts.now(), fresh);
  const last = await lastComplete(earlier, work, options, journal.published);
  await removeLeftovers(folder, work, journal.files);
  const stop = new AbortController();
  const signal = AbortSignal.any([parts.signal, stop.signal]);
  // Every list that is being read adds a listener.
  setMaxListeners(0, signal);
  const job: Job = {
    options,
    parts,
    work,
    limit: limiter(options.concurrency),
    signal,
    stop: (error) => stop.abort(error),
    journal,
    baseline: named ?? last,
    own,
    organizations: [],
    // Once a file is replaced, the old manifest no longer describes the folder.
    beforePublishing: () => rm(join(folder, MANIFEST), { force: true }),
    done: new Map(),
    runs: new Map(),
    failures: new Map(),
    reached: false,
    licences: undefined,
  };
  try {
    await exportAll(job);
    if (signal.aborted) throw exportError(signal.reason);
    const forbidden = markForbidden(job);
    const failures = RESOURCES.flatMap((name) => job.failures.get(name) ?? []);
    const [failure] = failures;
    if (failure !== undefined && !job.reached && OUT_OF_REACH.has(failure.kind)) throw failure;
    const facts: ManifestFacts = {
      complete: failures.length === 0,
      ...owner,
      organizations: job.organizations,
      format,
      gzip,
      ...(shard === undefined ? {} : { shard }),
      language,
      languages,
      since: since === undefined ? null : baselineHash,
      resources: Object.fromEntries(job.done),
    };
    const record = {
      version: parts.version,
      node: process.version,
      baseUrl: client.baseUrl,
      account,
      traceId: client.traceId ?? null,
      startedAt: isoTime(startedAt),
      finishedAt: isoTime(parts.now()),
      complete: facts.complete,
      ...client.traffic,
      resources: Object.fromEntries(job.runs),
    };
    const manifest = await writeDescription(folder, { earlier, manifest: facts, record, mode, copy, signal });
    if (manifest.complete) for (const name of [JOURNAL, MANIFEST]) await rm(join(work, name), { force: true });
    await removeLeftovers(folder, work, manifest.complete ? undefined : journal.files);
    return {
      manifest,
      /** Why resources are incomplete, in the order of resources. */
      failures,
      /** Incomplete resources of which no list may be read. */
      forbidden,
      isCompared: job.baseline !== undefined,
    };
  } catch (error) {
    // On a full disk, the temporary files of lists are removed to make room for the journal of completed resources.
    const isFull = [error, signal.reason].some(isWriteRefusal);
    await removeLeftovers(folder, work, isFull ? undefined : journal.files).catch(() => {});
    if (isFull) await journal.shrink().catch(() => {});
    throw exportError(error);
  }
}
