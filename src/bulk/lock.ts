/**
 * One runner a job: a file that names its holder, kept as long as the job runs. A dead holder's lock is taken over. For
 * locks that are held for milliseconds see `settings/lock.ts`.
 */
import { linkSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { usageError } from '../errors.js';

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the process began, by the system's own count: a number may be given to another process later. */
  readonly born: string | null;
  readonly unique: string;
}

/** A holder on another machine shows that it lives this often, in milliseconds, and is dead after so long. */
const HEARTBEAT = 5_000;
const DEAD_AFTER = 60_000;
/** A takeover takes no longer than this. */
const TAKEOVER = 10_000;

/** When a process of this machine began; null where the system does not say, and for one that has died. */
function bornOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Field 22; the name in parentheses may hold blanks (proc(5)).
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie is dead, although nobody has taken note of it: in containers often nobody does.
    return state === 'Z' || state === 'X' ? null : (fields[18] ?? null);
  } catch {
    return null;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

const ageOf = (file: string, now: number): number => {
  const facts = statSync(file, { throwIfNoEntry: false });
  return facts === undefined ? 0 : now - facts.mtimeMs;
};

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

function isDead(file: string, holder: Holder | undefined, now: number): boolean {
  // Being written right now, or left half-written by a crash.
  if (holder === undefined) return ageOf(file, now) > TAKEOVER;
  if (holder.host !== hostname()) return ageOf(file, now) > DEAD_AFTER;
  return !isRunning(holder.pid) || (holder.born !== null && holder.born !== bornOf(holder.pid));
}

/** Makes a file with its text at once: a kill in between must not leave a lock that does not say whose it is. */
function make(file: string, text: string, unique: string): boolean {
  const temporary = `${file}.${unique}`;
  try {
    writeFileSync(temporary, text, { flag: 'wx', mode: 0o600 });
    linkSync(temporary, file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Whoever holds the lock of a job now; undefined when nobody does. */
export function holderOf(file: string, now: number): string | undefined {
  const holder = readHolder(file);
  if (holder === undefined || isDead(file, holder, now)) return undefined;
  return `process ${holder.pid} on ${holder.host}`;
}

/**
 * Takes the lock of a job.
 * @returns what gives it back
 * @throws a usage error that names the holder
 */
export function takeLock(file: string, now: () => number, unique: () => string): () => void {
  const mine: Holder = { pid: process.pid, host: hostname(), born: bornOf(process.pid), unique: unique() };
  const text = JSON.stringify(mine);
  if (!make(file, text, mine.unique)) {
    const seen = readHolder(file);
    const breaking = `${file}.break`;
    // Whoever took over last may have been killed over it.
    if (isDead(breaking, readHolder(breaking), now())) rmSync(breaking, { force: true });
    // Only one at a time takes over, and only what it has looked at.
    if (!isDead(file, seen, now()) || !make(breaking, text, mine.unique)) throw taken(file, seen);
    try {
      if (readHolder(file)?.unique !== seen?.unique) throw taken(file, readHolder(file));
      rmSync(file, { force: true });
      if (!make(file, text, mine.unique)) throw taken(file, readHolder(file));
    } finally {
      rmSync(breaking, { force: true });
    }
  }
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
