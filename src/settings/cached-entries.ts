/** JSON files of the state folder with values that can be looked up again, so failures are ignored. */
import { join } from 'node:path';
import type { Check } from '../core/checks.js';
import { usageError } from '../core/errors.js';
import { ensureFolder } from '../core/fs/mkdir.js';
import { readTrustedFile, WRITABLE_BY_OTHERS } from '../core/fs/trusted-file.js';
import { replaceContent } from '../core/fs/write-file.js';
import type { Env } from '../core/io.js';
import { isObject, type JsonObject } from '../core/json.js';
import { stateFolder } from './folders.js';
import { checkStateFolder } from './own-state.js';

const TRUST = { refuse: usageError, forbidden: WRITABLE_BY_OTHERS, maxBytes: 64 * 1024, mayBeLink: false };

/** The valid entries of a file; none if it does not exist, cannot be read, or others can write it. */
export function readEntries<T>(env: Env, name: string, check: Check<T>): Readonly<Record<string, T>> {
  try {
    const document: unknown = JSON.parse(readTrustedFile(join(stateFolder(env), name), TRUST) ?? '{}');
    const entries = isObject(document) ? Object.entries(document) : [];
    return Object.fromEntries(entries.flatMap(([key, entry]) => (check(entry) ? [[key, entry]] : [])));
  } catch {
    return {};
  }
}

/** Replaces a file. */
export function writeEntries(env: Env, name: string, entries: JsonObject): void {
  try {
    checkStateFolder(env);
    ensureFolder(stateFolder(env));
    replaceContent(join(stateFolder(env), name), `${JSON.stringify(entries)}\n`);
  } catch {
    // The values are looked up again.
  }
}
