/**
 * Values in the state folder that can be looked up again: the caller's organization, and the default licence category of
 * each service.
 */
import { join } from 'node:path';
import { ORGANIZATION_TYPES, type OrganizationReference } from '../contract/shared.js';
import { type Check, isCount, isOneOf, isText, objectOf } from '../core/checks.js';
import { usageError } from '../core/errors.js';
import { ensureFolder } from '../core/fs/mkdir.js';
import { readTrustedFile, WRITABLE_BY_OTHERS } from '../core/fs/trusted-file.js';
import { replaceContent } from '../core/fs/write-file.js';
import type { Env, Machine } from '../core/io.js';
import { isObject, type JsonObject } from '../core/json.js';
import { checkStateFolder, stateFolder } from './folders.js';

const TRUST = { refuse: usageError, forbidden: WRITABLE_BY_OTHERS, maxBytes: 64 * 1024, mayBeLink: false };

/** The valid entries of a file; none if it does not exist, cannot be read, or others can write it. */
function readEntries<T>(env: Env, name: string, check: Check<T>): Readonly<Record<string, T>> {
  try {
    const document: unknown = JSON.parse(readTrustedFile(join(stateFolder(env), name), TRUST) ?? '{}');
    const entries = isObject(document) ? Object.entries(document) : [];
    return Object.fromEntries(entries.flatMap(([key, entry]) => (check(entry) ? [[key, entry]] : [])));
  } catch {
    return {};
  }
}

/** Replaces a file. */
function writeEntries(env: Env, name: string, entries: JsonObject): void {
  try {
    checkStateFolder(env);
    ensureFolder(stateFolder(env));
    replaceContent(join(stateFolder(env), name), `${JSON.stringify(entries)}\n`);
  } catch {
    // The values are looked up again.
  }
}

export interface Caller {
  readonly baseUrl: string;
  readonly token: string;
}

/** A user may be moved to another organization, so it is looked up again after a week. */
const MAX_AGE_MS = 7 * 24 * 3_600_000;
const MAX_ENTRIES = 50;
const ORGANIZATIONS = 'organizations.json';
const CATEGORIES = 'license-categories.json';

const isEntry = objectOf({
  id: (value): value is string => isText(value) && value !== '',
  type: isOneOf(ORGANIZATION_TYPES),
  /** Milliseconds since the epoch. */
  at: isCount,
});

/** The cached organization of the caller. @returns undefined if it is unknown or too old */
export async function rememberedOrganization(
  env: Env,
  caller: Caller,
  machine: Pick<Machine, 'now'>,
): Promise<OrganizationReference | undefined> {
  const entries = readEntries(env, ORGANIZATIONS, isEntry);
  // Hashing loads node:crypto, which takes 2 ms.
  if (Object.keys(entries).length === 0) return undefined;
  const found = entries[await keyOf(caller)];
  if (!found || machine.now() - found.at > MAX_AGE_MS || found.at > machine.now()) return undefined;
  return { id: found.id, type: found.type };
}

/** Stores the caller's organization. Ignores failures. */
export async function rememberOrganization(
  env: Env,
  caller: Caller,
  { id, type }: OrganizationReference,
  machine: Machine,
): Promise<void> {
  const key = await keyOf(caller);
  const { [key]: _, ...others } = readEntries(env, ORGANIZATIONS, isEntry);
  const recent = Object.entries(others)
    .sort(([, a], [, b]) => b.at - a.at)
    .slice(0, MAX_ENTRIES - 1);
  writeEntries(env, ORGANIZATIONS, { [key]: { id, type, at: machine.now() }, ...Object.fromEntries(recent) });
}

async function keyOf({ baseUrl, token }: Caller): Promise<string> {
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(`${baseUrl}\n${token}`).digest('hex').slice(0, 32);
}

/** @returns undefined if it is not known yet */
export const defaultCategory = (env: Env, baseUrl: string): string | undefined =>
  readEntries(env, CATEGORIES, isText)[baseUrl];

/** Ignores failures: updates then ask which category to set. */
export const storeDefaultCategory = (env: Env, baseUrl: string, category: string): void =>
  writeEntries(env, CATEGORIES, { ...readEntries(env, CATEGORIES, isText), [baseUrl]: category });
