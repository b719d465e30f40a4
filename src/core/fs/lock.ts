/**
 * One process at a time for something that takes long, a job or an export: a file that names its holder, kept as long as
 * the work goes on. A dead holder's lock is taken over. It knows nothing of the work. For locks that are held for
 * milliseconds see `settings/lock.ts`.
 */
import { rmSync, statSync, utimesSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type EduError, usageError } from '../errors.js';
import { makeLock, readHolder } from './lock-file.js';
import { type Holder, isDead, isNear, thisProcess } from './lock-owner.js';
import { removeLeftOvers } from './temporary.js';

/** A holder on another machine shows that it lives this often, in milliseconds, and is dead after so long. */
const HEARTBEAT = 5_000;
const DEAD_AFTER = 60_000;
/** A takeover takes no longer than this. */
const TAKEOVER = 10_000;
/** How often a lock is tried for that others are taking over, and between two tries, in milliseconds. */
const TRIES = 5;
const PAUSE = 50;

const ageOf = (file: string, now: number): number => {
  const facts = statSync(file, { throwIfNoEntry: false });
  return facts === undefined ? 0 : now - facts.mtimeMs;
};

/** Whether nobody needs the lock any more. A holder elsewhere shows by the file's time that it lives. */
function isOver(file: string, holder: Holder | undefined, now: number): boolean {
  // Being written right now, or not ours.
  if (holder === undefined) return ageOf(file, now) > TAKEOVER;
  return isNear(holder) ? isDead(holder) : ageOf(file, now) > DEAD_AFTER;
}

const inWords = ({ pid, host }: Holder): string => `process ${pid} on ${host}`;

/** Whoever holds a lock now; undefined when nobody does. */
export function holderOf(file: string, now: number): string | undefined {
  const holder = readHolder(file);
  if (holder === undefined || isOver(file, holder, now)) return undefined;
  return inWords(holder);
}

export interface RunLockOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Letters and digits that nobody can guess, different each time. */
  readonly unique: () => string;
  /** What another holder is told to do: `This job is being run`. */
  readonly what: string;
}

/** Removes the lock of a dead holder, and only what was looked at. @returns false when another process is doing it */
function breakLock(file: string, seen: Holder | undefined, mine: Holder): boolean {
  const breaking = `${file}.break`;
  if (!makeLock(breaking, mine)) return false;
  try {
    if (readHolder(file)?.unique === seen?.unique) rmSync(file, { force: true });
  } finally {
    rmSync(breaking, { force: true });
  }
  return true;
}

/**
 * Takes a lock.
 * @param file of the lock; what else has its name and a dot in front belongs to it
 * @returns what gives it back
 * @throws a usage error that names the holder; the system's error when it can't be made
 */
export async function takeLock(file: string, { now, unique, what }: RunLockOptions): Promise<() => void> {
  const mine = thisProcess(unique());
  const breaking = `${file}.break`;
  for (let tries = 1; ; tries++) {
    // Whoever took over last may have been killed over it.
    if (isOver(breaking, readHolder(breaking), now())) rmSync(breaking, { force: true });
    if (makeLock(file, mine)) break;
    const seen = readHolder(file);
    if (!isOver(file, seen, now()) || tries === TRIES) throw taken(file, seen, what);
    if (!breakLock(file, seen, mine)) await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  // What a holder that was killed had begun to write.
  removeLeftOvers(dirname(file), (name) => name.startsWith(`${basename(file)}.`));
  const beat = setInterval(() => {
    try {
      const time = new Date(now());
      utimesSync(file, time, time);
    } catch {
      // The folder is gone; nothing is left to guard.
    }
  }, HEARTBEAT);
  beat.unref();
  return () => {
    clearInterval(beat);
    if (readHolder(file)?.unique === mine.unique) rmSync(file, { force: true });
  };
}

function taken(file: string, holder: Holder | undefined, what: string): EduError {
  return usageError(
    `${what} by ${holder === undefined ? 'another edu' : inWords(holder)}.`,
    `Wait for it to end. If it does not run any more: rm '${file}'`,
  );
}
