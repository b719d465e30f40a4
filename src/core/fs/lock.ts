/** Locks between processes: a file that names its owner, and is taken over once the owner has exited. */
import { lstatSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type Checked, isText, objectOf } from '../checks.js';
import { type EduError, usageError } from '../errors.js';
import type { Machine } from '../io.js';
import { shellLine } from '../shell.js';
import { cannotWrite, codeOf, onFile } from './disk-errors.js';
import { readJsonFile } from './regular-file.js';
import { isAbandoned, isFromElsewhere, processTag, removeAbandoned } from './temporary.js';
import { renameExclusive } from './write-file.js';

/** Interval at which an owner updates the modification time of its lock. */
const HEARTBEAT_MS = 5_000;
/** The lock of an owner on another machine, or of an unreadable one, is abandoned if it is older than this … */
const MAX_AGE_MS = 60_000;
const MAX_UNREADABLE_AGE_MS = 10_000;
/** … and does not change for this long, because the clocks of machines may differ. */
const WATCH_MS = 2 * HEARTBEAT_MS + 1_000;
/** Max wait for a lock that is held only for milliseconds. */
const MAX_SHORT_WAIT_MS = 30_000;
const MAX_PAUSE_MS = 50;
/** Max time that another process may take to remove an abandoned lock. */
const TAKEOVER_MS = 1_000;

const MAX_LOCK_BYTES = 4096;

const isLockOwner = objectOf({
  /** Its tag, as in the names of temporary files. */
  process: isText,
  host: isText,
  /** Different for every process and lock. */
  unique: isText,
});
/** The content of a lock file. */
export type LockOwner = Checked<typeof isLockOwner>;

/** This process as an owner. @param unique letters and digits that are unique to the lock */
const thisProcess = (unique: string): LockOwner => ({
  process: processTag(),
  host: process.getBuiltinModule('node:os').hostname(),
  unique,
});

/** The owner in a lock file; undefined if there is no valid file. */
export const readOwner = (file: string): LockOwner | undefined => readJsonFile(file, MAX_LOCK_BYTES, isLockOwner);

/** Creates a lock file together with its content, so that every lock has an owner. @returns false if it already exists */
function createLock(file: string, owner: LockOwner): boolean {
  const temporary = `${file}.${processTag()}.${owner.unique}.new`;
  try {
    onFile(file, () => writeFileSync(temporary, JSON.stringify(owner), { flag: 'wx', mode: 0o600 }));
    renameExclusive(temporary, file);
    return true;
  } catch (error) {
    const code = codeOf(error);
    // Windows returns EPERM while a removed file is still open somewhere.
    if (code === 'EEXIST' || (process.platform === 'win32' && code === 'EPERM')) return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

type Seen = NonNullable<ReturnType<typeof look>>;

function look(file: string) {
  const owner = readOwner(file);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats && { owner, modifiedMs: stats.mtimeMs };
}

/** True if a lock of a non-local owner looks abandoned by this machine's clock. */
const isOld = ({ owner, modifiedMs }: Seen, now: number): boolean =>
  now - modifiedMs > (owner === undefined ? MAX_UNREADABLE_AGE_MS : MAX_AGE_MS);

/** True if this process can check if the owner still runs. */
const isLocal = ({ owner }: Seen): boolean => owner !== undefined && !isFromElsewhere(owner.process);

const hasExited = ({ owner }: Seen): boolean => owner !== undefined && isAbandoned(owner.process);

const isOwnerGone = (seen: Seen, now: number): boolean => (isLocal(seen) ? hasExited(seen) : isOld(seen, now));

const inWords = (owner: LockOwner): string => `process ${owner.process.split('-')[0]} on ${owner.host}`;

/** The owner of a lock, such as `process 17 on host`; undefined if it is free. @param now milliseconds since the epoch */
export function lockOwner(file: string, now: number): string | undefined {
  const seen = look(file);
  return seen?.owner === undefined || isOwnerGone(seen, now) ? undefined : inWords(seen.owner);
}

/** Removes an abandoned lock, unless its owner has changed. @returns false if another process is removing it */
export function removeLock(file: string, seen: Pick<Seen, 'owner'>, mine: LockOwner): boolean {
  const removal = `${file}.break`;
  if (!createLock(removal, mine)) return false;
  try {
    if (readOwner(file)?.unique === seen.owner?.unique) rmSync(file, { force: true });
  } finally {
    rmSync(removal, { force: true });
  }
  return true;
}

function taken(file: string, { owner }: Seen, what: string): EduError {
  return usageError(
    `${what} by ${owner === undefined ? 'another edu' : inWords(owner)}.`,
    `Wait for it to end. If that process no longer exists: ${shellLine('rm', file)}`,
  );
}

/**
 * Waits until the lock is acquired.
 * @param maxWaitMs max wait for a running owner
 * @throws a usage error naming the owner; the system's error if the lock cannot be created
 */
async function acquire(
  file: string,
  mine: LockOwner,
  machine: Machine,
  what: string,
  maxWaitMs: number,
): Promise<void> {
  let last: Seen | undefined;
  let waitedMs = 0;
  let unchangedMs = 0;
  let takeoverMs = 0;
  for (let tries = 1; ; tries++) {
    // A process may have been killed while it removed a lock.
    const removal = look(`${file}.break`);
    if (removal !== undefined && isOwnerGone(removal, machine.now())) rmSync(`${file}.break`, { force: true });
    if (createLock(file, mine)) return;
    const seen = look(file);
    if (seen === undefined) continue;
    const isSame = last?.owner?.unique === seen.owner?.unique && last?.modifiedMs === seen.modifiedMs;
    if (!isSame) unchangedMs = 0;
    last = seen;
    const isOver = isLocal(seen) ? hasExited(seen) : unchangedMs >= WATCH_MS;
    if (isOver && removeLock(file, seen, mine)) continue;
    const minWaitMs = isOver ? TAKEOVER_MS : !isLocal(seen) && isOld(seen, machine.now()) ? WATCH_MS : 0;
    if ((isOver ? takeoverMs : waitedMs) >= Math.max(minWaitMs, maxWaitMs)) throw taken(file, seen, what);
    const pause = Math.min(5 * tries, MAX_PAUSE_MS);
    await machine.wait(pause);
    waitedMs += pause;
    unchangedMs += pause;
    if (isOver) takeoverMs += pause;
  }
}

/**
 * Takes a lock for long work: a job, an export.
 * @param file the lock file; files whose names begin with its name and a dot belong to it
 * @param what the beginning of the error: `This job is being run`
 * @returns a function that releases the lock
 * @throws a usage error naming the owner; the system's error if the lock cannot be created
 */
export async function takeLock(file: string, machine: Machine, what: string): Promise<() => void> {
  const mine = thisProcess(machine.unique());
  await acquire(file, mine, machine, what, 0);
  removeAbandoned(dirname(file), (name) => name.startsWith(`${basename(file)}.`));
  const heartbeat = setInterval(() => {
    try {
      const time = new Date(machine.now());
      utimesSync(file, time, time);
    } catch {
      // The folder was removed, and the lock with it.
    }
  }, HEARTBEAT_MS);
  heartbeat.unref();
  return () => {
    clearInterval(heartbeat);
    release(file, mine);
  };
}

function release(file: string, mine: LockOwner): void {
  if (readOwner(file)?.unique === mine.unique) rmSync(file, { force: true });
}

/**
 * Runs short work on a file while no other process does.
 * @throws a usage error if the lock cannot be created, or is not released within half a minute
 */
export async function withLock<T>(file: string, machine: Machine, work: () => T | Promise<T>): Promise<T> {
  const lock = `${file}.lock`;
  const mine = thisProcess(machine.unique());
  try {
    await acquire(lock, mine, machine, `${file} is being written`, MAX_SHORT_WAIT_MS);
  } catch (error) {
    throw cannotWrite(lock, error);
  }
  try {
    return await work();
  } finally {
    release(lock, mine);
  }
}
