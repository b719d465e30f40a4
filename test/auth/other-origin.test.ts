/** Attack: a base URL of another origin is used with a stored token or secret. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { storeLogin } from '../../src/auth/credentials/credential-store.js';
import {
  accessToken,
  credentialsFile,
  findAccessToken,
  findClientSecret,
} from '../../src/auth/credentials/credentials.js';
import { temporaryFolder } from '../support/run.js';
import { CANARY } from './support.js';

const machine = { now: Date.now, wait: async () => {}, unique: randomUUID };
const home = { profile: 'default', baseUrl: 'https://api.example.com/licensing', settings: {} };

let env: Record<string, string>;
beforeEach(async () => {
  env = { EDU_CONFIG_DIR: join(temporaryFolder(), 'config') };
  const credential = { accessToken: CANARY.token, clientSecret: CANARY.secret, clientId: 'c1' };
  await storeLogin(env, machine, { ...home, credential });
});

describe('token and secret', () => {
  test('are sent for every path of their own origin', () => {
    for (const baseUrl of ['https://api.example.com', 'https://api.example.com:443/other', home.baseUrl]) {
      expect(findAccessToken({ env, profile: 'default', baseUrl })?.token).toBe(CANARY.token);
      expect(findClientSecret({ env, profile: 'default', baseUrl }, 'c1')).toBe(CANARY.secret);
    }
  });

  test.each([
    'https://evil.example',
    'https://api.example.com.evil.example',
    'https://sub.api.example.com',
    'https://api.example.com:8443',
    'http://127.0.0.1:4010',
    'https://api.example.org',
  ])('are not sent to %s', (baseUrl) => {
    expect(findAccessToken({ env, profile: 'default', baseUrl })).toBeUndefined();
    expect(findClientSecret({ env, profile: 'default', baseUrl }, 'c1')).toBeUndefined();
    expect(() => accessToken({ env, profile: 'default', baseUrl }, false)).toThrowError(
      expect.objectContaining({
        kind: 'unauthenticated',
        message: `You are not logged in at ${new URL(baseUrl).origin}. You are logged in at https://api.example.com.`,
      }),
    );
  });

  test('are not used for another profile, nor the secret for another client', () => {
    expect(findAccessToken({ env, profile: 'work', baseUrl: home.baseUrl })).toBeUndefined();
    expect(findClientSecret({ env, ...home }, 'c2')).toBeUndefined();
  });

  test('the secret of the environment needs no credentials file', () => {
    writeFileSync(credentialsFile(env), 'damaged');
    expect(() => findClientSecret({ env, ...home }, 'c1')).toThrow();
    expect(findClientSecret({ env: { ...env, EDU_CLIENT_SECRET: 'given\n' }, ...home }, 'c1')).toBe('given');
  });

  test('are kept when the profile logs in at another origin', async () => {
    const other = { ...home, baseUrl: 'https://b.example.com' };
    await storeLogin(env, machine, { ...other, credential: { accessToken: 'token-b' } });
    expect(findAccessToken({ env, ...home })?.token).toBe(CANARY.token);
    expect(findAccessToken({ env, ...other })?.token).toBe('token-b');
  });
});
