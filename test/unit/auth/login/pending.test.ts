/** Logins that an earlier command started. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { credentialsFile } from '../../../../src/auth/credentials/credentials.js';
import { forgetLogin, rememberLogin, startedLogins } from '../../../../src/auth/login/pending.js';
import type { Machine } from '../../../../src/core/io.js';
import { temporaryFolder } from '../../../support/run.js';

const LIFETIME_MS = 15 * 60_000;
const target = { profile: 'default', baseUrl: 'https://api.example', clientId: 'c1' };
const digest = (number: number): Buffer => Buffer.alloc(32, number);

let now = 1_000_000;
let number = 0;
const machine: Machine = { now: () => now, unique: () => `u${++number}`, wait: async () => {} };
let env = { EDU_CONFIG_DIR: '', EDU_STATE_DIR: '' };
beforeEach(() => {
  const folder = temporaryFolder();
  env = { EDU_CONFIG_DIR: join(folder, 'config'), EDU_STATE_DIR: join(folder, 'state') };
});
const file = (): string => join(dirname(credentialsFile(env)), 'logins.json');
function write(text: string): void {
  mkdirSync(dirname(file()), { mode: 0o700, recursive: true });
  writeFileSync(file(), text, { mode: 0o600 });
}

test('finds those of the same target for a quarter of an hour, and the last twenty', async () => {
  for (let login = 1; login <= 21; login++) await rememberLogin(env, machine, target, digest(login));
  expect(startedLogins(env, machine, target)).toEqual(Array.from({ length: 20 }, (_, index) => digest(index + 2)));
  for (const other of [{ profile: 'x' }, { baseUrl: 'https://other.example' }, { clientId: 'c2' }])
    expect(startedLogins(env, machine, { ...target, ...other })).toEqual([]);
  now += LIFETIME_MS - 1;
  expect(startedLogins(env, machine, target)).toHaveLength(20);
  now += 1;
  expect(startedLogins(env, machine, target)).toEqual([]);
});

test('forgets one, and leaves the others', async () => {
  for (const login of [1, 2]) await rememberLogin(env, machine, target, digest(login));
  await forgetLogin(env, machine, digest(1));
  expect(startedLogins(env, machine, target)).toEqual([digest(2)]);
  const before = readFileSync(file(), 'utf8');
  await forgetLogin(env, machine, digest(3));
  expect(readFileSync(file(), 'utf8')).toBe(before);
});

test('a file that others can read is an error of the command', async () => {
  await rememberLogin(env, machine, target, digest(1));
  chmodSync(file(), 0o644);
  await expect(rememberLogin(env, machine, target, digest(2))).rejects.toThrowError('mode 0644');
});

describe('what is no login is ignored', () => {
  const valid = { ...target, digest: digest(1).toString('hex'), expires: Number.MAX_SAFE_INTEGER };
  test.each([
    ['a valid one', { logins: [valid] }, 1],
    ['a short digest', { logins: [{ ...valid, digest: 'ab' }] }, 0],
    ['a digest that is not hexadecimal', { logins: [{ ...valid, digest: 'g'.repeat(64) }] }, 0],
    ['a number as a digest', { logins: [{ ...valid, digest: 7 }] }, 0],
    ['no time', { logins: [{ ...valid, expires: undefined }] }, 0],
    ['null beside a valid one', { logins: [null, valid] }, 1],
    ['no list', { logins: valid }, 0],
    ['no object', [], 0],
  ])('%s', (_, content, expected) => {
    write(JSON.stringify(content));
    expect(startedLogins(env, machine, target)).toHaveLength(expected);
  });

  test('broken JSON', async () => {
    write('{"logins":[');
    expect(startedLogins(env, machine, target)).toEqual([]);
    await rememberLogin(env, machine, target, digest(1));
    expect(startedLogins(env, machine, target)).toEqual([digest(1)]);
  });
});
