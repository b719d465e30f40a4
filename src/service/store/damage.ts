/** What can be wrong with a state on disk, said so that the user knows the way out. It knows no SQL. */

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
    'Check that you may read and write this file and its folder, or name another folder with EDU_STATE_DIR.',
    { cause },
  );

const held = (file: string, cause: unknown): StateError =>
  new StateError(
    `the offline data in ${file} has been held by another process for too long`,
    file,
    'Look for an edu that hangs and end it, then run this again.',
    { cause },
  );

/** Node 20 has no SQLite of its own, and the optional package is not there. */
export const noSqlite = (cause: unknown): StateError =>
  new StateError(
    `the bundled service needs SQLite, which Node ${process.versions.node} does not have`,
    '',
    'Use Node 22.13 or later, or install the package `libsql` beside edu: npm install --global libsql',
    { cause },
  );

/** The primary SQLite result code of an error of either driver, 0 if it is none. */
export function sqliteCode(error: unknown): number {
  if (typeof error !== 'object' || error === null) return 0;
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode & 0xff;
  if ('rawCode' in error && typeof error.rawCode === 'number') return error.rawCode & 0xff;
  return 0;
}

const [BUSY, READ_ONLY, IO_ERROR, CORRUPT, FULL, CANT_OPEN, NOT_A_DATABASE] = [5, 8, 10, 11, 13, 14, 26];

/** Whether another process stood in the way, also when that has been said of the state already. */
export const isBusy = (error: unknown): boolean =>
  sqliteCode(error instanceof StateError ? error.cause : error) === BUSY;

/** Whether SQLite found that the file is not what it should be. */
const isDamage = (error: unknown): boolean =>
  [CORRUPT, NOT_A_DATABASE, IO_ERROR].includes(sqliteCode(error)) ||
  (error instanceof Error && /malformed|file is not a database/i.test(error.message));

/** What an error of SQLite says about the state; undefined when it says nothing about it. */
export function stateErrorOf(file: string, error: unknown): StateError | undefined {
  if (error instanceof StateError) return error;
  if (isDamage(error)) return damaged(file, error);
  if (isBusy(error)) return held(file, error);
  return [READ_ONLY, FULL, CANT_OPEN].includes(sqliteCode(error)) ? unreachableState(file, error) : undefined;
}
