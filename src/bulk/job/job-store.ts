/** The folders of jobs on this machine, each with manifest, input, journal and lock. */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { EduError, usageError } from '../../core/errors.js';
import { cannotWrite, codeOf, describeErrno, onFile, writing } from '../../core/fs/disk-errors.js';
import { ensureFolder } from '../../core/fs/mkdir.js';
import { openRegularFile, readJsonFile } from '../../core/fs/regular-file.js';
import { processTag, removeAbandoned } from '../../core/fs/temporary.js';
import { replaceContent } from '../../core/fs/write-file.js';
import type { Env } from '../../core/io.js';
import { shellLine } from '../../core/shell.js';
import { didYouMean } from '../../core/suggest.js';
import { checkOwnFolder, checkStateFolder, ownState, stateFolder } from '../../settings/folders.js';
import type { Scope } from './identity.js';
import { isManifest, type Manifest, sealOf } from './job-manifest.js';

export interface JobFolder {
  readonly folder: string;
  readonly manifest: Manifest;
}

export const jobsFolder = (env: Env): string => join(stateFolder(env), 'jobs');

const MANIFEST = 'manifest.json';

type InFolder = Pick<JobFolder, 'folder'>;
export const lockFile = ({ folder }: InFolder): string => join(folder, 'lock');
export const journalFile = ({ folder }: InFolder): string => join(folder, 'journal.ndjson');
/** Copies the journal of a job, if it has one, to a folder. @returns the path of the copy */
export function copyJournal(job: InFolder, folder: string): string {
  const copy = journalFile({ folder });
  if (existsSync(journalFile(job))) copyFileSync(journalFile(job), copy);
  return copy;
}
export const rowsFile = ({ folder }: InFolder): string => join(folder, 'rows.bin');
export const ledgerFile = (env: Env): string => join(jobsFolder(env), '.ledger.ndjson');

/** True if equal rows of two jobs are the same row. */
export const isSameScope = (one: Scope, other: Scope): boolean =>
  one.path === other.path &&
  one.baseUrl === other.baseUrl &&
  one.organization === other.organization &&
  one.batch === other.batch;

const DAY_MS = 24 * 3_600_000;

/** The path of a folder that is no job: not yet, or no longer. */
const draftIn = (jobs: string, unique: string): string => join(jobs, `.draft-${processTag()}.${unique}`);

/** Creates a private folder for a job without an ID yet, and removes those of killed processes. */
export function makeDraft(env: Env, unique: string): string {
  const jobs = jobsFolder(env);
  const draft = draftIn(jobs, unique);
  return writing(jobs, () => {
    checkStateFolder(env);
    ensureFolder(jobs);
    ownState(env, 'jobs');
    chmodSync(jobs, 0o700);
    mkdirSync(draft, { mode: 0o700 });
    // By the clock of the file system, because this machine's may be wrong.
    removeAbandoned(jobs, (name) => name.startsWith('.draft-'), statSync(draft).mtimeMs - DAY_MS);
    return draft;
  });
}

function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    onFile(folder, () => fsyncSync(handle));
  } finally {
    closeSync(handle);
  }
}

/** The files of a job that are written once. */
const WRITTEN_ONCE = ['input', 'rows.bin'];

const CHUNK_BYTES = 1024 * 1024;

/**
 * The size of a file, and the sha256 of its bytes in hexadecimal.
 * @param wanted the expected result: a file of another size is not read, because it may be endless
 * @throws the system's error
 */
function checksumOfFile(file: string, wanted?: string): string {
  const { handle, stats } = openRegularFile(file);
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const sum = createHash('sha256');
  try {
    const size = `${stats.size} `;
    if (wanted?.startsWith(size) === false) return size;
    for (;;) {
      const count = readSync(handle, chunk);
      if (count === 0) return size + sum.digest('hex');
      sum.update(chunk.subarray(0, count));
    }
  } finally {
    closeSync(handle);
  }
}

/** The sizes and checksums of a draft's files, by name. @throws the system's error */
function checksumsIn(folder: string): Readonly<Record<string, string>> {
  const written = WRITTEN_ONCE.filter((name) => existsSync(join(folder, name)));
  return Object.fromEntries(written.map((name) => [name, checksumOfFile(join(folder, name))]));
}

/** Turns a draft into the job's folder. @returns false when another process was first */
function keepDraft(env: Env, draft: string, manifest: Manifest): boolean {
  try {
    const whole = { ...manifest, checksums: checksumsIn(draft) };
    const text = JSON.stringify({ ...whole, seal: sealOf(whole) }, null, 2);
    replaceContent(join(draft, MANIFEST), `${text}\n`, { flush: true });
    syncFolder(draft);
    renameSync(draft, join(jobsFolder(env), manifest.id));
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(codeOf(error) ?? '')) return false;
    throw cannotWrite(jobsFolder(env), error);
  }
  syncFolder(jobsFolder(env));
  return true;
}

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** Removes a job, as a whole even if the process is killed meanwhile: half of a job is a damaged one. */
export function removeJobFolder(folder: string): void {
  const removed = draftIn(dirname(folder), basename(folder));
  try {
    renameSync(folder, removed);
  } catch (error) {
    // Another process removed it.
    if (codeOf(error) === 'ENOENT') return;
    throw cannotWrite(dirname(folder), error);
  }
  removeFolder(removed);
}

/** A job with an unusable manifest, so that not even its name is known. */
export interface DamagedJob {
  readonly folder: string;
  readonly id: string;
  /** The manifest's path, and that it cannot be used. */
  readonly damage: string;
}

export type StoredJob = JobFolder | DamagedJob;

export const isDamaged = (job: StoredJob): job is DamagedJob => 'damage' in job;

const DAMAGED = 'is missing, or not as this version of edu wrote it';

/** More than any manifest needs. */
const MAX_MANIFEST_BYTES = 16 * 1024 * 1024;

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/**
 * @returns undefined if there is no such folder
 * @throws EduError `usage` if others can have written a file in it: they would control what a resumed job sends
 */
function readJob(folder: string): StoredJob | undefined {
  if (!isFolder(folder) || !checkOwnFolder(folder)) return undefined;
  const file = join(folder, MANIFEST);
  const id = basename(folder);
  const manifest = readJsonFile(file, MAX_MANIFEST_BYTES, isManifest);
  if (manifest?.id === id) return { folder, manifest };
  // Another process may have removed the job meanwhile.
  return isFolder(folder) ? { folder, id, damage: `${file} ${DAMAGED}` } : undefined;
}

/** The error for a damaged file in a job's folder. */
export const unusable = ({ id, damage }: Pick<DamagedJob, 'id' | 'damage'>): EduError =>
  usageError(
    `Cannot use the job ${id}: ${damage}.`,
    'Restore that file from a backup, or use the version of edu that wrote it. ' +
      `To remove the job: ${shellLine('edu', 'jobs', 'remove', id, '--yes')}\n` +
      'Created items are kept. Its command then starts again with the first row, so check first which items exist.',
  );

/** The jobs in a folder, newest first, damaged ones last. @throws EduError `usage` if others can write to one of them */
function jobsIn(jobs: string): readonly StoredJob[] {
  const names = existsSync(jobs) ? readdirSync(jobs) : [];
  const madeAt = (job: StoredJob): string => (isDamaged(job) ? '' : job.manifest.created);
  const found = names.flatMap((name) => (name.startsWith('.') ? [] : (readJob(join(jobs, name)) ?? [])));
  return found.sort((a, b) => (madeAt(a) < madeAt(b) ? 1 : -1));
}

/** All jobs of this machine, newest first, damaged ones last. @throws EduError `usage` if others can write to the folder */
export const storedJobs = (env: Env): readonly StoredJob[] => jobsIn(ownState(env, 'jobs'));

/** All undamaged jobs, newest first. */
export const allJobs = (env: Env): readonly JobFolder[] =>
  storedJobs(env).filter((job): job is JobFolder => !isDamaged(job));

/**
 * The word for a job on a command line: its name if that is one plain word that neither other shards nor another job
 * have, such as that of a file that grew; else its ID.
 */
export function wordFor({ folder, manifest: { id, name, shard } }: JobFolder): string {
  if (name === null || shard !== null || !/^\w[\w.@+-]*$/.test(name)) return id;
  const isOther = (job: StoredJob): boolean => !isDamaged(job) && job.manifest.name === name && job.manifest.id !== id;
  return jobsIn(dirname(folder)).some(isOther) ? id : name;
}

/** The job with an ID. @throws EduError `usage` if it is damaged */
export function findJob(env: Env, id: string): JobFolder | undefined {
  const job = readJob(join(jobsFolder(env), id));
  if (job !== undefined && isDamaged(job)) throw unusable(job);
  return job;
}

/**
 * The job that a draft becomes, or an existing one with its ID.
 * @returns the job, whether it was made before, and whether it is still a draft, which the caller must remove
 */
export function jobOfDraft(env: Env, draft: string, manifest: Manifest, dryRun: boolean) {
  const before = findJob(env, manifest.id);
  if (before === undefined && dryRun) return { job: { folder: draft, manifest }, isKnown: false, isDraft: true };
  const isKnown = before !== undefined || !keepDraft(env, draft, manifest);
  const job = before ?? findJob(env, manifest.id);
  if (job === undefined) throw usageError(`Cannot create the job ${manifest.id} in ${jobsFolder(env)}.`);
  return { job, isKnown, isDraft: false };
}

/** The ID of a job, and its name if known. */
const namesOf = (job: StoredJob): readonly string[] =>
  isDamaged(job) ? [job.id] : [job.manifest.id, job.manifest.name].filter((one) => one !== null);

/**
 * The job with a name or ID, or the only one whose ID begins with the text. It may be damaged.
 * @throws EduError `not_found`; `usage` if several match
 */
export function requireStored(env: Env, wanted: string): StoredJob {
  const jobs = storedJobs(env);
  const named = jobs.filter((job) => namesOf(job).includes(wanted));
  const byId = named.find((job) => namesOf(job)[0] === wanted);
  if (byId === undefined && named.length > 1) {
    const ids = named.map((job) => namesOf(job)[0]).join(', ');
    throw usageError(`${named.length} jobs are called ${JSON.stringify(wanted)}.`, `Give the ID of one: ${ids}`);
  }
  const close = jobs.filter((job) => wanted.length >= 4 && namesOf(job)[0]?.startsWith(wanted));
  const found = byId ?? named[0] ?? (close.length === 1 ? close[0] : undefined);
  if (found !== undefined) return found;
  const hints = [didYouMean(wanted, jobs.flatMap(namesOf)) ?? 'List the jobs: edu jobs list'];
  const damaged = jobs.filter(isDamaged).map(({ id }) => id);
  if (damaged.length > 0)
    hints.push(`It may be one of these damaged jobs, whose names are unknown: ${damaged.join(', ')}`);
  throw new EduError('not_found', `There is no job ${JSON.stringify(wanted)}.`, { hint: hints.join('\n') });
}

/** Like `requireStored`, but rejects damaged jobs. @throws EduError `not_found`, `usage` */
export function requireJob(env: Env, wanted: string): JobFolder {
  const job = requireStored(env, wanted);
  if (isDamaged(job)) throw unusable(job);
  return job;
}

/** @throws EduError `usage` if a file of a job that is written once is not as it was written */
export function checkUnchanged({ id, checksums }: Manifest, file: string): void {
  const wanted = checksums[basename(file)];
  if (wanted === undefined) return;
  try {
    if (checksumOfFile(file, wanted) === wanted) return;
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    const why = code === 'ENOENT' ? 'is missing' : `cannot be read: ${describeErrno(error)}`;
    throw unusable({ id, damage: `${file} ${why}` });
  }
  throw unusable({ id, damage: `${file} has changed since the job was created` });
}
