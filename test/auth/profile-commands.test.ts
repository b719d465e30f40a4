/** Logout, settings and profiles, over a real connection to a local service. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { storeLogin } from '../../src/auth/credentials/credential-store.js';
import { credentialsFile } from '../../src/auth/credentials/credentials.js';
import { settingsFile } from '../../src/settings/read-settings.js';
import { environment, run, service } from './program.js';
import { CANARY } from './support.js';

test('logout keeps the client secret, logout --all deletes it', async () => {
  const env = environment({ EDU_BASE_URL: 'https://a.example' });
  const credential = { accessToken: CANARY.token, clientSecret: CANARY.secret, clientId: 'c' };
  const machine = { now: Date.now, wait: async () => {}, unique: () => 'u1' };
  await storeLogin(env, machine, { profile: 'default', baseUrl: 'https://a.example', settings: {}, credential });
  const out = await run(['auth', 'logout'], { env });
  expect([out.code, out.stderr]).toEqual([0, 'Profile default is logged out of https://a.example.\n']);
  const kept = readFileSync(credentialsFile(env), 'utf8');
  expect([kept.includes(CANARY.token), kept.includes(CANARY.secret)]).toEqual([false, true]);
  expect((await run(['auth', 'logout', '--all'], { env })).code).toBe(0);
  expect(readFileSync(credentialsFile(env), 'utf8')).not.toContain(CANARY.secret);
});

describe('edu config and edu profiles', () => {
  test('set, get, list, unset, path', async () => {
    const env = environment();
    expect(await run(['config', 'set', 'language', 'nl'], { env })).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await run(['config', 'get', 'language'], { env })).toEqual({ code: 0, stdout: 'NL\n', stderr: '' });
    const list = await run(['config', 'list', '--json'], { env });
    expect(JSON.parse(list.stdout)).toContainEqual(
      expect.objectContaining({ name: 'language', value: 'NL', source: 'profile' }),
    );
    for (const stderr of ['language is not set any more.\n', 'language was not set.\n'])
      expect(await run(['config', 'unset', 'language'], { env, terminal: true })).toMatchObject({ code: 0, stderr });
    expect((await run(['config', 'get', 'language'], { env })).stdout).toBe('EN\n');
    const hint = expect.stringContaining('`edu config set organization VALUE`');
    expect(await run(['config', 'get', 'organization'], { env })).toMatchObject({ code: 5, stderr: hint });
    expect((await run(['config', 'path'], { env })).stdout).toBe(`${settingsFile(env)}\n`);
    expect((await run(['config', 'set', 'langage', 'NL'], { env })).stderr).toContain('Did you mean language');
  });

  test('names the line of a broken settings file, still prints help, and leaves the file unchanged', async () => {
    const env = environment();
    await run(['config', 'set', 'language', 'NL'], { env });
    writeFileSync(settingsFile(env), '{\n  "profiles": {,}\n}');
    const ran = await run(['config', 'get', 'language'], { env });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(`Cannot read the settings file ${settingsFile(env)}: line 2, column 16`);
    expect((await run(['config', 'set', 'language', 'DE'], { env })).code).toBe(2);
    expect((await run(['config', 'set', '--help'], { env })).code).toBe(0);
    expect((await run(['--version'], { env })).code).toBe(0);
    expect((await run(['config', 'path'], { env })).code).toBe(0);
    expect(readFileSync(settingsFile(env), 'utf8')).toBe('{\n  "profiles": {,}\n}');
  });

  test('lists profiles, and removes them with their tokens', async () => {
    const env = environment();
    const { baseUrl } = await service();
    await run(['login', '--with-token', '--base-url', baseUrl, '--profile', 'work'], { env, input: CANARY.token });
    await run(['config', 'set', 'language', 'NL'], { env });
    const list = await run(['profiles', 'list', '--json'], { env });
    expect(JSON.parse(list.stdout)).toEqual([
      { name: 'default', current: true, baseUrl: null, organization: null, loggedIn: false },
      { name: 'work', current: false, baseUrl, organization: null, loggedIn: true },
    ]);
    expect((await run(['profiles', 'remove', 'wrok'], { env })).stderr).toContain('Did you mean work?');
    const refused = await run(['profiles', 'remove', 'work'], { env });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('Pass --yes to confirm: edu profiles remove work --yes');
    expect(readFileSync(credentialsFile(env), 'utf8')).toContain('canary');
    expect((await run(['profiles', 'remove', 'work', '--yes'], { env })).code).toBe(0);
    expect(readFileSync(credentialsFile(env), 'utf8')).not.toContain('canary');
    expect(JSON.parse((await run(['profiles', 'list', '--json'], { env })).stdout)).toHaveLength(1);
  });

  test('refuses a profile that does not exist, and suggests a close name', async () => {
    const env = environment();
    expect((await run(['config', 'list', '--profile', 'a b'], { env })).code).toBe(2);
    await run(['config', 'set', 'language', 'NL', '--profile', 'work'], { env });
    const unknown = ['config list', 'config get language', 'config unset language', 'schools list'];
    for (const line of [...unknown.map((words) => `${words} --profile wrok`), 'profiles use wrok']) {
      const { code, stdout, stderr } = await run(line.split(' '), { env });
      expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('Did you mean work?')]);
    }
    expect((await run(['config', 'get', 'language', '--profile', 'work'], { env })).stdout).toBe('NL\n');
  });
});
