/** The folders of jobs on this machine: one a job, with its manifest, its input, its journal and its lock. */
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { codeOf, folderError, roomOr } from '../disk.js';
import { type EduError, usageError } from '../errors.js';
import type { Env } from '../io.js';
import { ownMark, removeLeftOvers } from '../left-over.js';
import { makeFolder } from '../make-folder.js';
import { stateFolder } from '../settings/folders.js';
import { didYouMean } from '../suggest.js';
import { takePlace } from '../take-place.js';
import { ENCODINGS, type Encoding } from './input/encoding.js';
import type { Shard } from './shard.js';
import { type Counts, STATES } from './states.js';
import type { Values } from './verb.js';

export interface Manifest {
  readonly version: 1;
  readonly id: string;
  readonly name: string | null;
  readonly identity: string;
  readonly path: string;
  readonly baseUrl: string;
  readonly values: Values;
  readonly settings: Readonly<Record<string, string | null>>;
  /** What the input was called; null for `--count`. */
  readonly input: string | null;
  /** As found; null for `--count`. */
  readonly encoding: Encoding | null;
  /** The input begins with a byte order mark. */
  readonly marked: boolean;
  readonly delimiter: string | null;
  readonly shard: Shard | null;
  /** Of the whole input. */
  readonly rows: number;
  /** Points in time, ISO 8601. */
  readonly created: string;
}

/** How the job stood when its last run ended. */
export interface Standing {
  /** Size of the journal then: if it has grown since, a run was killed. */
  readonly journal: number;
  readonly counts: Counts;
  readonly ended: string;
}

export interface JobFolder {
  readonly folder: string;
  readonly manifest: Manifest;
}

export const jobsFolder = (env: Env): string => join(stateFolder(env), 'jobs');

const MANIFEST = 'manifest.json';

export const lockFile = ({ folder }: JobFolder): string => join(folder, 'lock');
export const journalFile = ({ folder }: JobFolder): string => join(folder, 'journal.ndjson');
export const listingsFile = ({ folder }: JobFolder): string => join(folder, 'listings.ndjson');

/** Rows of a job's shard. */
export function rowsIn({ rows, shard }: Manifest): number {
  return shard === null ? rows : Math.max(0, Math.floor((rows - shard.index) / shard.of) + 1);
}
/** Far more rows than a job can have, and few enough for the memory that their states take. */
const MOST_ROWS = 100_000_000;

/** Nothing was sent yet, and the folder of a job can't be made or filled. */
export function unwritable(folder: string, error: unknown): EduError {
  return usageError(
    `${folder} can't be written (${codeOf(error) ?? String(error)}).`,
    roomOr(error, 'Make it writable, or set EDU_STATE_DIR to a folder that is.'),
  );
}

/** A new private folder for a job that has no id yet. Those of processes that were killed are removed. */
export function makeDraft(env: Env, unique: string): string {
  const jobs = jobsFolder(env);
  const draft = join(jobs, `.draft-${ownMark()}.${unique}`);
  try {
    makeFolder(jobs);
    chmodSync(jobs, 0o700);
    removeLeftOvers(jobs, (name) => name.startsWith('.draft-'));
    mkdirSync(draft, { mode: 0o700 });
  } catch (error) {
    throw unwritable(jobs, folderError(jobs, error));
  }
  return draft;
}

function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Turns a draft into the job's folder. @returns false when another process was first */
export function keepDraft(env: Env, draft: string, manifest: Manifest): boolean {
  try {
    writeFileSync(join(draft, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
    syncFolder(draft);
    renameSync(draft, join(jobsFolder(env), manifest.id));
  } catch (error) {
    const code = codeOf(error) ?? '';
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'EPERM') return false;
    throw unwritable(jobsFolder(env), error);
  }
  syncFolder(jobsFolder(env));
  return true;
}

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });

const isText = (value: unknown): boolean => typeof value === 'string';
const isTextOrNull = (value: unknown): boolean => value === null || isText(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a value of a command can be, as it comes out of a file. */
const isValue = (value: unknown): boolean =>
  ['string', 'number', 'boolean'].includes(typeof value) || (Array.isArray(value) && value.every(isText));

/** Whether a document is the manifest of the job in the folder of this name: it may have been written by anybody. */
function isManifest(value: unknown, folder: string): value is Manifest {
  if (!isObject(value)) return false;
  const { version, id, name, identity, path, baseUrl, values, settings, rows, created, shard } = value;
  return (
    version === 1 &&
    id === basename(folder) &&
    [identity, path, baseUrl, created].every(isText) &&
    [name, value.input, value.delimiter].every(isTextOrNull) &&
    (value.encoding === null || ENCODINGS.some((encoding) => encoding === value.encoding)) &&
    isObject(values) &&
    Object.values(values).every(isValue) &&
    isObject(settings) &&
    Object.values(settings).every(isTextOrNull) &&
    isCount(rows) &&
    rows <= MOST_ROWS &&
    (shard === null || (isObject(shard) && isCount(shard.index) && isCount(shard.of) && shard.index >= 1))
  );
}

function readJob(folder: string): JobFolder | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8'));
    return isManifest(manifest, folder) ? { folder, manifest } : undefined;
  } catch {
    return undefined;
  }
}

/** All jobs of this machine, the newest first. */
export function allJobs(env: Env): readonly JobFolder[] {
  let names: string[];
  try {
    names = readdirSync(jobsFolder(env));
  } catch {
    return [];
  }
  return names
    .filter((name) => !name.startsWith('.'))
    .map((name) => readJob(join(jobsFolder(env), name)))
    .filter((job) => job !== undefined)
    .sort((a, b) => (a.manifest.created < b.manifest.created ? 1 : -1));
}

export const findJob = (env: Env, id: string): JobFolder | undefined => readJob(join(jobsFolder(env), id));

/** The job with a name or id, or the only one whose id begins so. @throws EduError `usage` */
export function requireJob(env: Env, wanted: string): JobFolder {
  const jobs = allJobs(env);
  const exact = jobs.find(({ manifest }) => manifest.id === wanted || manifest.name === wanted);
  const close = jobs.filter(({ manifest }) => wanted.length >= 4 && manifest.id.startsWith(wanted));
  const found = exact ?? (close.length === 1 ? close[0] : undefined);
  if (found !== undefined) return found;
  const known = jobs.flatMap(({ manifest: { id, name } }) => (name === null ? [id] : [id, name]));
  throw usageError(
    `There is no job ${JSON.stringify(wanted)}.`,
    didYouMean(wanted, known) ?? 'The jobs of this machine: edu jobs list',
  );
}

const standingFile = (folder: string): string => join(folder, 'standing.json');

/** Keeps how the job stands, for `edu jobs list`, which counts the journal where it is not known. Never fails. */
export function keepStanding(folder: string, standing: Standing, unique: string): void {
  const temporary = `${standingFile(folder)}.${ownMark()}.${unique}`;
  try {
    writeFileSync(temporary, `${JSON.stringify(standing)}\n`, { mode: 0o600 });
    takePlace(temporary, standingFile(folder));
  } catch {
    rmSync(temporary, { force: true });
  }
}

export function readStanding(folder: string): Standing | undefined {
  try {
    const standing: unknown = JSON.parse(readFileSync(standingFile(folder), 'utf8'));
    if (!isObject(standing) || !isObject(standing.counts) || !isCount(standing.journal)) return undefined;
    const { counts } = standing;
    return STATES.every((state) => isCount(counts[state])) ? (standing as unknown as Standing) : undefined;
  } catch {
    return undefined;
  }
}
