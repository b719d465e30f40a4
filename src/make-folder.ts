/**
 * Makes a folder and those above it, for nobody but the owner. Node's own way never ends where the system says that a
 * folder is not there and can't be made, as below /proc. It knows nothing of what is kept in it.
 */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(path)) throw error;
  }
}

/** @throws the system's error where it can't be made, or something else stands there */
export function makeFolder(path: string): void {
  const wanted = resolve(path);
  const missing: string[] = [];
  for (let at = dirname(wanted); !existsSync(at) && at !== dirname(at); at = dirname(at)) missing.push(at);
  for (const folder of missing.reverse()) makeOne(folder);
  makeOne(wanted);
}
