import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { credentialsFile } from '../../src/auth/credentials/credentials.js';
import { type Ran, type Service, start } from './program.js';
import { CANARY, filesUnder, freePort, get } from './support.js';

export const SECRETS = { EDU_CLIENT_ID: 'client-1', EDU_CLIENT_SECRET: CANARY.secret };

/** Follows the address as a browser does after the user has allowed access. */
export async function answer(address: URL, query: Record<string, string>): Promise<{ status: number; body: string }> {
  const redirect = new URL(address.searchParams.get('redirect_uri') ?? '');
  const all = new URLSearchParams({ state: address.searchParams.get('state') ?? '', ...query });
  return get(Number(redirect.port), `${redirect.pathname}?${all}`, { headers: { host: redirect.host } });
}

export async function loggedIn(
  env: Record<string, string>,
  { baseUrl }: Service,
  words: readonly string[] = [],
): Promise<Ran> {
  const callback = `http://127.0.0.1:${await freePort()}/callback`;
  const login = start(['auth', 'login', '--no-browser', '--base-url', baseUrl, '--callback-url', callback, ...words], {
    env: { ...env, ...SECRETS },
  });
  const [address] = await login.said(/^http.*authorize\?.*$/m);
  await login.said(/Waiting up to/);
  expect((await answer(new URL(address), { code: CANARY.code })).status).toBe(200);
  return login.done;
}

export function expectNoSecrets(ran: Ran, env: Record<string, string>): void {
  for (const value of Object.values(CANARY)) {
    for (const spelling of [value, encodeURIComponent(value)]) {
      expect(ran.stdout).not.toContain(spelling);
      expect(ran.stderr).not.toContain(spelling);
      for (const file of filesUnder(env.HOME ?? '')) {
        if (file !== credentialsFile(env)) expect(readFileSync(file, 'utf8')).not.toContain(spelling);
      }
    }
  }
}
