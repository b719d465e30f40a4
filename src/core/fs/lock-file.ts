/**
 * Lock files that name their holder: made with their text at once, and read. What a lock guards, and how it is taken from
 * the dead, is not known here.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { takeFreePlace } from './atomic-rename.js';
import { codeOf } from './disk-errors.js';
import type { Holder } from './lock-owner.js';
import { readRegularFile } from './regular-file.js';
import { ownMark } from './temporary.js';

const MAX_LOCK_BYTES = 4096;

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';

function isHolder(value: unknown): value is Holder {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, host, space, born, unique } = value as Readonly<Record<string, unknown>>;
  // A number from 1 on: 0 and negative ones mean groups of processes.
  const isProcess = typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 0;
  return isProcess && typeof host === 'string' && typeof unique === 'string' && [space, born].every(isTextOrNull);
}

/** Whom a lock's file names; undefined when it is not there or does not say. */
export function readHolder(file: string): Holder | undefined {
  try {
    const holder: unknown = JSON.parse(readRegularFile(file, MAX_LOCK_BYTES));
    return isHolder(holder) ? holder : undefined;
  } catch {
    return undefined;
  }
}

/** A lock's name while its file is being made: it says whose it is before there is anything in the file. */
export const nameInMaking = (file: string, holder: Holder): string => `${file}.${ownMark()}.${holder.unique}.new`;

/**
 * Makes a lock's file with its text at once: a kill in between must not leave a lock that does not say whose it is.
 * @returns false when it is there already
 */
export function makeLock(file: string, holder: Holder): boolean {
  const aside = nameInMaking(file, holder);
  try {
    writeFileSync(aside, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
    takeFreePlace(aside, file);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}
