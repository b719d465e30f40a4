/** Attack: the credentials file is a link, readable by others, owned by another user, or something else. */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { checkCanKeep, storeLogin } from '../../src/auth/credentials/credential-store.js';
import { accessToken, credentialsFile, findAccessToken } from '../../src/auth/credentials/credentials.js';
import { EduError } from '../../src/core/errors.js';
import { writePrivate } from '../../src/core/fs/private-file.js';
import type { Machine } from '../../src/core/io.js';
import { failure } from '../support/failure.js';
import { temporaryFolder } from '../support/run.js';
import { CANARY, filesUnder } from './support.js';

const machine: Machine = {
  now: Date.now,
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, Math.min(milliseconds, 2))),
  unique: randomUUID,
};
const at = { profile: 'default', baseUrl: 'https://api.example.com', settings: {} };

let env: Record<string, string>;
let file: string;
beforeEach(() => {
  env = { EDU_CONFIG_DIR: join(temporaryFolder(), 'config') };
  file = credentialsFile(env);
});
const keep = () => storeLogin(env, machine, { ...at, credential: { accessToken: CANARY.token } });
const token = (): string | undefined => findAccessToken({ env, ...at })?.token;

function refused(): EduError {
  try {
    token();
  } catch (error) {
    if (error instanceof EduError) {
      expect(error.kind).toBe('unauthenticated');
      expect(`${error.message} ${error.hint}`).not.toContain('canary');
      return error;
    }
  }
  throw new Error('it was read');
}

describe('permissions', () => {
  test('writes a file with mode 0600 in a folder with mode 0700, under any umask', async () => {
    for (const mask of [0o000, 0o022, 0o277]) {
      const before = process.umask(mask);
      try {
        env = { EDU_CONFIG_DIR: join(temporaryFolder(), 'config') };
        file = credentialsFile(env);
        mkdirSync(env.EDU_CONFIG_DIR ?? '', { mode: 0o700 });
        await keep();
      } finally {
        process.umask(before);
      }
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    }
  });

  test.each([0o644, 0o640, 0o604, 0o660, 0o606, 0o610])(
    'refuses a file with mode %o, with the chmod to run',
    async (mode) => {
      await keep();
      chmodSync(file, mode);
      const { message, hint } = refused();
      expect(message).toContain(file);
      expect(message).toContain(mode.toString(8));
      expect(hint).toContain(`chmod 600 ${file}`);
      expect((await failure(keep())).hint).toContain('chmod 600');
      chmodSync(file, 0o600);
      expect(token()).toBe(CANARY.token);
    },
  );

  test.each([0o770, 0o707, 0o777])('refuses a folder with mode %o, which others can write to', async (mode) => {
    await keep();
    chmodSync(dirname(file), mode);
    expect(refused().hint).toContain(`chmod go-w ${dirname(file)}`);
  });

  test('restricts an existing folder before it writes', async () => {
    mkdirSync(dirname(file), { recursive: true });
    chmodSync(dirname(file), 0o755);
    await keep();
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
  });
});

describe('symbolic links', () => {
  test('neither reads nor writes through a symbolic link', async () => {
    const target = join(temporaryFolder(), 'target.json');
    await keep();
    renameSync(file, target);
    symlinkSync(target, file);
    const content = readFileSync(target, 'utf8');
    expect(refused().message).toContain(`${file}: it is a symbolic link`);
    await failure(keep());
    expect(readFileSync(target, 'utf8')).toBe(content);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
  });

  test('does not write through a dangling link', async () => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const target = join(temporaryFolder(), 'planted.json');
    symlinkSync(target, file);
    await failure(keep());
    expect(existsSync(target)).toBe(false);
  });

  test('replaces a link that appears at the last moment', () => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const target = join(temporaryFolder(), 'target.json');
    writeFileSync(target, 'as it was');
    symlinkSync(target, file);
    writePrivate(file, 'new');
    expect(readFileSync(target, 'utf8')).toBe('as it was');
    expect(lstatSync(file).isFile()).toBe(true);
  });

  test('refuses a folder that is a link', async () => {
    const elsewhere = temporaryFolder();
    mkdirSync(dirname(dirname(file)), { recursive: true, mode: 0o700 });
    symlinkSync(elsewhere, dirname(file));
    expect((await failure(keep())).message).toContain(`${dirname(file)}: it is a symbolic link`);
    expect(filesUnder(elsewhere)).toEqual([]);
    writeFileSync(join(elsewhere, 'credentials.json'), '{"profiles":{}}', { mode: 0o600 });
    refused();
  });
});

describe('other files in its place', () => {
  test('a pipe does not block', () => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    expect(spawnSync('mkfifo', ['-m', '600', file]).status).toBe(0);
    expect(refused().message).toContain('it is not a regular file');
  });

  test.each([
    `{"profiles":{"default":{"https://api.example.com":{"accessToken":"${CANARY.token}"`,
    `"${CANARY.token}"`,
    `{"profiles":{"default":"${CANARY.token}"}}`,
    `{"profiles":{"default":{"https://api.example.com":{"accessToken":["${CANARY.token}"]}}}}`,
    `{"profiles":{"default":{"https://api.example.com":{"accessToken":"${CANARY.token}\\r\\nX: 1"}}}}`,
  ])('names a broken file without repeating or overwriting it: %s', async (text) => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, text, { mode: 0o600 });
    expect(refused()).toMatchObject({
      message: `Cannot read the credentials file ${file}: it is damaged.`,
      hint: `Rename it (mv ${file} ${file}.broken), then log in again: edu auth login`,
    });
    expect((await failure(keep())).message).not.toContain('canary');
    expect(readFileSync(file, 'utf8')).toBe(text);
  });
});

describe('writing', () => {
  test('stores both of two simultaneous logins, and leaves no other file', async () => {
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        storeLogin(env, machine, { ...at, profile: `p${index}`, credential: { accessToken: `token-${index}` } }),
      ),
    );
    for (let index = 0; index < 12; index++) {
      expect(findAccessToken({ env, ...at, profile: `p${index}` })?.token).toBe(`token-${index}`);
    }
    expect(filesUnder(env.EDU_CONFIG_DIR ?? '')).toEqual([file]);
  });

  test('checks that a token can be stored before a code is spent', () => {
    checkCanKeep(env);
    expect(filesUnder(env.EDU_CONFIG_DIR ?? '')).toEqual([]);
    const blocked = join(temporaryFolder(), 'file');
    writeFileSync(blocked, '');
    expect(() => checkCanKeep({ EDU_CONFIG_DIR: blocked })).toThrowError(
      expect.objectContaining({ kind: 'usage', message: expect.stringContaining(blocked) }),
    );
  });
});

describe('no token', () => {
  test('is reported by the next command', () => {
    expect(() => accessToken({ env, ...at }, true)).toThrowError(
      expect.objectContaining({ kind: 'unauthenticated', exitCode: 4, hint: 'Run `edu auth login`.' }),
    );
    expect(() => accessToken({ env, ...at, profile: 'work' }, false)).toThrowError(
      expect.objectContaining({ exitCode: 4, hint: expect.stringMatching(/EDU_TOKEN.*edu auth login --profile work/) }),
    );
  });

  test('uses EDU_TOKEN first, without a trailing line break, and does not store it', async () => {
    await keep();
    const found = findAccessToken({ env: { ...env, EDU_TOKEN: 'from-environment\n' }, ...at });
    expect(found).toEqual({ token: 'from-environment', source: 'environment', from: 'EDU_TOKEN' });
    expect(readFileSync(file, 'utf8')).not.toContain('from-environment');
    expect(findAccessToken({ env: { ...env, EDU_TOKEN: '' }, ...at })?.source).toBe('file');
  });

  test('does not repeat an invalid EDU_TOKEN', () => {
    expect(() => findAccessToken({ env: { EDU_TOKEN: 'canary one\ntwo' }, ...at })).toThrowError(
      expect.objectContaining({ kind: 'usage', message: expect.not.stringContaining('canary') }),
    );
  });
});
