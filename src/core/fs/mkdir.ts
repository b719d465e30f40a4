/** Creates a folder and its parents, because Node's recursive mkdir hangs where that is impossible, as below /proc. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** @returns whether it was created, instead of existing before */
function makeOne(path: string, mode: number): boolean {
  try {
    mkdirSync(path, { mode });
    return true;
  } catch (error) {
    // Another process may have created it meanwhile.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
    return false;
  }
}

/**
 * @param mode mode of new folders before the umask (default: owner only)
 * @returns the folders that were created, the innermost last
 * @throws the system's error if a folder cannot be created, or another kind of file exists
 */
export function ensureFolder(path: string, mode = 0o700): readonly string[] {
  const wanted = resolve(path);
  const missing = [wanted];
  for (let at = dirname(wanted); !existsSync(at) && at !== dirname(at); at = dirname(at)) missing.push(at);
  return missing.reverse().filter((folder) => makeOne(folder, mode));
}
