/**
 * Who writes an export's folder: one process at a time. The lock of a process that died is taken over. Knows processes
 * and files, not what is exported.
 */
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { EduError } from '../errors.js';
import { type Holder, isDead, isNear, thisProcess } from '../holder.js';
import { removeLeftOvers } from '../left-over.js';
import { makeLock, readHolder } from '../lock-file.js';

interface Exporter extends Holder {
  /** When the lock was taken, ISO 8601. */
  readonly since: string;
}

function holderOf(path: string): Exporter | undefined {
  const holder = readHolder(path);
  if (holder === undefined) return undefined;
  try {
    const { since }: { readonly since?: unknown } = JSON.parse(readFileSync(path, 'utf8'));
    return { ...holder, since: typeof since === 'string' ? since : '' };
  } catch {
    // Given back between the two looks.
    return undefined;
  }
}

const held = (folder: string, path: string, holder: Exporter | undefined): EduError => {
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
 * @param unique letters and digits that nobody can guess
 * @returns what gives it back
 * @throws usage error that names the holder when another process has it; the system's error when it can't be made
 */
export async function takeLock(
  folder: string,
  path: string,
  now: number,
  unique: string,
): Promise<() => Promise<void>> {
  const mine: Exporter = { ...thisProcess(unique), since: new Date(now).toISOString() };
  const breaking = `${path}.break`;
  for (let tries = 0; tries < 5; tries++) {
    // Whoever broke one last may have been killed over it.
    const breaker = readHolder(breaking);
    if (breaker !== undefined && isNear(breaker) && isDead(breaker)) await rm(breaking, { force: true });
    if (makeLock(path, mine)) {
      removeLeftOvers(dirname(path), (name) => name.startsWith(`${basename(path)}.`));
      return () => rm(path, { force: true });
    }
    const holder = holderOf(path);
    // On another machine it can't be told whether it runs.
    if (holder !== undefined && !(isNear(holder) && isDead(holder))) throw held(folder, path, holder);
    // Dead, gone, or not ours. Only one process breaks a lock at a time, and only what it has looked at.
    if (!makeLock(breaking, mine)) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      continue;
    }
    try {
      if (holderOf(path)?.unique === holder?.unique) await rm(path, { force: true });
    } finally {
      await rm(breaking, { force: true });
    }
  }
  throw held(folder, path, holderOf(path));
}
