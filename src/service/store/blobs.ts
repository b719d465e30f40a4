/** Stores the bytes of files, one file each in a folder. A blob gets its final name when it is complete. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureFolder } from '../../core/fs/mkdir.js';
import { isAbandoned, processTag, type TemporaryFolder, temporaryFolder } from '../../core/fs/temporary.js';
import { replaceContent } from '../../core/fs/write-file.js';

export type Blobs = ReturnType<typeof blobsIn>;

const isName = /^[A-Za-z0-9_-]+$/;
const PARTIAL = '.part';

/** @param directory folder of the blobs; undefined for a store in memory, which uses a temporary folder */
export function blobsIn(directory: string | undefined) {
  let temporary: TemporaryFolder | undefined;
  let isCreated = false;
  const folder = (): string => {
    if (directory === undefined) {
      temporary ??= temporaryFolder('files');
      return temporary.path;
    }
    if (!isCreated) ensureFolder(directory);
    isCreated = true;
    return directory;
  };
  const path = (name: string): string => {
    if (!isName.test(name)) throw new Error(`"${name}" cannot be the name of a blob`);
    return join(folder(), name);
  };
  return {
    path,
    /** A temporary path in the same folder, to be filled and then renamed to `path(name)`, or removed. */
    partial: (name: string): string => `${path(name)}.${processTag()}${PARTIAL}`,
    put: (name: string, bytes: Uint8Array): void => replaceContent(path(name), bytes),
    remove: (name: string): void => rmSync(path(name), { force: true }),
    /** Returns true if a killed process left an upload unfinished. */
    hasAbandoned: (): boolean => readdirSync(folder()).some((name) => name.endsWith(PARTIAL) && isAbandoned(name)),
    /** Removes unfinished uploads of killed processes, and blobs not named. To be called inside a write of the store. */
    sweep(named: ReadonlySet<string>): void {
      for (const name of readdirSync(folder())) {
        const isKept = name.endsWith(PARTIAL) ? !isAbandoned(name) : named.has(name) || !isName.test(name);
        if (!isKept) rmSync(join(folder(), name), { force: true });
      }
    },
    /** Removes the temporary folder. */
    clear(): void {
      temporary?.remove();
      temporary = undefined;
    },
  };
}
