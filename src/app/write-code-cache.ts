/**
 * Keeps the code that V8 compiled in this run, for the next run by the same Node (src/app/compiled.ts takes it). All of what
 * was loaded is kept anew when a part of it was new: with every kind of command, more of its functions are compiled.
 * Nothing that fails here is anybody's business: the next start takes a little longer.
 */
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { takePlace } from '../core/fs/atomic-rename.js';
import { makeFolder } from '../core/fs/mkdir.js';
import { ownMark, removeLeftOvers } from '../core/fs/temporary.js';
import { resetFlags } from '../core/v8-flags.js';
import type { Loaded } from './compiled.js';

/** Milliseconds after which what another version or another Node has left is removed: 60 days without a new chunk. */
const FORGOTTEN = 60 * 24 * 60 * 60 * 1000;

const FORM = /\.bin\.[\w-]+$/;

/**
 * Writes the compiled code of chunks.
 * @param folder of this version of the program and this Node: private, or not there yet
 * @param loaded chunks by name
 */
export function keepCompiled(folder: string, loaded: ReadonlyMap<string, Loaded>): void {
  try {
    const isNew = statSync(folder, { throwIfNoEntry: false }) === undefined;
    makeFolder(folder);
    // V8 notes its flags with the code, and takes it only where they are the same.
    resetFlags();
    removeLeftOvers(folder, (name) => FORM.test(name));
    for (const [name, { script }] of loaded) put(join(folder, `${name}.bin`), script.createCachedData());
    if (isNew) forgetOthers(folder);
  } catch {
    // A folder that can't be written, a full disk.
  }
}

/**
 * Writes a file that is there with all its bytes or not at all: V8 finds out whether it is cut off, not whether others
 * have written into it meanwhile. It is not synced, which could take a second: what a power failure leaves is cut off.
 */
function put(path: string, bytes: Uint8Array): void {
  const aside = `${path}.${ownMark()}`;
  try {
    writeFileSync(aside, bytes, { flag: 'wx', mode: 0o600 });
    takePlace(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}

/** Removes the folders of other versions and other Nodes that have not been added to for long. */
function forgetOthers(folder: string): void {
  const all = dirname(folder);
  for (const name of readdirSync(all)) {
    const other = join(all, name);
    if (other !== folder && Date.now() - statSync(other).mtimeMs > FORGOTTEN) rmSync(other, { recursive: true });
  }
}
