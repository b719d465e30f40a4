/**
 * The default licence category of each service, as a create without a category returned it, stored in the state
 * folder.
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

/** The category that a service gives a licence without one; undefined when no create has shown it. */
export function defaultCategory(env: Env, baseUrl: string): string | undefined {
  const category = entries(env)[baseUrl];
  return typeof category === 'string' ? category : undefined;
}

/** Keeps a default category. Never fails: without it an update asks for a decision. */
export function keepDefaultCategory(env: Env, baseUrl: string, category: string, unique: string): void {
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
