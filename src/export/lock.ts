/**
 * Who writes an export's folder: one process at a time. The lock of a process that died is taken over. Knows processes
 * and files, not what is exported.
 */
import { readFileSync } from 'node:fs';
import { open, readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { EduError } from '../errors.js';

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the process started, in the system's own count; tells a process from a later one with its number. */
  readonly born: string | null;
  /** When the lock was taken, ISO 8601. */
  readonly since: string;
}

/** Linux says it; elsewhere the process number has to do. */
function birthOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything; the start is the 20th field behind it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

function isRunning({ pid, born }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs as somebody else.
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
  }
  return born === null || birthOf(pid) === born;
}

async function holderOf(path: string): Promise<Holder | undefined> {
  try {
    const holder = JSON.parse(await readFile(path, 'utf8')) as Partial<Holder>;
    if (typeof holder.pid !== 'number' || typeof holder.host !== 'string') return undefined;
    return { pid: holder.pid, host: holder.host, born: holder.born ?? null, since: holder.since ?? '' };
  } catch {
    return undefined;
  }
}

async function tryTake(path: string, holder: Holder): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(JSON.stringify(holder)).finally(() => file.close());
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

const held = (folder: string, path: string, holder: Holder | undefined): EduError => {
  const who =
    holder === undefined
      ? 'another process'
      : `process ${holder.pid} on ${holder.host}${holder.since === '' ? '' : ` since ${holder.since}`}`;
  return new EduError('usage', `${folder} is being written by another export: ${who}.`, {
    hint: `Wait for it, or export to another folder. If it no longer runs, remove ${path}`,
  });
};

/**
 * Takes the lock.
 * @param folder as messages name it
 * @param now milliseconds since the epoch
 * @returns what gives it back
 * @throws usage error that names the holder when another process has it
 */
export async function takeLock(folder: string, path: string, now: number): Promise<() => Promise<void>> {
  const mine: Holder = {
    pid: process.pid,
    host: hostname(),
    born: birthOf(process.pid),
    since: new Date(now).toISOString(),
  };
  for (let tries = 0; tries < 5; tries++) {
    if (await tryTake(path, mine)) return () => rm(path, { force: true });
    const holder = await holderOf(path);
    // On another machine it can't be told whether it runs; an unreadable lock is being written at this moment.
    if (holder !== undefined && (holder.host !== mine.host || isRunning(holder))) throw held(folder, path, holder);
    if (holder === undefined && tries < 4) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      continue;
    }
    // Dead. Only one process breaks a lock at a time, and only what it has looked at.
    const breaking = `${path}.break`;
    if (!(await tryTake(breaking, mine))) {
      const breaker = await holderOf(breaking);
      if (breaker !== undefined && breaker.host === mine.host && !isRunning(breaker))
        await rm(breaking, { force: true });
      continue;
    }
    try {
      const again = await holderOf(path);
      if (again?.pid === holder?.pid && again?.since === holder?.since) await rm(path, { force: true });
    } finally {
      await rm(breaking, { force: true });
    }
  }
  throw held(folder, path, await holderOf(path));
}
