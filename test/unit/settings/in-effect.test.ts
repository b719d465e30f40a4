import { describe, expect, test } from 'vitest';
import { type Asked, requireBaseUrl, resolveProfile } from '../../../src/settings/in-effect.js';
import { SETTINGS } from '../../../src/settings/keys.js';
import { readSettings } from '../../../src/settings/read-settings.js';
import { emptyEnv, envWith } from './support.js';

const FILE = JSON.stringify({
  profile: 'work',
  profiles: {
    work: { 'base-url': 'https://work.example.com', language: 'NL', organization: 'o1', 'organization-type': 'School' },
    home: { 'base-url': 'https://home.example.com' },
  },
});

const asked = (env: Record<string, string>, flags: Asked['flags'] = {}): Asked => ({
  env,
  flags,
  settings: readSettings(env),
});

describe('values in effect', () => {
  test('have defaults', () => {
    const values = resolveProfile(asked(emptyEnv()));
    expect(values.profile).toEqual({ value: 'default', source: 'default', from: 'default' });
    expect(values.language).toEqual({ value: 'EN', source: 'default', from: 'default' });
    expect(values.callbackUrl.value).toBe('http://127.0.0.1:8976/callback');
    expect(values.baseUrl).toBeUndefined();
    expect(() => requireBaseUrl(values)).toThrowError(expect.objectContaining({ kind: 'usage' }));
  });

  test('pass their own checks as defaults', () => {
    for (const [name, setting] of Object.entries(SETTINGS)) {
      if ('default' in setting) expect(setting.check(setting.default, name)).toBe(setting.default);
    }
  });

  test('come from flag, environment, profile, default, in this order', () => {
    const profile = resolveProfile(asked(envWith(FILE)));
    expect(profile.language).toEqual({ value: 'NL', source: 'profile', from: 'language of profile work' });
    const environment = resolveProfile(asked(envWith(FILE, { EDU_LANGUAGE: 'FR' })));
    expect(environment.language).toEqual({ value: 'FR', source: 'environment', from: 'EDU_LANGUAGE' });
    const flag = resolveProfile(asked(envWith(FILE, { EDU_LANGUAGE: 'FR' }), { language: 'de' }));
    expect(flag.language).toEqual({ value: 'DE', source: 'flag', from: '--language' });
  });

  test('have the profile of the flag, the environment or the file, in this order', () => {
    expect(resolveProfile(asked(envWith(FILE))).profile.value).toBe('work');
    expect(resolveProfile(asked(envWith(FILE, { EDU_PROFILE: 'home' }))).baseUrl?.value).toBe(
      'https://home.example.com',
    );
    expect(resolveProfile(asked(envWith(FILE, { EDU_PROFILE: 'home' }), { profile: 'work' })).profile.value).toBe(
      'work',
    );
  });

  test.each(['../x', '', '-x', 'a b', '__proto__', 'x'.repeat(65)])('refuse %j as the name of a profile', (profile) => {
    expect(() => resolveProfile({ ...asked(emptyEnv(), { profile }), mayBeNew: true })).toThrowError(
      expect.objectContaining({ kind: 'usage' }),
    );
  });

  test("do not combine the profile's organization type with an organization from the environment", () => {
    const values = resolveProfile(asked(envWith(FILE, { EDU_ORGANIZATION: 'o2' })));
    expect(values.organization?.value).toBe('o2');
    expect(values.organizationType).toBeUndefined();
    expect(resolveProfile(asked(envWith(FILE))).organizationType?.value).toBe('School');
  });

  test('read numbers and durations', () => {
    const values = resolveProfile(asked(emptyEnv(), { 'page-size': 20, retries: '0', timeout: '1.5s' }));
    expect(values.pageSize?.value).toBe(20);
    expect(values.retries?.value).toBe(0);
    expect(values.timeout?.value).toBe(1500);
  });
});
