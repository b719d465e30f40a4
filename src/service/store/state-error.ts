/** Errors of the state on disk, each with a hint, and the wait for a state that another process has locked. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, describeErrno, isFull } from '../../core/fs/disk-errors.js';
import { shellLine } from '../../core/shell.js';

/** The state cannot be used. The message names the file, the hint what to do. */
export class StateError extends Error {
  override readonly name = 'StateError';
  readonly hint: string;
  /** `edu offline reset` may replace the file. */
  readonly replaceable: boolean;
  constructor(message: string, hint: string, facts: { cause?: unknown; replaceable?: true } = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.hint = hint;
    this.replaceable = facts.replaceable ?? false;
  }
  /** Returns true if another process has locked the state, so that the next attempt may succeed. */
  get isLocked(): boolean {
    return isBusy(this.cause) || hasNoLocks(this.cause);
  }
}

const RESET = 'Run `edu offline reset` to replace the offline data with the sample data.';

export const damaged = (file: string, cause: unknown): StateError =>
  new StateError(`the offline data in ${file} is damaged: ${(cause as Error).message}`, RESET, {
    cause,
    replaceable: true,
  });

export const foreign = (file: string): StateError =>
  new StateError(`${file} is a database, but not one with offline data of edu`, RESET, { replaceable: true });

export const otherVersion = (file: string, found: number, expected: number): StateError =>
  new StateError(
    `the offline data in ${file} has version ${found}, and this edu reads version ${expected}`,
    found > expected ? `Use the newer edu that wrote it. Or: ${RESET}` : RESET,
    { replaceable: true },
  );

export const unreachableState = (file: string, cause: unknown): StateError =>
  new StateError(
    `the offline data in ${file} cannot be used: ${describeErrno(cause)}`,
    isFull(cause) || [FULL, IO_ERROR].includes(sqliteCode(cause))
      ? 'Make room on the disk, or name another folder with EDU_STATE_DIR.'
      : 'Check that you may read and write this file and its folder, or name another folder with EDU_STATE_DIR.',
    { cause },
  );

const locked = (file: string, cause: unknown): StateError =>
  new StateError(
    `the offline data in ${file} is locked by another process, or lies on a file system without locks`,
    'End the edu process that hangs, or name a local folder with EDU_STATE_DIR. It is safe to run the command again.',
    { cause },
  );

const unlockable = (file: string, cause: unknown): StateError =>
  new StateError(
    `the offline data in ${file} cannot be locked: the locks of its file system fail (${(cause as Error).message})`,
    'Name a folder on a local disk with EDU_STATE_DIR.',
    { cause },
  );

/** The version whose JavaScript is bundled; the same as in package.json. */
export const LIBSQL = 'libsql@0.5.29';

/** The command that installs `libsql` for this installation. @param folder of this program */
export function addLibsql(folder: string): string {
  const [project, inside] = folder.split(/[\\/]node_modules[\\/]/);
  if (project === undefined || inside === undefined) return 'npm ci';
  // A project has a package.json next to node_modules; the folder of global packages has none.
  return shellLine('npm', 'install', ...(existsSync(join(project, 'package.json')) ? [] : ['--global']), LIBSQL);
}

/** The error when `libsql` cannot be loaded on Node before 22.13. @param folder of this program */
export function noSqlite(cause: unknown, folder: string): StateError {
  const why = codeOf(cause) === 'MODULE_NOT_FOUND' ? '' : `, and libsql cannot be loaded: ${(cause as Error).message}`;
  return new StateError(
    `cannot start the bundled service: Node ${process.versions.node} has no SQLite${why}`,
    `Run \`${addLibsql(folder)}\`, or use Node 22.13 or later.`,
    { cause },
  );
}

/** The extended SQLite result code of any driver's error (the primary one if there is no other); 0 for other errors. */
function extendedCode(error: unknown): number {
  const { errcode, rawCode } = (error ?? {}) as { readonly errcode?: unknown; readonly rawCode?: unknown };
  const code = errcode ?? rawCode;
  return typeof code === 'number' ? code : 0;
}

/** The primary SQLite result code of any driver's error; 0 for other errors. */
const sqliteCode = (error: unknown): number => extendedCode(error) & 0xff;

const BUSY = 5;
const READ_ONLY = 8;
const IO_ERROR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANT_OPEN = 14;
const PROTOCOL = 15;
const NOT_A_DATABASE = 26;

/** SQLITE_IOERR_UNLOCK, _RDLOCK, _CHECKRESERVEDLOCK, _LOCK and _SHMLOCK. */
const LOCK_ERRORS = [2058, 2314, 3594, 3850, 5130];

/** Returns true if another process has locked the database, also for the StateError that reports it. */
export const isBusy = (error: unknown): boolean =>
  error instanceof StateError ? isBusy(error.cause) : sqliteCode(error) === BUSY;

/** Returns true if the file system failed to lock the database, so that no wait helps. */
export const hasNoLocks = (error: unknown): boolean =>
  error instanceof StateError
    ? hasNoLocks(error.cause)
    : sqliteCode(error) === PROTOCOL || LOCK_ERRORS.includes(extendedCode(error));

/** A record that no edu wrote. */
export class DamagedRecord extends Error {
  override readonly name = 'DamagedRecord';
}

/** The input/output errors that mean a damaged file; the others mean a failing disk. */
const IO_ERROR_READ = 266;
const IO_ERROR_SHORT_READ = 522;
const IO_ERROR_CORRUPT = 8458;

const isDamage = (error: unknown): boolean =>
  error instanceof DamagedRecord ||
  [CORRUPT, NOT_A_DATABASE].includes(sqliteCode(error)) ||
  [IO_ERROR_READ, IO_ERROR_SHORT_READ, IO_ERROR_CORRUPT].includes(extendedCode(error)) ||
  (error instanceof Error && /malformed|file is not a database|unsupported file format/i.test(error.message));

/** The StateError for an error of SQLite or of a full disk; undefined for other errors. */
export function stateErrorOf(file: string, error: unknown): StateError | undefined {
  if (error instanceof StateError) return error;
  if (isDamage(error)) return damaged(file, error);
  if (isBusy(error)) return locked(file, error);
  if (hasNoLocks(error)) return unlockable(file, error);
  const isUnreachable = isFull(error) || [READ_ONLY, IO_ERROR, FULL, CANT_OPEN].includes(sqliteCode(error));
  return isUnreachable ? unreachableState(file, error) : undefined;
}

/**
 * Other processes hold the lock for milliseconds, and a reset for seconds. Shorter than the default timeout of a
 * request, so that the error names the lock.
 */
const MAX_WAIT_MS = 20_000;
const PAUSE_MS = 20;
/** Time without a lock after which the wait is reported. */
const REPORT_AFTER_MS = 1_000;

/**
 * Runs work, and again while the state is locked.
 * @param work must change nothing when it fails
 * @throws StateError if the state is still locked after the maximum wait; the signal's reason if it is aborted
 */
export type WhenFree = <T>(work: () => T, signal?: AbortSignal) => Promise<T>;

/**
 * After a wait without success, later work is tried once until it succeeds, so that a list does not wait for each request.
 * @param onWait called once for each wait of more than a second
 */
export function createWhenFree(onWait?: () => void): WhenFree {
  let maxWaitMs = MAX_WAIT_MS;
  let noLocks: unknown;
  return async (work, signal) => {
    const start = performance.now();
    const end = start + maxWaitMs;
    let isReported = false;
    for (;;) {
      // SQLite takes ten seconds, on this thread, to find that the locks of its log fail.
      if (noLocks !== undefined) throw noLocks;
      try {
        const result = work();
        maxWaitMs = MAX_WAIT_MS;
        return result;
      } catch (error) {
        if (hasNoLocks(error)) noLocks = error;
        if (!isBusy(error)) throw error;
        if (performance.now() >= end) {
          maxWaitMs = 0;
          throw error;
        }
      }
      if (!isReported && performance.now() - start >= REPORT_AFTER_MS) {
        isReported = true;
        onWait?.();
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      signal?.throwIfAborted();
    }
  };
}
