import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EduError } from '../../../src/core/errors.js';
import type { Asked } from '../../../src/settings/in-effect.js';
import { getSetting, removeProfiles, setSetting } from '../../../src/settings/profile-store.js';
import { readSettings, settingsFile } from '../../../src/settings/read-settings.js';
import { changeProfile } from '../../../src/settings/write-settings.js';
import { emptyEnv, envWith, machine } from './support.js';

const asked = (env: Record<string, string>, flags: Asked['flags'] = {}): Asked => ({
  env,
  flags,
  settings: readSettings(env),
  mayBeNew: true,
});

describe('edu config', () => {
  test('reads what was set, with and without conf', async () => {
    const env = emptyEnv();
    expect(await setSetting('language', 'nl', asked(env), machine())).toEqual({ value: 'NL', profile: 'default' });
    await setSetting('base-url', 'https://api.example.com/', asked(env), machine());
    expect(getSetting('language', asked(env))).toBe('NL');
    const { default: Conf } = await import('conf');
    const conf = new Conf({ cwd: env.EDU_CONFIG_DIR ?? '', configName: 'settings' });
    expect(conf.store).toEqual(readSettings(env).document);
    expect(conf.path).toBe(settingsFile(env));
    expect(conf.store).toEqual({ profiles: { default: { language: 'NL', 'base-url': 'https://api.example.com' } } });
  });

  test('makes folder and file readable only by the user', async () => {
    const env = emptyEnv();
    await setSetting('language', 'NL', asked(env), machine());
    expect(statSync(env.EDU_CONFIG_DIR ?? '').mode & 0o777).toBe(0o700);
    expect(statSync(settingsFile(env)).mode & 0o777).toBe(0o600);
  });

  test('writes to the profile that --profile names', async () => {
    const env = emptyEnv();
    await setSetting('language', 'NL', asked(env, { profile: 'work' }), machine());
    expect(readSettings(env).profiles.get('work')).toEqual({ language: 'NL' });
    expect(() => getSetting('organization', asked(env))).toThrowError(expect.objectContaining({ kind: 'not_found' }));
  });

  test.each([
    ['langauge', 'NL', 'There is no setting "langauge"', 'Did you mean language?'],
    ['language', 'XX', 'language must be DE, EN, ES, FR, IT, NL, PT or RU, not "XX".', ''],
    ['output', 'jsn', 'or markdown, not "jsn".', 'Did you mean json'],
    ['page-size', '0', 'page-size must be a whole number from 1 to', ''],
    ['timeout', 'soon', 'timeout must be a duration such as 500ms, 30s or 5m, not "soon".', ''],
    ['callback-url', 'nonsense', 'callback-url: "nonsense" is not an http', ''],
    ['organization', '', 'organization: the value is empty', ''],
    ['exact-callback', 'maybe', 'exact-callback must be true or false, not "maybe".', ''],
    ['profile', 'nobody', 'profile: there is no profile "nobody"', 'edu auth login'],
  ])('refuses %s = %s', async (name, value, message, hint) => {
    const env = emptyEnv();
    const error = await setSetting(name, value, asked(env), machine()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: 'usage', message: expect.stringContaining(message) });
    expect(String((error as EduError).hint)).toContain(hint);
    expect(readSettings(env).profiles.size).toBe(0);
  });

  test.each(['token', 'client-secret', 'access-token'])('refuses %s without repeating its value', async (name) => {
    await expect(setSetting(name, 'canary-value', asked(emptyEnv()), machine())).rejects.toThrowError(
      expect.objectContaining({ message: expect.not.stringContaining('canary') }),
    );
  });

  test('keeps settings of a newer version', async () => {
    const env = envWith('{"later":{"x":1},"profiles":{"default":{"hue":"red"}}}');
    await setSetting('language', 'NL', asked(env), machine());
    expect(JSON.parse(readFileSync(settingsFile(env), 'utf8'))).toEqual({
      later: { x: 1 },
      profiles: { default: { hue: 'red', language: 'NL' } },
    });
  });

  test('never overwrites a broken file', async () => {
    const env = envWith('{"profiles": oops');
    await expect(changeProfile(env, machine(), 'default', { language: 'NL' })).rejects.toThrowError(
      ': line 1, column 14',
    );
    expect(readFileSync(join(env.EDU_CONFIG_DIR ?? '', 'settings.json'), 'utf8')).toBe('{"profiles": oops');
  });
});

describe('profiles', () => {
  test('have no default after the default profile was removed', async () => {
    const env = emptyEnv();
    await setSetting('language', 'NL', asked(env, { profile: 'b' }), machine());
    await setSetting('profile', 'b', asked(env), machine());
    await removeProfiles(env, ['b'], machine());
    expect(JSON.parse(readFileSync(settingsFile(env), 'utf8'))).toEqual({ profiles: {} });
  });
});
