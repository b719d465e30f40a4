/** Changes the credentials file under a lock, so that concurrent logins are all stored. */
import { fsyncSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { writing } from '../../core/fs/disk-errors.js';
import { withLock } from '../../core/fs/lock.js';
import { makePrivateFolder, writePrivate } from '../../core/fs/private-file.js';
import { temporaryFor, writeAll } from '../../core/fs/write-file.js';
import type { Env, Machine } from '../../core/io.js';
import { originOf } from '../../settings/base-url.js';
import { changeProfile } from '../../settings/write-settings.js';
import { type Credential, type Credentials, credentialsFile, readCredentials } from './credentials.js';

/** More bytes than a login adds to the file. */
const MAX_ADDED_BYTES = 4096;

/** Checks before a login that credentials can be stored. @throws an error with the path and a hint */
export function checkCanKeep(env: Env): void {
  const file = credentialsFile(env);
  makePrivateFolder(dirname(file));
  readCredentials(env);
  writing(file, () => {
    const trial = temporaryFor(file);
    try {
      // Writes as much as the login will, because an empty file can be created even on a full disk.
      writeAll(trial.handle, ' '.repeat((statSync(file, { throwIfNoEntry: false })?.size ?? 0) + MAX_ADDED_BYTES));
      fsyncSync(trial.handle);
    } finally {
      trial.drop();
    }
  });
}

/**
 * Removes credentials of profiles.
 * @param what `token` keeps the client secret, which belongs to the application; `all` removes everything
 * @returns the origins whose token was removed
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

/** Replaces a private file under its lock. @param next returns the text, from what the file now contains */
export async function changePrivate(file: string, machine: Machine, next: () => string): Promise<void> {
  makePrivateFolder(dirname(file));
  await withLock(file, machine, () => writePrivate(file, next()));
}

const changeCredentials = (env: Env, machine: Machine, change: (now: Credentials) => Credentials): Promise<void> =>
  changePrivate(credentialsFile(env), machine, () => {
    const next = change(readCredentials(env));
    const profiles = Object.fromEntries([...next].map(([name, origins]) => [name, Object.fromEntries(origins)]));
    return `${JSON.stringify({ profiles }, undefined, 2)}\n`;
  });

interface LoginToStore {
  readonly profile: string;
  readonly baseUrl: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly credential: Credential;
}

/** Stores a login; other values of its profile and origin are kept. @returns the file that contains the token */
export async function storeLogin(env: Env, machine: Machine, stored: LoginToStore): Promise<string> {
  const { profile, baseUrl, settings, credential } = stored;
  // Settings first, because a token without its profile's settings would be useless.
  if (Object.keys(settings).length > 0) await changeProfile(env, machine, profile, settings);
  const origin = originOf(baseUrl);
  await changeCredentials(env, machine, (now) => {
    const origins = now.get(profile) ?? new Map<string, Credential>();
    return new Map([...now, [profile, new Map([...origins, [origin, { ...origins.get(origin), ...credential }]])]]);
  });
  return credentialsFile(env);
}
