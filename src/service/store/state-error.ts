/** What can be wrong with a state on disk, said so that the user knows the way out. It knows no SQL. */
import type { Visitor } from './place.js';

/** The state can't be used. The message names the file and what to do. */
export class StateError extends Error {
  override readonly name = 'StateError';
  /** The database file. */
  readonly file: string;
  /** What to do next: a sentence. */
  readonly hint: string;
  /** The file can be read but is of no use: a reset may replace it. */
  readonly replaceable: boolean;
  constructor(message: string, file: string, hint: string, facts: { cause?: unknown; replaceable?: true } = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.file = file;
    this.hint = hint;
    this.replaceable = facts.replaceable ?? false;
  }
}

const RESET = 'Run `edu offline reset` to start afresh; it replaces the offline data by a new set of samples.';

const damaged = (file: string, cause: unknown): StateError =>
  new StateError(`the offline data in ${file} is damaged: ${(cause as Error).message}`, file, RESET, {
    cause,
    replaceable: true,
  });

export const foreign = (file: string): StateError =>
  new StateError(`${file} is a database, but not one with offline data of edu`, file, RESET, { replaceable: true });

export const otherVersion = (file: string, found: number, expected: number): StateError =>
  new StateError(
    `the offline data in ${file} has version ${found}, and this edu reads version ${expected}`,
    file,
    found > expected ? `Use the newer edu that wrote it. Or: ${RESET}` : RESET,
    { replaceable: true },
  );

export const unreachableState = (file: string, cause: unknown): StateError =>
  new StateError(
    `the offline data in ${file} can't be used: ${(cause as Error).message}`,
    file,
    isFull(cause) || sqliteCode(cause) === IO_ERROR
      ? 'Make room on the disk, or name another folder with EDU_STATE_DIR.'
      : 'Check that you may read and write this file and its folder, or name another folder with EDU_STATE_DIR.',
    { cause },
  );

const held = (file: string, cause: unknown): StateError =>
  new StateError(
    `the offline data in ${file} has been held by another process for too long`,
    file,
    'Look for an edu that hangs and end it, then run this again.',
    { cause },
  );

/** Somebody's turn does not end. @param turn the file that says whose it is */
export const heldInTurn = (file: string, turn: string): StateError =>
  new StateError(
    `the offline data in ${file} has been held by another process for too long`,
    file,
    `See in ${turn} which one, and end it if it hangs. If it does not run any more: rm '${turn}'`,
  );

/** A process whose SQLite can't share the file has it open. */
export const heldByOtherKind = (file: string, { holder, note }: Visitor): StateError =>
  new StateError(
    `the offline data in ${file} is in use by ${holder ? `process ${holder.pid} on ${holder.host}` : 'another process'}, ` +
      `which has another SQLite than Node ${process.versions.node} and can't share it`,
    file,
    `Wait for it to end, or name another folder with EDU_STATE_DIR. If it does not run any more: rm '${note}'`,
  );

/** The file is not the state any more, since it was opened. */
export const replacedState = (file: string): StateError =>
  new StateError(`the offline data in ${file} was replaced by another process meanwhile`, file, 'Run this again.');

/** This Node has no SQLite of its own, and what edu brings for that can't be loaded. */
export const noSqlite = (cause: unknown): StateError =>
  new StateError(
    `the bundled service needs SQLite, which Node ${process.versions.node} does not have, ` +
      `and the one that edu brings can't be loaded: ${(cause as Error).message}`,
    '',
    'Install edu again, or use Node 22.13 or later.',
    { cause },
  );

/** The SQLite result code of an error of any driver, extended where the driver says so; 0 if it is none. */
function extendedCode(error: unknown): number {
  if (typeof error !== 'object' || error === null) return 0;
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode;
  if ('rawCode' in error && typeof error.rawCode === 'number') return error.rawCode;
  return 0;
}

/** The primary SQLite result code of an error of any driver, 0 if it is none. */
export const sqliteCode = (error: unknown): number => extendedCode(error) & 0xff;

const [BUSY, READ_ONLY, IO_ERROR, CORRUPT, FULL, CANT_OPEN, NOT_A_DATABASE] = [5, 8, 10, 11, 13, 14, 26];

/** Whether another process stood in the way, also when that has been said of the state already. */
export const isBusy = (error: unknown): boolean =>
  sqliteCode(error instanceof StateError ? error.cause : error) === BUSY;

/** Of the errors of reading and writing, those that come from what is in the file; the others come from the disk. */
const [IO_ERROR_READ, IO_ERROR_SHORT_READ, IO_ERROR_CORRUPT] = [266, 522, 8458];

/** Whether there is no room for what was to be written. */
const isFull = (error: unknown): boolean =>
  sqliteCode(error) === FULL ||
  (error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(String(error.code)));

/** Whether SQLite found that the file is not what it should be. */
const isDamage = (error: unknown): boolean =>
  [CORRUPT, NOT_A_DATABASE].includes(sqliteCode(error)) ||
  [IO_ERROR_READ, IO_ERROR_SHORT_READ, IO_ERROR_CORRUPT].includes(extendedCode(error)) ||
  (error instanceof Error && /malformed|file is not a database/i.test(error.message));

/** What an error of SQLite, or of a full disk, says about the state; undefined when it says nothing about it. */
export function stateErrorOf(file: string, error: unknown): StateError | undefined {
  if (error instanceof StateError) return error;
  if (isDamage(error)) return damaged(file, error);
  if (isBusy(error)) return held(file, error);
  const isUnreachable = isFull(error) || [READ_ONLY, IO_ERROR, CANT_OPEN].includes(sqliteCode(error));
  return isUnreachable ? unreachableState(file, error) : undefined;
}
