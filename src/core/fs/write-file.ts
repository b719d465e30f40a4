/** Writes files through a temporary file beside them, which is renamed atomically when it is complete. */
import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from './disk-errors.js';
import { processTag, removeAbandoned } from './temporary.js';

/** The system calls, which tests replace. */
interface Renaming {
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

/** Mode of files that may hold personal data. */
export const PRIVATE_MODE = 0o600;

export interface WriteOptions {
  /** Mode of the file, whatever the umask (default: 0600). */
  readonly mode?: number;
  /** Write to disk before renaming, so that a power failure cannot truncate the file. */
  readonly flush?: boolean;
  /** Fail with `EEXIST` if the file exists, instead of replacing it. */
  readonly exclusive?: boolean;
}

/** Writes all bytes to an open file, because a single write may be partial. @throws the system's error */
export function writeAll(handle: number, content: string | Uint8Array): void {
  let rest = typeof content === 'string' ? Buffer.from(content) : content;
  while (rest.length > 0) rest = rest.subarray(writeSync(handle, rest));
}

let made = 0;

/**
 * Creates a temporary file for a target in the same folder, and removes those of killed processes there.
 * @throws the system's error, as `commit` does; the target is then unchanged
 */
export function temporaryFor(target: string, { mode = PRIVATE_MODE, flush, exclusive }: WriteOptions = {}) {
  const folder = dirname(target);
  removeAbandoned(folder, (name) => name.startsWith('.edu-') && name.endsWith('.part'));
  const path = join(folder, `.edu-${processTag()}.${++made}.part`);
  const handle = openSync(path, 'wx', mode);
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(handle);
    isOpen = false;
  };
  const drop = (): void => {
    close();
    rmSync(path, { force: true });
  };
  return {
    handle,
    /** Renames the file to its target. It is removed if that fails. */
    commit(): void {
      try {
        // The umask may have removed bits of the mode.
        if (process.platform !== 'win32') fchmodSync(handle, mode);
        if (flush) fsyncSync(handle);
        close();
        if (exclusive) renameExclusive(path, target);
        else replaceFile(path, target);
      } catch (error) {
        drop();
        throw error;
      }
    },
    /** Removes the file. */
    drop,
  };
}

/** Replaces the content of a file atomically; a link is replaced, not followed. @throws like `temporaryFor` */
export function replaceContent(file: string, content: string | Uint8Array, options?: WriteOptions): void {
  const temporary = temporaryFor(file, options);
  try {
    writeAll(temporary.handle, content);
  } catch (error) {
    temporary.drop();
    throw error;
  }
  temporary.commit();
}

/**
 * Creates a private file for writing, safely even in folders that other users can write to. An existing file or link is
 * replaced, not followed.
 * @throws the system's error
 */
export async function openNew(path: string): Promise<FileHandle> {
  await unlink(path).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
  });
  return open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, PRIVATE_MODE);
}
