/**
 * The bytes of stored files, one file each in a folder. Bytes are streamed, never held whole. A blob appears under its
 * name only when it is complete, and never changes afterwards.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Blobs {
  /** Path of the file that holds a blob's bytes. */
  path(name: string): string;
  /** A new path in the same folder, to be filled and then renamed to `path(name)`, or removed. */
  partial(name: string): string;
  /** Writes small bytes at once. */
  put(name: string, bytes: Uint8Array): void;
  /** Removes a blob if it is there. */
  remove(name: string): void;
  /** Removes all blobs, and the folder itself if it was only made for this store. */
  clear(): void;
}

const isName = /^[A-Za-z0-9_-]+$/;

/** @param directory where the blobs are kept; undefined for a store in memory, whose blobs go to a temporary folder */
export function blobsIn(directory: string | undefined): Blobs {
  let made: string | undefined;
  const folder = (): string => {
    if (made === undefined) {
      made = directory ?? mkdtempSync(join(tmpdir(), 'edu-files-'));
      mkdirSync(made, { recursive: true, mode: 0o700 });
    }
    return made;
  };
  const path = (name: string): string => {
    if (!isName.test(name)) throw new Error(`"${name}" can't be the name of a blob`);
    return join(folder(), name);
  };
  return {
    path,
    partial: (name) => `${path(name)}.part`,
    put: (name, bytes) => writeFileSync(path(name), bytes, { mode: 0o600 }),
    remove: (name) => rmSync(path(name), { force: true }),
    clear() {
      const known = made ?? directory;
      if (known !== undefined) rmSync(known, { recursive: true, force: true });
      made = undefined;
    },
  };
}
