/**
 * One runner a job: a file that names its holder, kept as long as the job runs. A dead holder's lock is taken over. For
 * locks that are held for milliseconds see `settings/lock.ts`.
 */
import { rmSync, statSync, utimesSync } from 'node:fs';
import { dirname } from 'node:path';
import { usageError } from '../errors.js';
import { type Holder, isDead, isNear, thisProcess } from '../holder.js';
import { removeLeftOvers } from '../left-over.js';
import { makeLock, readHolder } from '../lock-file.js';

/** A holder on another machine shows that it lives this often, in milliseconds, and is dead after so long. */
const HEARTBEAT = 5_000;
const DEAD_AFTER = 60_000;
/** A takeover takes no longer than this. */
const TAKEOVER = 10_000;

const ageOf = (file: string, now: number): number => {
  const facts = statSync(file, { throwIfNoEntry: false });
  return facts === undefined ? 0 : now - facts.mtimeMs;
};

/** Whether nobody needs the lock any more. A holder elsewhere shows by the file's time that it lives. */
function isOver(file: string, holder: Holder | undefined, now: number): boolean {
  // Being written right now, or left half-written by a crash.
  if (holder === undefined) return ageOf(file, now) > TAKEOVER;
  return isNear(holder) ? isDead(holder) : ageOf(file, now) > DEAD_AFTER;
}

/** Whoever holds the lock of a job now; undefined when nobody does. */
export function holderOf(file: string, now: number): string | undefined {
  const holder = readHolder(file);
  if (holder === undefined || isOver(file, holder, now)) return undefined;
  return `process ${holder.pid} on ${holder.host}`;
}

/**
 * Takes the lock of a job.
 * @returns what gives it back
 * @throws a usage error that names the holder
 */
export function takeLock(file: string, now: () => number, unique: () => string): () => void {
  const mine = thisProcess(unique());
  const breaking = `${file}.break`;
  // Whoever took over last may have been killed over it.
  if (isOver(breaking, readHolder(breaking), now())) rmSync(breaking, { force: true });
  if (!makeLock(file, mine)) {
    const seen = readHolder(file);
    // Only one at a time takes over, and only what it has looked at.
    if (!isOver(file, seen, now()) || !makeLock(breaking, mine)) throw taken(file, seen);
    try {
      if (readHolder(file)?.unique !== seen?.unique) throw taken(file, readHolder(file));
      rmSync(file, { force: true });
      if (!makeLock(file, mine)) throw taken(file, readHolder(file));
    } finally {
      rmSync(breaking, { force: true });
    }
  }
  // What a runner that was killed had begun to write.
  removeLeftOvers(dirname(file), (name) => /^(lock|standing\.json)\./.test(name));
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

function taken(file: string, holder: Holder | undefined) {
  const who = holder === undefined ? 'another edu' : `process ${holder.pid} on ${holder.host}`;
  return usageError(
    `This job is being run by ${who}.`,
    `Wait for it to end. If it does not run any more: rm '${file}'`,
  );
}
