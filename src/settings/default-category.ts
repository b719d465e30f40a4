/** The default licence category of each service, known from creates without a category. */
import { isText } from '../core/checks.js';
import type { Env } from '../core/io.js';
import { readEntries, writeEntries } from './cached-entries.js';

const FILE = 'license-categories.json';

/** @returns undefined if it is not known yet */
export const defaultCategory = (env: Env, baseUrl: string): string | undefined =>
  readEntries(env, FILE, isText)[baseUrl];

/** Ignores failures: updates then ask which category to set. */
export const storeDefaultCategory = (env: Env, baseUrl: string, category: string): void =>
  writeEntries(env, FILE, { ...readEntries(env, FILE, isText), [baseUrl]: category });
