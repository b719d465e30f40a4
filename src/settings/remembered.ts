/** Caches the caller's own organization in the state folder by a hash of the token. */
import { ORGANIZATION_TYPES, type OrganizationReference } from '../contract/shared.js';
import { isCount, isOneOf, isText, objectOf } from '../core/checks.js';
import type { Env } from '../core/io.js';
import type { Machine } from '../core/machine.js';
import { readEntries, writeEntries } from './cached-entries.js';

export interface Caller {
  readonly baseUrl: string;
  readonly token: string;
}

/** A user may be moved to another organization, so it is looked up again after a week. */
const MAX_AGE_MS = 7 * 24 * 3_600_000;
const MAX_ENTRIES = 50;
const FILE = 'organizations.json';

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
  const entries = readEntries(env, FILE, isEntry);
  // Hashing loads node:crypto, which takes 2 ms.
  if (Object.keys(entries).length === 0) return undefined;
  const found = entries[await keyOf(caller)];
  if (!found || machine.now() - found.at > MAX_AGE_MS || found.at > machine.now()) return undefined;
  return { id: found.id, type: found.type };
}

/** Stores the caller's organization, or removes it if `organization` is undefined. Ignores failures. */
export async function rememberOrganization(
  env: Env,
  caller: Caller,
  organization: OrganizationReference | undefined,
  machine: Machine,
): Promise<void> {
  const key = await keyOf(caller);
  const { [key]: before, ...others } = readEntries(env, FILE, isEntry);
  if (!organization && !before) return;
  const recent = Object.entries(others)
    .sort(([, a], [, b]) => b.at - a.at)
    .slice(0, MAX_ENTRIES - 1);
  const mine = organization ? { [key]: { id: organization.id, type: organization.type, at: machine.now() } } : {};
  writeEntries(env, FILE, { ...mine, ...Object.fromEntries(recent) });
}

async function keyOf({ baseUrl, token }: Caller): Promise<string> {
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(`${baseUrl}\n${token}`).digest('hex').slice(0, 32);
}
