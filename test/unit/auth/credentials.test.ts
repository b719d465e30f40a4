/** Which token and secret are in effect, and what a login stores and a logout forgets. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { checkCanKeep, forgetCredentials, storeLogin } from '../../../src/auth/credentials/credential-store.js';
import {
  accessToken,
  type Credential,
  credentialsFile,
  findAccessToken,
  findClientSecret,
  masked,
  precedence,
  readCredentials,
  storedFor,
} from '../../../src/auth/credentials/credentials.js';
import type { Env, Machine } from '../../../src/core/io.js';
import { home } from '../../support/run.js';

const HERE = 'https://a.example/v1';
const THERE = 'https://b.example:8443';
let env: Env;
let machine: Machine;

beforeEach(() => {
  env = home();
  let count = 0;
  machine = {
    unique: () => `unique${count++}`,
    pid: process.pid,
    hostname: 'h',
    isAlive: () => true,
  } as unknown as Machine;
});

const store = (profile: string, baseUrl: string, credential: Credential, settings = {}) =>
  storeLogin(env, machine, { profile, baseUrl, settings, credential });

test('a login keeps what other profiles, origins and logins stored', async () => {
  await store('default', HERE, { clientSecret: 's', clientId: 'c', accessToken: 'old' });
  await store('default', THERE, { accessToken: 'there' });
  await store('other', HERE, { accessToken: 'other' });
  expect(await store('default', HERE, { accessToken: 'new', tokenEncoding: 'form' })).toBe(credentialsFile(env));
  expect(storedFor({ env, profile: 'default', baseUrl: HERE })).toEqual({
    clientSecret: 's',
    clientId: 'c',
    accessToken: 'new',
    tokenEncoding: 'form',
  });
  expect(storedFor({ env, profile: 'default', baseUrl: `${THERE}/v2` })).toEqual({ accessToken: 'there' });
  expect(storedFor({ env, profile: 'other', baseUrl: HERE })).toEqual({ accessToken: 'other' });
  expect(storedFor({ env, profile: 'other', baseUrl: THERE })).toBeUndefined();
  expect(storedFor({ env, profile: 'default', baseUrl: undefined })).toBeUndefined();
  expect(statSync(credentialsFile(env)).mode & 0o777).toBe(0o600);
});

test('a logout forgets tokens and keeps secrets; all of a profile goes with it', async () => {
  expect(await forgetCredentials(env, machine, ['default'], 'all')).toEqual([]);
  await store('default', HERE, { clientSecret: 's', clientId: 'c', accessToken: 't' });
  await store('default', THERE, { accessToken: 't' });
  await store('other', HERE, { clientSecret: 's', clientId: 'c' });
  expect(await forgetCredentials(env, machine, ['default', 'other', 'none'], 'token')).toEqual([
    'https://a.example',
    'https://b.example:8443',
  ]);
  const kept = new Map([['https://a.example', { clientSecret: 's', clientId: 'c' }]]);
  expect(readCredentials(env)).toEqual(
    new Map([
      ['default', kept],
      ['other', kept],
    ]),
  );
  expect(await forgetCredentials(env, machine, ['default'], 'all')).toEqual([]);
  expect([...readCredentials(env).keys()]).toEqual(['other']);
});

test('a check before a login leaves the file as it is', async () => {
  await store('default', HERE, { accessToken: 't' });
  const before = readFileSync(credentialsFile(env), 'utf8');
  checkCanKeep(env);
  expect(readFileSync(credentialsFile(env), 'utf8')).toBe(before);
});

const command = { from: 'EDU_TOKEN_COMMAND', line: [process.execPath, '-p', '"from-command"'] };

test('EDU_TOKEN wins over a stored token, and is no token if it has a blank', async () => {
  await store('default', HERE, { accessToken: 'stored' });
  const place = { env, profile: 'default', baseUrl: HERE };
  expect(findAccessToken(place)).toEqual({ token: 'stored', source: 'file', from: credentialsFile(env) });
  expect(findAccessToken({ ...place, env: { ...env, EDU_TOKEN: ' given\n' } })).toEqual({
    token: 'given',
    source: 'environment',
    from: 'EDU_TOKEN',
  });
  expect(() => findAccessToken({ ...place, env: { ...env, EDU_TOKEN: 'a b' } })).toThrow(
    /^EDU_TOKEN contains no valid/,
  );
  expect(findAccessToken({ ...place, baseUrl: THERE })).toBeUndefined();
});

test('what takes precedence over a login names the command that removes it', () => {
  const place = { env, profile: 'two words', baseUrl: HERE };
  const of = (from: string) => precedence({ ...place, command: { ...command, from } as never });
  expect(precedence(place)).toBeUndefined();
  expect(precedence({ ...place, env: { EDU_TOKEN: ' ' } })).toBeUndefined();
  expect(precedence({ ...place, env: { EDU_TOKEN: 't' } })?.remove).toBe('unset EDU_TOKEN');
  expect(of('EDU_TOKEN_COMMAND')?.remove).toBe('unset EDU_TOKEN_COMMAND');
  expect(of('token-command')?.remove).toBe("edu config unset token-command --profile 'two words'");
});

test('who is not logged in learns where they are, and what to do', async () => {
  const fails = (profile: string, canAsk: boolean, baseUrl: string | undefined = HERE) => {
    try {
      return accessToken({ env, profile, baseUrl }, canAsk);
    } catch (error) {
      const { message, hint } = error as { readonly message: string; readonly hint: string };
      return [message, hint];
    }
  };
  expect(fails('default', true)).toEqual(['You are not logged in at https://a.example.', 'Run `edu auth login`.']);
  await store('default', THERE, { accessToken: 't' });
  await store('ci', THERE, { clientSecret: 's' });
  expect(fails('default', false)).toEqual([
    'You are not logged in at https://a.example. You are logged in at https://b.example:8443.',
    'Set EDU_TOKEN to an access token, or run `edu auth login` in a terminal first. To try things out, add --offline.',
  ]);
  expect(fails('ci', true)).toEqual([
    'Profile ci is not logged in at https://a.example.',
    'Run `edu auth login --profile ci`.',
  ]);
  expect(fails('default', true, THERE)).toMatchObject({ token: 't' });
});

test('a stored secret is only for the client that it belongs to', async () => {
  await store('default', HERE, { clientSecret: 'kept', clientId: 'c' });
  const place = { env, profile: 'default', baseUrl: HERE };
  expect(findClientSecret(place, 'c')).toBe('kept');
  expect(findClientSecret(place, 'd')).toBeUndefined();
  expect(findClientSecret({ ...place, env: { ...env, EDU_CLIENT_SECRET: ' s \r\n\n' } }, 'd')).toBe(' s ');
});

test.each(['{', '[]', '{"profiles":{"p":{"o":{"accessToken":"a b"}}}}'])('a damaged file is an error: %s', (text) => {
  const file = credentialsFile(env);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, text, { mode: 0o600 });
  expect(() => readCredentials(env)).toThrow(`Cannot read the credentials file ${file}: it is damaged.`);
});

test('a token is shown by its end, if that tells little of it', () => {
  expect([masked('a12345678901234567xyz'.slice(0, 20)), masked('a12345678901234567x')]).toEqual(['****67xy', '****']);
});
