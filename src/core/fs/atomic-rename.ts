/**
 * Gives a file that is complete another name: that of another file, or one that nobody has. It knows nothing of what is in
 * them.
 */
import { closeSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { codeOf } from './disk-errors.js';

/** How it is done; the system's own ways if left out. */
export interface Renaming {
  readonly platform: NodeJS.Platform;
  readonly rename: (from: string, to: string) => void;
  /** Waits so many milliseconds. */
  readonly wait: (milliseconds: number) => void;
}

const SYSTEM: Renaming = {
  platform: process.platform,
  rename: renameSync,
  wait: (milliseconds) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds),
};

/** Milliseconds before each further try: half a second in all. */
const PAUSES = [5, 10, 20, 40, 80, 150, 200];

const HELD = new Set(['EPERM', 'EACCES', 'EBUSY']);

/**
 * Gives a file the name of another one. Windows refuses that for as long as somebody has either of them open, a virus
 * scanner for example, so there it is tried again for a moment.
 * @throws the system's error, on Windows once it has been the same for half a second
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

/**
 * Gives a file a name that must not have been taken: a rename would overwrite. Of several processes one succeeds.
 * @throws the system's error, `EEXIST` when the name is taken
 */
export function renameExclusive(from: string, to: string, link: (from: string, to: string) => void = linkSync): void {
  try {
    link(from, to);
    rmSync(from);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error;
    // Some file systems have no links (FAT). There the name is taken first, and is empty for a moment.
    closeSync(openSync(to, 'wx', 0o600));
    replaceFile(from, to);
  }
}
