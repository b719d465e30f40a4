/** Creates a folder and its parents: Node's recursive mkdir never returns where a folder can't be made, as below /proc. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** @returns whether it was made, and not there already */
function makeOne(path: string, mode: number): boolean {
  try {
    mkdirSync(path, { mode });
    return true;
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(path)) throw error;
    return false;
  }
}

/**
 * @param mode of the new folders before the umask (default: owner only)
 * @returns the folders that were made, the innermost last
 * @throws the system's error where it can't be made, or something else stands there
 */
export function ensureFolder(path: string, mode = 0o700): readonly string[] {
  const wanted = resolve(path);
  const missing = [wanted];
  for (let at = dirname(wanted); !existsSync(at) && at !== dirname(at); at = dirname(at)) missing.push(at);
  return missing.reverse().filter((folder) => makeOne(folder, mode));
}
