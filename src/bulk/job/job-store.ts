/** The folders of jobs on this machine, each with manifest, input, journal and lock. */
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import {
  type Check,
  type Checked,
  isBoolean,
  isCount,
  isOneOf,
  isText,
  listOf,
  mapOf,
  objectOf,
  optional,
  orNull,
} from '../../core/checks.js';
import { excerpt } from '../../core/clean-text.js';
import { EduError, usageError } from '../../core/errors.js';
import { codeOf, describeErrno, diskFullHint, onFile } from '../../core/fs/disk-errors.js';
import { ensureFolder } from '../../core/fs/mkdir.js';
import { readRegularBytes, readRegularFile } from '../../core/fs/regular-file.js';
import { processTag, removeAbandoned } from '../../core/fs/temporary.js';
import { replaceContent } from '../../core/fs/write-file.js';
import type { Env } from '../../core/io.js';
import { isObject } from '../../core/json.js';
import { shellLine } from '../../core/shell.js';
import { didYouMean } from '../../core/suggest.js';
import { ENCODINGS } from '../../core/table/encoding.js';
import type { Reading } from '../../core/table/rows.js';
import { checkOwnFolder, checkStateFolder, ownState, stateFolder } from '../../settings/folders.js';
import type { Value } from '../row-command.js';
import { checksumOf, checksumsIn, damageOf } from './checksums.js';
import { DIGEST_BYTES, type Scope } from './identity.js';

/** More rows than a job can have, but few enough to hold their states in memory. */
const MAX_ROWS = 100_000_000;

const isPosition: Check<number> = (value): value is number => isCount(value) && value >= 1;
const isRowCount: Check<number> = (value): value is number => isCount(value) && value <= MAX_ROWS;
const isValue: Check<Value> = (value): value is Value =>
  ['string', 'number', 'boolean'].includes(typeof value) || listOf(isText)(value);

const FIELDS = {
  version: isOneOf([2]),
  id: isText,
  name: orNull(isText),
  /** Address of the service, ID of the caller's organization, and value of `--batch`. */
  baseUrl: isText,
  organization: isText,
  batch: orNull(isText),
  path: isText,
  /** Values from the command line and the settings, for every row. */
  values: mapOf(isText, optional(isValue)),
  /** Hash of the input's bytes and the command line's values, to recognize a repeated command without reading rows. */
  content: isText,
  /** The value of `--on-existing` with which the job was started. */
  onExisting: isText,
  /** Name of the input; null for `--count`. */
  input: orNull(isText),
  /** Detected or given; null for a workbook and for `--count`. */
  encoding: orNull(isOneOf(ENCODINGS)),
  marked: isBoolean,
  /** Flags for reading columns and cells, if any was given. */
  reading: optional(mapOf(isText, isValue) as Check<unknown> as Check<Reading>),
  /** Where relative names of files to send are looked up when the job is resumed; only for commands that send files. */
  cwd: optional(isText),
  shard: orNull(objectOf({ index: isPosition, of: isCount })),
  /** Number of rows of the whole input. */
  rows: isRowCount,
  /** ISO 8601. */
  created: isText,
  /** Size and sha256 of each file that is written once; empty for a draft. */
  checksums: mapOf(isText, isText),
  /** sha256 of the other fields; absent for a draft. */
  seal: optional(isText),
};
const isManifest = objectOf(FIELDS);
export type Manifest = Checked<typeof isManifest>;

export interface JobFolder {
  readonly folder: string;
  readonly manifest: Manifest;
}

export const jobsFolder = (env: Env): string => join(stateFolder(env), 'jobs');

const MANIFEST = 'manifest.json';

type InFolder = Pick<JobFolder, 'folder'>;
export const lockFile = ({ folder }: InFolder): string => join(folder, 'lock');
export const journalFile = ({ folder }: InFolder): string => join(folder, 'journal.ndjson');
export const rowsFile = ({ folder }: InFolder): string => join(folder, 'rows.bin');
export const ledgerFile = (env: Env): string => join(jobsFolder(env), '.ledger.ndjson');

/** Number of rows in a job's shard. */
export function rowsIn({ rows, shard }: Manifest): number {
  return shard === null ? rows : Math.max(0, Math.floor((rows - shard.index) / shard.of) + 1);
}

/** True if equal rows of two jobs are the same row. */
export const isSameScope = (one: Scope, other: Scope): boolean =>
  one.path === other.path &&
  one.baseUrl === other.baseUrl &&
  one.organization === other.organization &&
  one.batch === other.batch;

/** The error for a job folder that cannot be created or written before anything is sent. */
export function unwritable(folder: string, error: unknown): EduError {
  const hint = diskFullHint(error, 'Make it writable, or set EDU_STATE_DIR to a folder that is.');
  return usageError(`Cannot write to ${folder}: ${describeErrno(error)}.`, hint);
}

/** Creates a private folder for a job without an ID yet, and removes those of killed processes. */
export function makeDraft(env: Env, unique: string): string {
  const jobs = jobsFolder(env);
  const draft = join(jobs, `.draft-${processTag()}.${unique}`);
  try {
    checkStateFolder(env);
    ensureFolder(jobs);
    ownState(env, 'jobs');
    chmodSync(jobs, 0o700);
    removeAbandoned(jobs, (name) => name.startsWith('.draft-'));
    mkdirSync(draft, { mode: 0o700 });
  } catch (error) {
    if (error instanceof EduError) throw error;
    throw unwritable(jobs, error);
  }
  return draft;
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

const sealOf = ({ seal: _, ...manifest }: Manifest): string => checksumOf(JSON.stringify(manifest));

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
    throw unwritable(jobsFolder(env), error);
  }
  syncFolder(jobsFolder(env));
  return true;
}

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** A job with an unusable manifest, so that not even its name is known. */
export interface DamagedJob {
  readonly folder: string;
  readonly id: string;
  /** The manifest's path and problem: `/…/manifest.json is empty`. */
  readonly damage: string;
}

export type StoredJob = JobFolder | DamagedJob;

export const isDamaged = (job: StoredJob): job is DamagedJob => 'damage' in job;

/** The problem of an invalid manifest, or of one in the wrong folder. */
function damageIn(value: unknown): string {
  if (!isObject(value)) return 'is not a JSON object';
  const { version } = value;
  if (isCount(version) && version !== 2)
    return `was written by ${version > 2 ? 'a later' : 'an earlier'} version of edu (format ${version})`;
  const [field] = Object.entries(FIELDS).find(([name, isRight]) => !isRight(value[name])) ?? [];
  if (field === undefined) return 'belongs to another job';
  return field in value
    ? `has the invalid "${field}" ${excerpt(JSON.stringify(value[field]), 60)}`
    : `has no "${field}"`;
}

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
  const damaged = (why: string): DamagedJob => ({ folder, id, damage: `${file} ${why}` });
  let text: string;
  try {
    text = readRegularFile(file, MAX_MANIFEST_BYTES);
  } catch (error) {
    if (!isFolder(folder)) return undefined;
    return damaged(codeOf(error) === 'ENOENT' ? 'is missing' : `can't be read: ${describeErrno(error)}`);
  }
  if (text.trim() === '') return damaged('is empty');
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch {
    return damaged('is not valid JSON; it may have been truncated or overwritten');
  }
  if (!isManifest(manifest) || manifest.id !== id) return damaged(damageIn(manifest));
  return manifest.seal === sealOf(manifest) ? { folder, manifest } : damaged('has changed since the job was created');
}

/** The error for a damaged file in a job's folder. */
export const unusable = ({ id, damage }: Pick<DamagedJob, 'id' | 'damage'>): EduError =>
  usageError(
    `Cannot use the job ${id}: ${damage}.`,
    `Restore that file from a backup, or remove the job: ${shellLine('edu', 'jobs', 'remove', id, '--yes')}\n` +
      'Created items are kept. Its command then starts again with the first row, so check first which items exist.',
  );

/** All jobs of this machine, newest first, damaged ones last. @throws EduError `usage` if others can write to the folder */
export function storedJobs(env: Env): readonly StoredJob[] {
  let names: string[];
  const jobs = ownState(env, 'jobs');
  try {
    names = readdirSync(jobs);
  } catch {
    return [];
  }
  const madeAt = (job: StoredJob): string => (isDamaged(job) ? '' : job.manifest.created);
  const found = names.flatMap((name) => (name.startsWith('.') ? [] : (readJob(join(jobs, name)) ?? [])));
  return found.sort((a, b) => (madeAt(a) < madeAt(b) ? 1 : -1));
}

/** All undamaged jobs, newest first. */
export const allJobs = (env: Env): readonly JobFolder[] =>
  storedJobs(env).filter((job): job is JobFolder => !isDamaged(job));

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

/**
 * The word for a job on a command line: its name if that is one plain word and the job has no other shards, else its ID.
 */
export const wordFor = ({ id, name, shard }: Manifest): string =>
  name !== null && shard === null && /^\w[\w.@+-]*$/.test(name) ? name : id;

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
    // These are the shards of one job.
    const ids = named.map((job) => namesOf(job)[0]).join(', ');
    throw usageError(`${named.length} jobs are called ${JSON.stringify(wanted)}.`, `Give the id of one: ${ids}`);
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
  const damage = damageOf(file, checksums);
  if (damage !== undefined) throw unusable({ id, damage });
}

/** Bytes of the number of equal rows before a row. */
const COUNT_BYTES = 4;

/**
 * Writes the identities of a draft's rows, in order.
 * @param counts the number of equal rows before each row, for a job whose equal rows are different items
 */
export function writeRows(folder: string, identities: Uint8Array, counts?: Uint32Array): void {
  const numbers = counts === undefined ? [] : [new Uint8Array(counts.buffer, counts.byteOffset, counts.byteLength)];
  const file = rowsFile({ folder });
  onFile(file, () => replaceContent(file, Buffer.concat([identities, ...numbers]), { flush: true }));
}

function rowBytes(job: JobFolder): Buffer {
  const file = rowsFile(job);
  checkUnchanged(job.manifest, file);
  return readRegularBytes(file, job.manifest.rows * (DIGEST_BYTES + COUNT_BYTES));
}

/** The identities of a job's rows, in order. @throws EduError `usage` when they are damaged */
export const readRows = (job: JobFolder): Buffer => rowBytes(job).subarray(0, job.manifest.rows * DIGEST_BYTES);

/**
 * @returns a function from a row, counted from 1, to the number of equal rows before it; undefined if there are none
 * @throws EduError `usage` when they are damaged
 */
export function equalBefore(job: JobFolder): ((row: number) => number) | undefined {
  const counts = rowBytes(job).subarray(job.manifest.rows * DIGEST_BYTES);
  return counts.length === 0 ? undefined : (row) => counts.readUInt32LE((row - 1) * COUNT_BYTES);
}
