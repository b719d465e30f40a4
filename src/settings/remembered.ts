/** Caches the caller's own organization in the state folder by a hash of the token. After failures, nothing is cached. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ORGANIZATION_TYPES, type OrganizationType } from '../contract/shared.js';
import { ensureFolder } from '../core/fs/mkdir.js';
import { processTag, removeAbandoned } from '../core/fs/temporary.js';
import type { Env } from '../core/io.js';
import type { Machine } from '../core/machine.js';
import { stateFolder } from './folders.js';
import { checkStateFolder } from './own-state.js';
import { readState } from './read-state.js';

export interface Remembered {
  readonly id: string;
  readonly type: OrganizationType;
}

export interface Caller {
  readonly baseUrl: string;
  readonly token: string;
}

/** A user may be moved to another organization, so it is looked up again after a week. */
const MAX_AGE_MS = 7 * 24 * 3_600_000;
const MAX_ENTRIES = 50;

type Entries = Readonly<Record<string, { readonly id: string; readonly type: OrganizationType; readonly at: number }>>;

const fileOf = (env: Env): string => join(stateFolder(env), 'organizations.json');

/** The cached organization of the caller. @returns undefined if it is unknown or too old */
export async function rememberedOrganization(
  env: Env,
  caller: Caller,
  machine: Pick<Machine, 'now'>,
): Promise<Remembered | undefined> {
  const entries = read(env);
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
  organization: Remembered | undefined,
  machine: Machine,
): Promise<void> {
  const file = fileOf(env);
  const temporary = `${file}.${processTag()}.${machine.unique()}`;
  try {
    const key = await keyOf(caller);
    const { [key]: before, ...others } = read(env);
    if (!organization && !before) return;
    const recent = Object.entries(others)
      .sort(([, a], [, b]) => b.at - a.at)
      .slice(0, MAX_ENTRIES - 1);
    const mine = organization ? { [key]: { id: organization.id, type: organization.type, at: machine.now() } } : {};
    checkStateFolder(env);
    ensureFolder(dirname(file));
    removeAbandoned(dirname(file), (name) => name.startsWith(`${basename(file)}.`));
    writeFileSync(temporary, `${JSON.stringify({ ...mine, ...Object.fromEntries(recent) })}\n`, {
      flag: 'wx',
      mode: 0o600,
    });
    renameSync(temporary, file);
  } catch {
    // If it cannot be stored, the next run looks it up again.
    try {
      rmSync(temporary, { force: true });
    } catch {
      // As above.
    }
  }
}

function read(env: Env): Entries {
  try {
    const document: unknown = JSON.parse(readState(fileOf(env)) ?? '{}');
    if (typeof document !== 'object' || document === null) return {};
    return Object.fromEntries(Object.entries(document).filter(([, entry]) => isEntry(entry)));
  } catch {
    return {};
  }
}

function isEntry(entry: unknown): entry is Entries[string] {
  if (typeof entry !== 'object' || entry === null) return false;
  const { id, type, at } = entry as Record<string, unknown>;
  return (
    typeof id === 'string' && id !== '' && typeof at === 'number' && ORGANIZATION_TYPES.some((known) => known === type)
  );
}

async function keyOf({ baseUrl, token }: Caller): Promise<string> {
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(`${baseUrl}\n${token}`).digest('hex').slice(0, 32);
}
