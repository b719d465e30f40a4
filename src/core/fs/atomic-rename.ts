/** Renames atomically, either replacing the target or failing if it exists. */
import { closeSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { codeOf } from './disk-errors.js';

/** The system calls, which tests replace. */
export interface Renaming {
  readonly platform: NodeJS.Platform;
  readonly rename: (from: string, to: string) => void;
  readonly wait: (milliseconds: number) => void;
}

const SYSTEM: Renaming = {
  platform: process.platform,
  rename: renameSync,
  wait: (milliseconds) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds),
};

/** Milliseconds before each retry; half a second in total. */
const PAUSES = [5, 10, 20, 40, 80, 150, 200];

const HELD = new Set(['EPERM', 'EACCES', 'EBUSY']);

/**
 * Renames a file, replacing the target. Retries on Windows, where this fails while another program, such as a virus
 * scanner, has one of the files open.
 * @throws the system's error, on Windows after half a second
 */
export function replaceFile(from: string, to: string, { platform, rename, wait }: Renaming = SYSTEM): void {
  const pauses = platform === 'win32' ? PAUSES : [];
  for (const pause of pauses) {
    try {
      rename(from, to);
      return;
    } catch (error) {
      if (!HELD.has(codeOf(error) ?? '')) throw error;
      wait(pause);
    }
  }
  rename(from, to);
}

/** Renames a file unless the target exists, so that one of several processes succeeds. @throws the system's error, `EEXIST` */
export function renameExclusive(from: string, to: string, link: (from: string, to: string) => void = linkSync): void {
  try {
    link(from, to);
    rmSync(from);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error;
    // FAT has no links, so an empty target is created first and then replaced.
    closeSync(openSync(to, 'wx', 0o600));
    try {
      replaceFile(from, to);
    } catch (failure) {
      // The empty file would make all later attempts fail.
      rmSync(to, { force: true });
      throw failure;
    }
  }
}
