/**
 * An export from start to end: every list that the caller may see, over its own organization and all that it owns, into
 * one folder. Lists that do not depend on each other are read side by side. Knows the client, no terminal.
 */
import { createHash } from 'node:crypto';
import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '../../client/request/client.js';
import { type EduError, usageError } from '../../core/errors.js';
import { folderError, roomOr, whyNot } from '../../core/fs/disk-errors.js';
import { takeLock } from '../../core/fs/lock.js';
import { makeFolder } from '../../core/fs/mkdir.js';
import { PARTIAL } from '../files/data-file.js';
import { openState } from '../files/export-state.js';
import {
  CHANGES,
  findManifest,
  MANIFEST,
  type Manifest,
  type OrganizationFacts,
  type ReadManifest,
  readManifest,
  writeManifest,
} from '../files/manifest.js';
import { asEduError, HOPELESS, OUT_OF_REACH } from './export-failures.js';
import type { ExportOptions, ExportParts, Job } from './export-job.js';
import { limiter } from './limiter.js';
import { exportAll } from './list-pages.js';
import { RESOURCES } from './resources.js';

export interface Outcome {
  readonly manifest: Omit<Manifest, 'kind' | 'version'>;
  /** Why resources are not complete, in their order. */
  readonly failures: readonly EduError[];
}

const WORK = '.edu-export';

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

/**
 * Makes the folder that the user named, as readable as what else is made by hand, and the work folder in it.
 * @returns those that were not there
 */
function makeFolders(folder: string, work: string): readonly string[] {
  try {
    return makeFolder(work, 0o777);
  } catch (error) {
    throw usageError(
      `The folder ${folder} can't be made or used: ${whyNot(folderError(work, error))}.`,
      roomOr(error, 'Make it writable, or name another folder with --to.'),
    );
  }
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
  const made = makeFolders(folder, work);
  const statePath = join(work, 'state.json');
  let unlock: (() => void) | undefined;
  try {
    const { now, unique } = parts;
    unlock = await takeLock(join(work, 'lock'), { now, unique, what: `${folder} is being written` });
    await removeLeftovers(folder, work);
    return await lockedExport(options, parts, work, statePath, since);
  } catch (error) {
    throw asEduError(error);
  } finally {
    unlock?.();
    // Folders that hold nothing are not left behind; rmdir refuses the others. What was there before stays.
    for (const own of [...made, work].reverse()) await rmdir(own).catch(() => {});
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
    // What the lists have left behind takes room, on a disk that may be full; then there is some to say what is complete.
    await removeLeftovers(folder, work).catch(() => {});
    if (job.done.size > 0) await state.save().catch(() => {});
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
