/** Stores unfinished logins, so that `edu auth login --paste < file` can finish one of an earlier command. */
import { dirname, join } from 'node:path';
import { type Checked, isCount, isText, objectOf } from '../../core/checks.js';
import { readPrivate } from '../../core/fs/private-file.js';
import type { Env, Machine } from '../../core/io.js';
import { getPath } from '../../core/json.js';
import { changePrivate } from '../credentials/credential-store.js';
import { credentialsFile } from '../credentials/credentials.js';

const isStarted = objectOf({
  profile: isText,
  baseUrl: isText,
  clientId: isText,
  /** Hexadecimal; with the state itself, a reader of the file could forge a redirect. */
  digest: (value): value is string => isText(value) && /^[0-9a-f]{64}$/.test(value),
  /** Milliseconds since the epoch. */
  expires: isCount,
});
type Started = Checked<typeof isStarted>;
type LoginTarget = Pick<Started, 'profile' | 'baseUrl' | 'clientId'>;

const LIFETIME_MS = 15 * 60_000;
const MAX_LOGINS = 20;

const fileOf = (env: Env): string => join(dirname(credentialsFile(env)), 'logins.json');

export async function rememberLogin(env: Env, machine: Machine, target: LoginTarget, digest: Buffer): Promise<void> {
  const { profile, baseUrl, clientId } = target;
  const started = { profile, baseUrl, clientId, digest: digest.toString('hex'), expires: machine.now() + LIFETIME_MS };
  await change(env, machine, (logins) => [...logins, started].slice(-MAX_LOGINS));
}

/** Digests of the states of unfinished logins with the same target. */
export function startedLogins(env: Env, machine: Machine, target: LoginTarget): readonly Buffer[] {
  return read(env, machine.now())
    .filter((login) => (['profile', 'baseUrl', 'clientId'] as const).every((name) => login[name] === target[name]))
    .map(({ digest }) => Buffer.from(digest, 'hex'));
}

export async function forgetLogin(env: Env, machine: Machine, digest: Buffer): Promise<void> {
  const hex = digest.toString('hex');
  if (read(env, machine.now()).every((login) => login.digest !== hex)) return;
  await change(env, machine, (logins) => logins.filter((login) => login.digest !== hex));
}

const change = (env: Env, machine: Machine, next: (logins: readonly Started[]) => readonly Started[]): Promise<void> =>
  changePrivate(fileOf(env), machine, () => `${JSON.stringify({ logins: next(read(env, machine.now())) })}\n`);

/** Invalid entries are ignored; the login must then be started again. */
function read(env: Env, now: number): readonly Started[] {
  try {
    const logins = getPath(JSON.parse(readPrivate(fileOf(env)) ?? '{}'), 'logins');
    return Array.isArray(logins) ? logins.filter((login) => isStarted(login) && login.expires > now) : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
