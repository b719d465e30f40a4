/**
 * Writes the code that V8 compiled in this run, for the next run of the same Node. Failures only make that start
 * slower.
 */
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../core/fs/atomic-rename.js';
import { ensureFolder } from '../core/fs/mkdir.js';
import { processTag, removeAbandoned } from '../core/fs/temporary.js';
import { resetFlags } from '../core/v8-flags.js';
import type { Loaded } from './compiled.js';

const TEMPORARY = /\.bin\.[\w-]+$/;

/**
 * Writes the compiled code of all chunks that were loaded: with every kind of command, more of their functions are
 * compiled. Nothing is written if the program belongs to another user, not even by root.
 * @param dist folder of the bundle
 * @param folder of this Node's compiled code, in it
 * @param loaded chunks by name
 */
export function writeCodeCache(dist: string, folder: string, loaded: ReadonlyMap<string, Loaded>): void {
  try {
    const user = process.geteuid?.();
    if (user !== undefined && statSync(dist).uid !== user) return;
    // Readable for all users of the program, as its code is.
    ensureFolder(folder, 0o755);
    // V8 notes its flags with the code, and takes it only where they are the same.
    resetFlags();
    removeAbandoned(folder, (name) => TEMPORARY.test(name));
    for (const [name, { script }] of loaded) replace(join(folder, `${name}.bin`), script.createCachedData());
  } catch {
    // A folder that can't be written, a full disk.
  }
}

/**
 * Writes a file that is there with all its bytes or not at all: V8 notices a file that is cut off, not one that two
 * processes have written into. It is not synced, which could take a second: what a power failure leaves is cut off.
 */
function replace(path: string, bytes: Uint8Array): void {
  const temporary = `${path}.${processTag()}`;
  try {
    writeFileSync(temporary, bytes, { flag: 'wx', mode: 0o644 });
    replaceFile(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
