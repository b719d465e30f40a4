/** JSON files of the state folder with values that can be looked up again, so failures are ignored. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { usageError } from '../core/errors.js';
import { ensureFolder } from '../core/fs/mkdir.js';
import { processTag, removeAbandoned } from '../core/fs/temporary.js';
import { readTrustedFile, WRITABLE_BY_OTHERS } from '../core/fs/trusted-file.js';
import type { Env } from '../core/io.js';
import { isObject, type JsonObject } from '../core/json.js';
import { stateFolder } from './folders.js';
import { checkStateFolder } from './own-state.js';

const TRUST = { refuse: usageError, forbidden: WRITABLE_BY_OTHERS, maxBytes: 64 * 1024, mayBeLink: false };

/** The entries of a file; none if it does not exist, cannot be read, or others can write it. */
export function readEntries(env: Env, name: string): JsonObject {
  try {
    const document: unknown = JSON.parse(readTrustedFile(join(stateFolder(env), name), TRUST) ?? '{}');
    return isObject(document) ? document : {};
  } catch {
    return {};
  }
}

/** Replaces a file atomically. @param unique part of the temporary file's name */
export function writeEntries(env: Env, name: string, entries: JsonObject, unique: string): void {
  const file = join(stateFolder(env), name);
  const temporary = `${file}.${processTag()}.${unique}`;
  try {
    checkStateFolder(env);
    ensureFolder(dirname(file));
    removeAbandoned(dirname(file), (other) => other.startsWith(`${basename(file)}.`));
    writeFileSync(temporary, `${JSON.stringify(entries)}\n`, { flag: 'wx', mode: 0o600 });
    renameSync(temporary, file);
  } catch {
    try {
      rmSync(temporary, { force: true });
    } catch {
      // The folder cannot be used.
    }
  }
}
