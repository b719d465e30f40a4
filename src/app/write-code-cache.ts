/** Stores the code that V8 compiled in this run, for the next run with the same Node version. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { ensureFolder } from '../core/fs/mkdir.js';
import { replaceContent } from '../core/fs/write-file.js';
import { resetFlags } from '../core/v8-flags.js';
import type { Loaded } from './compiled.js';

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
    // Atomically, because V8 detects truncated files but not those that two processes wrote to.
    for (const [name, { script }] of loaded)
      replaceContent(join(folder, `${name}.bin`), script.createCachedData(), { mode: 0o644 });
  } catch {
    // The next run only starts slower.
  }
}
