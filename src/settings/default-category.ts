/**
 * Stores the default licence category of each service in the state folder. It is known from creates without a category.
 */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureFolder } from '../core/fs/mkdir.js';
import { processTag } from '../core/fs/temporary.js';
import type { Env } from '../core/io.js';
import { stateFolder } from './folders.js';
import { checkStateFolder } from './own-state.js';
import { readState } from './read-state.js';

const fileOf = (env: Env): string => join(stateFolder(env), 'license-categories.json');

function entries(env: Env): Readonly<Record<string, unknown>> {
  try {
    const document: unknown = JSON.parse(readState(fileOf(env)) ?? '{}');
    return typeof document === 'object' && document !== null ? { ...document } : {};
  } catch {
    return {};
  }
}

/** The default category of a service. @returns undefined if it is not known yet */
export function defaultCategory(env: Env, baseUrl: string): string | undefined {
  const category = entries(env)[baseUrl];
  return typeof category === 'string' ? category : undefined;
}

/** Stores a default category. Ignores failures: updates then ask which category to set. */
export function storeDefaultCategory(env: Env, baseUrl: string, category: string, unique: string): void {
  const file = fileOf(env);
  const temporary = `${file}.${processTag()}.${unique}`;
  try {
    checkStateFolder(env);
    ensureFolder(dirname(file));
    const text = `${JSON.stringify({ ...entries(env), [baseUrl]: category })}\n`;
    writeFileSync(temporary, text, { flag: 'wx', mode: 0o600 });
    renameSync(temporary, file);
  } catch {
    rmSync(temporary, { force: true });
  }
}
