/**
 * Stores the code that V8 compiled in this run, for the next run with the same Node version. Ignores failures: the next
 * run only starts slower.
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
 * Writes the compiled code of all loaded chunks again, because each command compiles further functions. Writes nothing
 * if the program belongs to another user, not even as root.
 */
export function writeCodeCache(dist: string, folder: string, loaded: ReadonlyMap<string, Loaded>): void {
  try {
    const user = process.geteuid?.();
    if (user !== undefined && statSync(dist).uid !== user) return;
    // Readable for all users of the program, as its code is.
    ensureFolder(folder, 0o755);
    // V8 accepts compiled code only with the flags that it was stored with.
    resetFlags();
    removeAbandoned(folder, (name) => TEMPORARY.test(name));
    for (const [name, { script }] of loaded) replace(join(folder, `${name}.bin`), script.createCachedData());
  } catch {
    // Without stored code the next run only starts slower.
  }
}

/**
 * Writes a file atomically, because V8 detects truncated files but not those that two processes wrote to. It is not
 * synced, which could take a second: a power failure truncates the file, which V8 detects.
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
