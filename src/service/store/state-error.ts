/** The errors of a state on disk, each with a hint. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describeErrno, diskFullHint, outOfDescriptors } from '../../core/fs/disk-errors.js';

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

const RESET = 'Run `edu offline reset` to replace the offline data with the sample data.';

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

export function unreachableState(file: string, cause: unknown): StateError {
  // SQLite only says that it can't open the file.
  const exhausted = outOfDescriptors();
  if (exhausted !== undefined) {
    const why = describeErrno(exhausted);
    return new StateError(`the offline data in ${file} can't be used: ${why}`, file, diskFullHint(exhausted, ''), {
      cause,
    });
  }
  return new StateError(
    `the offline data in ${file} can't be used: ${(cause as Error).message}`,
    file,
    isFull(cause) || sqliteCode(cause) === IO_ERROR
      ? 'Make room on the disk, or name another folder with EDU_STATE_DIR.'
      : 'Check that you may read and write this file and its folder, or name another folder with EDU_STATE_DIR.',
    { cause },
  );
}

const held = (file: string, cause: unknown): StateError =>
  new StateError(
    `the offline data in ${file} is locked by another process`,
    file,
    'End the edu process that hangs, then run the command again.',
    { cause },
  );

/** The version of `libsql` whose JavaScript is in the bundle: package.json has the same. */
export const LIBSQL = 'libsql@0.5.29';

/** The command that puts `libsql` where this installation finds it. @param folder in which this program lies */
export function addLibsql(folder: string): string {
  const [project, inside] = folder.split(/[\\/]node_modules[\\/]/);
  if (project === undefined || inside === undefined) return 'npm ci';
  if (/[\\/]_npx[\\/]/.test(project)) return `npx --package edu-cli --package ${LIBSQL} edu`;
  // Beside the packages of a project lies its package.json; beside those that are global, nothing.
  return `npm install ${existsSync(join(project, 'package.json')) ? '' : '--global '}${LIBSQL}`;
}

/**
 * Node before 22.13 has no SQLite, and `libsql` can't be loaded.
 * @param folder in which this program lies
 */
export function noSqlite(cause: unknown, folder: string): StateError {
  const isMissing = typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === 'MODULE_NOT_FOUND';
  const why = isMissing ? '' : `, and libsql cannot be loaded: ${(cause as Error).message}`;
  return new StateError(
    `cannot start the bundled service: Node ${process.versions.node} has no SQLite${why}`,
    '',
    `Run \`${addLibsql(folder)}\`, or use Node 22.13 or later.`,
    { cause },
  );
}

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
