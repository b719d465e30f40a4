/**
 * A lock between processes: one file beside the one that it guards. Work under it is synchronous and takes
 * milliseconds, so that a lock that is seconds old belongs to a process that died.
 */
import { closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { usageError } from '../core/errors.js';
import { codeOf, roomOr } from '../core/fs/disk-errors.js';
import { isRunning } from '../core/fs/lock-owner.js';

/** Time and chance, as they come in from outside. */
export interface Machine {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Resolves after so many milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Letters and digits that nobody can guess, different each time. */
  readonly unique: () => string;
}

/** From this age on a lock is left over, in milliseconds. */
const STALE = 10_000;
const PATIENCE = 3 * STALE;

/**
 * Does work while no other process holds the lock of this file.
 * @param work runs to its end without a pause
 * @throws a usage error when the folder can't be written, or the lock stays taken
 */
export async function withLock<T>(file: string, machine: Machine, work: () => T): Promise<T> {
  const lock = `${file}.lock`;
  const mine = `${process.pid} ${hostname()} ${machine.unique()}`;
  const start = machine.now();
  for (let tries = 0; !take(lock, mine); tries++) {
    if (machine.now() - start > PATIENCE) {
      throw usageError(`Another edu is writing ${file}`, `If none is running, remove the lock: rm '${lock}'`);
    }
    removeStale(lock, mine, machine.now());
    await machine.wait(Math.min(5 + 5 * tries, 50));
  }
  try {
    return work();
  } finally {
    if (contentOf(lock) === mine) rmSync(lock, { force: true });
  }
}

function take(lock: string, mine: string): boolean {
  let handle: number;
  try {
    handle = openSync(lock, 'wx', 0o600);
  } catch (error) {
    const code = codeOf(error);
    // Windows says EPERM while a removed file is still open somewhere.
    if (code === 'EEXIST' || (process.platform === 'win32' && code === 'EPERM')) return false;
    throw unwritableLock(lock, error);
  }
  try {
    writeFileSync(handle, mine);
  } catch (error) {
    rmSync(lock, { force: true });
    throw unwritableLock(lock, error);
  } finally {
    closeSync(handle);
  }
  return true;
}

const unwritableLock = (lock: string, error: unknown): Error =>
  usageError(
    `${lock} can't be made (${codeOf(error) ?? String(error)})`,
    roomOr(error, 'Make its folder writable, or set EDU_CONFIG_DIR to one that is.'),
  );

/** Removes the lock of a process that died. Only one process at a time removes, and only what it has looked at. */
function removeStale(lock: string, mine: string, now: number): void {
  const seen = contentOf(lock);
  if (seen === undefined || !isStale(lock, seen, now)) return;
  const breaking = `${lock}.break`;
  if (!take(breaking, mine)) {
    if (ageOf(breaking, now) > STALE) rmSync(breaking, { force: true });
    return;
  }
  try {
    if (contentOf(lock) === seen) rmSync(lock, { force: true });
  } finally {
    rmSync(breaking, { force: true });
  }
}

function isStale(lock: string, content: string, now: number): boolean {
  if (ageOf(lock, now) > STALE) return true;
  const [pid, host] = content.split(' ');
  return host === hostname() && pid !== undefined && /^\d+$/.test(pid) && !isRunning(Number(pid));
}

function contentOf(lock: string): string | undefined {
  try {
    return readFileSync(lock, 'utf8');
  } catch {
    return undefined;
  }
}

function ageOf(lock: string, now: number): number {
  const facts = statSync(lock, { throwIfNoEntry: false });
  return facts ? now - facts.mtimeMs : 0;
}
