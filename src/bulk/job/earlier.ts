/**
 * Finds outcomes of earlier jobs for the rows of a create, by row identity, in existing jobs and in the ledger of
 * removed ones.
 */
import { closeSync, existsSync, fsyncSync } from 'node:fs';
import { basename } from 'node:path';
import { type EduError, usageError } from '../../core/errors.js';
import { describeErrno, isFull } from '../../core/fs/disk-errors.js';
import { lockOwner } from '../../core/fs/lock.js';
import { appendRegularFile, readRegularBytes, readRegularFile } from '../../core/fs/regular-file.js';
import { replaceContent, writeAll } from '../../core/fs/write-file.js';
import type { Env } from '../../core/io.js';
import { once } from '../../core/maps.js';
import { seenKeys } from '../../core/seen-keys.js';
import { isIn } from '../../core/shard.js';
import { DIGEST_BYTES } from './identity.js';
import { type Manifest, nameOf } from './job-manifest.js';
import {
  allJobs,
  type DamagedJob,
  isDamaged,
  isSameScope,
  type JobFolder,
  journalFile,
  ledgerFile,
  lockFile,
  rowsFile,
  storedJobs,
  unusable,
  wordFor,
} from './job-store.js';
import { Journal } from './journal.js';
import { readRows } from './rows-file.js';
import { isDone, type Outcome, type State } from './states.js';

/** A row of another job with the same identity as a row of this job. */
export interface EarlierRow {
  readonly outcome: Outcome;
  /** The name or ID of the job. */
  readonly job: string;
  /** IDs of the items that existed before the row may have been sent; undefined if unknown. */
  readonly listed?: ReadonlySet<string> | undefined;
  /** Other items of the row, which jobs created because the one before had been deleted. */
  readonly others?: readonly EarlierRow[];
}

/** The outcomes of earlier rows, with those of their other items. */
export function* outcomesOf(rows: Iterable<EarlierRow>): Generator<Outcome> {
  for (const { outcome, others = [] } of rows) {
    yield outcome;
    yield* outcomesOf(others);
  }
}

interface LedgerEntry extends Pick<Outcome, 'id' | 'code' | 'undone'> {
  /** The row's identity, in hexadecimal. */
  readonly row: string;
  readonly state: 'created' | 'unknown';
  readonly job: string;
}

/** Adds an outcome of a row, unless another one names the same item. A created item takes precedence. */
function add(found: Map<number, EarlierRow>, row: number, next: EarlierRow): void {
  const before = found.get(row);
  if (before === undefined || !isDone(before.outcome.state)) {
    if (before === undefined || isDone(next.outcome.state)) found.set(row, next);
    return;
  }
  if (!isDone(next.outcome.state) || next.outcome.id === undefined) return;
  const { others = [] } = before;
  if (![before, ...others].some(({ outcome: { id } }) => id === next.outcome.id))
    found.set(row, { ...before, others: [...others, next] });
}

/** Some ten million entries of the ledger. */
const MAX_BYTES = 512 * 1024 * 1024 - 1;

/** The identity of a row, counted from 1, in hexadecimal. */
const identityOf = (rows: Buffer, row: number): string =>
  rows.toString('hex', (row - 1) * DIGEST_BYTES, row * DIGEST_BYTES);

/** Returns a function from an identity to its row; 0 if there is none. @param rows the identities of all rows */
function rowFinder(rows: Buffer): (identity: string) => number {
  const keys = seenKeys();
  for (let row = 1; row * DIGEST_BYTES <= rows.length; row++) keys.note(identityOf(rows, row), row);
  return (identity) => keys.get(identity) ?? 0;
}

/** The outcomes of the rows of a job that are in some states, in their order. */
export async function* outcomesIn(job: JobFolder, isWanted: (state: State, row: number) => boolean) {
  const { rows } = job.manifest;
  const journal = await Journal.reading(journalFile(job), rows);
  try {
    for (let row = 1; row <= rows; row++)
      if (isWanted(journal.state(row), row)) yield { row, outcome: journal.outcome(row) };
  } finally {
    await journal.close();
  }
}

/** True if a row in this state may have created an item. */
const mayExist = (state: State): boolean => isDone(state) || state === 'sending' || state === 'unknown';

/**
 * Finds the outcomes that rows have in other jobs.
 * @param rows the identities of the rows of the job that is about to run
 * @param isLeft whether a row of the job is still to be sent
 * @param isKnown whether a row was created before; it is included, to find the item that replaced a deleted one
 * @param running the jobs that began before this one; default: all that are being run
 * @throws EduError `usage` if a running job is about to send one of the rows, or a damaged one may have sent it
 */
export async function earlierRows(
  env: Env,
  { manifest }: JobFolder,
  rows: Buffer,
  isLeft: (row: number) => boolean,
  isKnown: (row: number) => boolean,
  now: number,
  running?: ReadonlySet<string>,
): Promise<ReadonlyMap<number, EarlierRow>> {
  const found = new Map<number, EarlierRow>();
  const rowOf = once(() => rowFinder(rows));
  const own = (identity: string): number => {
    const row = rowOf()(identity);
    return row > 0 && isIn(manifest.shard ?? undefined, row) && (isLeft(row) || isKnown(row)) ? row : 0;
  };
  for (const entry of ledger(env)) {
    const row = own(entry.row);
    const { row: _, job: __, ...outcome } = entry;
    if (row > 0) add(found, row, { outcome, job: entry.job });
  }
  for (const job of storedJobs(env)) {
    if (isDamaged(job)) {
      if (hasRow(job, own)) throw unusable(job);
      continue;
    }
    const { id } = job.manifest;
    if (id === manifest.id || !isSameScope(job.manifest, manifest)) continue;
    const owner = running?.has(id) === false ? undefined : lockOwner(lockFile(job), now);
    await addRows(job, own, isLeft, found, owner);
  }
  return found;
}

/** Whether a damaged job has one of the rows. @throws EduError `usage` if its rows cannot be read */
function hasRow(job: DamagedJob, own: (identity: string) => number): boolean {
  const file = rowsFile(job);
  if (!existsSync(file)) return false;
  let digests: Buffer;
  try {
    digests = readRegularBytes(file, MAX_BYTES);
  } catch (error) {
    throw unusable({ id: job.id, damage: `${file} cannot be read: ${describeErrno(error)}` });
  }
  for (let row = 1; row * DIGEST_BYTES <= digests.length; row++) if (own(identityOf(digests, row)) > 0) return true;
  return false;
}

async function addRows(
  job: JobFolder,
  own: (identity: string) => number,
  isLeft: (row: number) => boolean,
  found: Map<number, EarlierRow>,
  owner: string | undefined,
): Promise<void> {
  const digests = readRows(job);
  const pairs: [row: number, theirs: number][] = [];
  for (let theirs = 1; theirs <= job.manifest.rows; theirs++) {
    const isTheirs = isIn(job.manifest.shard ?? undefined, theirs);
    const row = isTheirs ? own(identityOf(digests, theirs)) : 0;
    if (row > 0) pairs.push([row, theirs]);
  }
  if (pairs.length === 0) return;
  const journal = await Journal.reading(journalFile(job), job.manifest.rows);
  try {
    for (const [row, theirs] of pairs) {
      const outcome = journal.outcome(theirs);
      if (owner !== undefined && !isDone(outcome.state) && isLeft(row))
        throw usageError(
          `Rows of this input belong to the job ${nameOf(job.manifest)}, which is being run by ${owner}.`,
          'Wait until it has ended, and run the command again.',
        );
      if (mayExist(outcome.state) && !outcome.claimed)
        add(found, row, {
          outcome,
          job: nameOf(job.manifest),
          listed: outcome.listing === undefined ? undefined : journal.listing(outcome.listing),
        });
    }
  } finally {
    await journal.close();
  }
}

const fileOf = ({ manifest: { input } }: JobFolder): string | undefined =>
  input === null || input === '-' ? undefined : basename(input);

/** Which rows of a file a job reads. */
const partOf = ({ manifest: { reading, shard } }: JobFolder): string =>
  JSON.stringify([reading?.where, reading?.sheet, shard]);

/** The last job before this one that read the same rows of a file of the same name. */
function jobBefore(env: Env, job: JobFolder): JobFolder | undefined {
  const name = fileOf(job);
  if (name === undefined) return undefined;
  const isBefore = ({ id, name: called }: Manifest): boolean => id !== job.manifest.id && called === job.manifest.name;
  return allJobs(env)
    .filter((one) => isBefore(one.manifest) && isSameScope(one.manifest, job.manifest))
    .find((one) => fileOf(one) === name && partOf(one) === partOf(job));
}

/**
 * Finds what an earlier job created for rows that are no longer in a file of the same name, such as a corrected typo.
 * @param job a new create
 * @returns the word for the earlier job, and the number of its rows that are not in the new one; undefined if there are
 *   none, or if no row is in both, because the file is another one
 */
export async function lostRows(
  env: Env,
  job: JobFolder,
): Promise<{ readonly job: string; readonly rows: number } | undefined> {
  const before = job.manifest.shard === null ? jobBefore(env, job) : undefined;
  if (before === undefined) return undefined;
  const digests = readRows(before);
  const rowOf = rowFinder(readRows(job));
  const lost = new Set<number>();
  for (let row = 1; row <= before.manifest.rows; row++) if (rowOf(identityOf(digests, row)) === 0) lost.add(row);
  if (lost.size === 0 || lost.size === before.manifest.rows) return undefined;
  let made = 0;
  for await (const { outcome } of outcomesIn(before, (state, row) => isDone(state) && lost.has(row)))
    if (outcome.undone === undefined) made++;
  return made === 0 ? undefined : { job: wordFor(before), rows: made };
}

const unusableLedger = (file: string, error: unknown): EduError =>
  usageError(
    `Cannot use ${file}, which lists what removed jobs created: ${describeErrno(error)}.`,
    'Restore it from a backup. Without one, remove it, and check what removed jobs created before you run their commands again.',
  );

function* ledger(env: Env): Generator<LedgerEntry> {
  const file = ledgerFile(env);
  if (!existsSync(file)) return;
  let text: string;
  try {
    text = readRegularFile(file, MAX_BYTES);
  } catch (error) {
    throw unusableLedger(file, error);
  }
  for (const line of text.split('\n')) {
    try {
      const entry = JSON.parse(line) as LedgerEntry;
      if (typeof entry.row === 'string' && entry.row.length === 2 * DIGEST_BYTES) yield entry;
    } catch {
      // The line was not written completely.
    }
  }
}

/** The lines of the ledger for what a job created: identities, IDs and codes, but no personal data. */
async function ledgerLines(job: JobFolder): Promise<string> {
  const digests = readRows(job);
  // The keys of other items are personal data.
  const isLicence = job.manifest.path === 'licenses create';
  let text = '';
  for await (const { row, outcome } of outcomesIn(job, (state) => state !== 'updated' && mayExist(state))) {
    const { state, id, key, code = isLicence ? key : undefined, undone, claimed } = outcome;
    const known = isDone(state) ? 'created' : 'unknown';
    const entry = { row: identityOf(digests, row), state: known, job: nameOf(job.manifest), id, code, undone };
    if (!claimed) text += `${JSON.stringify(entry)}\n`;
  }
  return text;
}

/** Stores what a job created before its folder is removed. @throws EduError `usage` if that fails, unless the disk is full */
export async function addToLedger(env: Env, job: JobFolder): Promise<void> {
  // A failure to read is ignored: removing a job whose journal is damaged was confirmed.
  const text = await ledgerLines(job).catch(() => '');
  if (text === '') return;
  const file = ledgerFile(env);
  try {
    const handle = appendRegularFile(file);
    try {
      // A killed process or a full disk may have left half a line.
      writeAll(handle, `\n${text}`);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    // Jobs are removed to free space.
    if (!isFull(error)) throw unusableLedger(file, error);
  }
}

export function dropFromLedger(env: Env, job: JobFolder): void {
  if (!existsSync(ledgerFile(env))) return;
  const rowOf = rowFinder(readRows(job));
  const kept = [...ledger(env)].filter(({ row }) => rowOf(row) === 0);
  const text = kept.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  replaceContent(ledgerFile(env), text, { flush: true });
}
