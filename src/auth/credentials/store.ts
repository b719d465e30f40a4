/** Changes the credentials file under a lock, so that two logins at the same time are both kept. */
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { usageError } from '../../core/errors.js';
import { codeOf, diskFullHint } from '../../core/fs/disk-errors.js';
import { withLock } from '../../core/fs/lock.js';
import { makePrivateFolder, writePrivate } from '../../core/fs/private-file.js';
import type { Env } from '../../core/io.js';
import type { Machine } from '../../core/machine.js';
import { originOf } from '../../settings/base-url.js';
import { type Credential, type Credentials, credentialsFile, readCredentials } from './credentials.js';

/** More than a login adds to the file, in bytes. */
const ROOM = 4096;

/** Values to keep; `undefined` takes one away. */
export type CredentialChange = { readonly [K in keyof Credential]?: Credential[K] | undefined };

/**
 * Checks that credentials can be stored, before a login starts.
 * @throws an error that names the file and the way out
 */
export function checkCanKeep(env: Env, machine: Machine): void {
  const file = credentialsFile(env);
  makePrivateFolder(dirname(file));
  readCredentials(env);
  const trial = `${file}.${machine.unique()}`;
  try {
    // As much as will be written: a full disk lets an empty file be made.
    writeFileSync(trial, ' '.repeat((statSync(file, { throwIfNoEntry: false })?.size ?? 0) + ROOM), {
      flag: 'wx',
      mode: 0o600,
      flush: true,
    });
  } catch (error) {
    const hint = `${diskFullHint(error, 'Make it writable, or set EDU_CONFIG_DIR to another folder.')} EDU_TOKEN works without any file.`;
    throw usageError(`Cannot write to ${dirname(file)} (${codeOf(error) ?? String(error)})`, hint);
  } finally {
    rmSync(trial, { force: true });
  }
}

/** Keeps values for one profile at the origin of a base URL, beside what is kept there already. */
export async function keepCredential(
  env: Env,
  machine: Machine,
  { profile, baseUrl }: { readonly profile: string; readonly baseUrl: string },
  change: CredentialChange,
): Promise<void> {
  const origin = originOf(baseUrl);
  await changeCredentials(env, machine, (now) => {
    const origins = now.get(profile) ?? new Map<string, Credential>();
    const kept = withoutUndefined({ ...origins.get(origin), ...change });
    return new Map([...now, [profile, new Map([...origins, [origin, kept]])]]);
  });
}

/**
 * Forgets what profiles hold.
 * @param what `token` leaves the client secret, which belongs to the application; `all` leaves nothing
 * @returns the origins that a token was forgotten for
 */
export async function forgetCredentials(
  env: Env,
  machine: Machine,
  profiles: readonly string[],
  what: 'token' | 'all',
): Promise<readonly string[]> {
  if (readCredentials(env).size === 0) return [];
  const forgotten: string[] = [];
  await changeCredentials(env, machine, (now) => {
    const next = new Map(now);
    for (const profile of profiles) {
      const left = new Map<string, Credential>();
      for (const [origin, { accessToken, ...others }] of now.get(profile) ?? []) {
        if (accessToken !== undefined) forgotten.push(origin);
        if (what === 'token' && Object.keys(others).length > 0) left.set(origin, others);
      }
      if (left.size === 0) next.delete(profile);
      else next.set(profile, left);
    }
    return next;
  });
  return forgotten;
}

async function changeCredentials(env: Env, machine: Machine, change: (now: Credentials) => Credentials): Promise<void> {
  const file = credentialsFile(env);
  makePrivateFolder(dirname(file));
  await withLock(file, machine, () => {
    const next = change(readCredentials(env));
    const profiles = Object.fromEntries([...next].map(([name, origins]) => [name, Object.fromEntries(origins)]));
    writePrivate(file, `${JSON.stringify({ profiles }, undefined, 2)}\n`, machine.unique());
  });
}

function withoutUndefined(change: CredentialChange): Credential {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}
