/** Attack: the credentials file is a link, open to others, owned by another user, or no credentials file. */
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
import { accessToken, credentialsFile, findAccessToken } from '../../src/auth/credentials/credentials.js';
import { checkCanKeep, forgetCredentials, keepCredential } from '../../src/auth/credentials/store.js';
import { EduError } from '../../src/core/errors.js';
import { writePrivate } from '../../src/core/fs/private-file.js';
import type { Machine } from '../../src/core/machine.js';
import { CANARY, failure, filesUnder, folder } from './support.js';

const machine: Machine = {
  now: Date.now,
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, Math.min(milliseconds, 2))),
  unique: randomUUID,
};
const at = { profile: 'default', baseUrl: 'https://api.example.com' };

let env: Record<string, string>;
let file: string;
beforeEach(() => {
  env = { EDU_CONFIG_DIR: join(folder(), 'config') };
  file = credentialsFile(env);
});
const keep = (): Promise<void> => keepCredential(env, machine, at, { accessToken: CANARY.token });
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

describe('what others can read', () => {
  test('file 0600 in a folder 0700, under any umask', async () => {
    for (const mask of [0o000, 0o022, 0o277]) {
      const before = process.umask(mask);
      try {
        env = { EDU_CONFIG_DIR: join(folder(), 'config') };
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
    'a file with mode %o is refused with the chmod to run',
    async (mode) => {
      await keep();
      chmodSync(file, mode);
      const { message, hint } = refused();
      expect(message).toContain(file);
      expect(message).toContain(mode.toString(8));
      expect(hint).toContain(`chmod 600 '${file}'`);
      expect((await failure(keep())).hint).toContain('chmod 600');
      chmodSync(file, 0o600);
      expect(token()).toBe(CANARY.token);
    },
  );

  test.each([0o770, 0o707, 0o777])('a folder with mode %o, which others can write to, is refused', async (mode) => {
    await keep();
    chmodSync(dirname(file), mode);
    expect(refused().hint).toContain(`chmod go-w '${dirname(file)}'`);
  });

  test('a folder that was there already is closed before anything is written', async () => {
    mkdirSync(dirname(file), { recursive: true });
    chmodSync(dirname(file), 0o755);
    await keep();
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
  });
});

describe('what is a link', () => {
  test('a file that is a link is neither read nor written through', async () => {
    const target = join(folder(), 'target.json');
    await keep();
    renameSync(file, target);
    symlinkSync(target, file);
    const content = readFileSync(target, 'utf8');
    expect(refused().message).toContain(`${file}: it is a symbolic link`);
    await failure(keep());
    expect(readFileSync(target, 'utf8')).toBe(content);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
  });

  test('a link to nowhere is not written through', async () => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const target = join(folder(), 'planted.json');
    symlinkSync(target, file);
    await failure(keep());
    expect(existsSync(target)).toBe(false);
  });

  test('a link that appears at the last moment is replaced, not followed', () => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const target = join(folder(), 'target.json');
    writeFileSync(target, 'as it was');
    symlinkSync(target, file);
    writePrivate(file, 'new', 'unique');
    expect(readFileSync(target, 'utf8')).toBe('as it was');
    expect(lstatSync(file).isFile()).toBe(true);
  });

  test('a folder that is a link is refused', async () => {
    const elsewhere = folder();
    mkdirSync(dirname(dirname(file)), { recursive: true, mode: 0o700 });
    symlinkSync(elsewhere, dirname(file));
    expect((await failure(keep())).message).toContain(`${dirname(file)}: it is a symbolic link`);
    expect(filesUnder(elsewhere)).toEqual([]);
    writeFileSync(join(elsewhere, 'credentials.json'), '{"profiles":{}}', { mode: 0o600 });
    refused();
  });
});

describe('what is not ours', () => {
  test('a pipe in place of the file does not block', () => {
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
  ])('a broken file is named, not repeated and not overwritten: %s', async (text) => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, text, { mode: 0o600 });
    expect(refused().message).toBe(`The credentials file ${file} is broken`);
    expect((await failure(keep())).message).not.toContain('canary');
    expect(readFileSync(file, 'utf8')).toBe(text);
  });
});

describe('writing', () => {
  test('two logins to two profiles at once keep both, and leave no other file', async () => {
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        keepCredential(env, machine, { ...at, profile: `p${index}` }, { accessToken: `token-${index}` }),
      ),
    );
    for (let index = 0; index < 12; index++) {
      expect(findAccessToken({ env, ...at, profile: `p${index}` })?.token).toBe(`token-${index}`);
    }
    expect(filesUnder(env.EDU_CONFIG_DIR ?? '')).toEqual([file]);
  });

  test('that it can be done is tried before anything is spent', () => {
    checkCanKeep(env, machine);
    expect(filesUnder(env.EDU_CONFIG_DIR ?? '')).toEqual([]);
    const blocked = join(folder(), 'file');
    writeFileSync(blocked, '');
    expect(() => checkCanKeep({ EDU_CONFIG_DIR: blocked }, machine)).toThrowError(
      expect.objectContaining({ kind: 'usage', message: expect.stringContaining(blocked) }),
    );
  });

  test('logging out forgets the token and keeps the client secret, removing a profile forgets both', async () => {
    await keepCredential(env, machine, at, { accessToken: CANARY.token, clientSecret: CANARY.secret, clientId: 'c' });
    expect(await forgetCredentials(env, machine, ['default'], 'token')).toEqual(['https://api.example.com']);
    expect(token()).toBeUndefined();
    expect(readFileSync(file, 'utf8')).not.toContain(CANARY.token);
    expect(readFileSync(file, 'utf8')).toContain(JSON.stringify(CANARY.secret).slice(1, -1));
    await forgetCredentials(env, machine, ['default'], 'all');
    expect(readFileSync(file, 'utf8')).not.toContain('canary');
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

  test('EDU_TOKEN wins, with a line break behind it, and is not stored', async () => {
    await keep();
    const found = findAccessToken({ env: { ...env, EDU_TOKEN: 'from-environment\n' }, ...at });
    expect(found).toEqual({ token: 'from-environment', source: 'environment', from: 'EDU_TOKEN' });
    expect(readFileSync(file, 'utf8')).not.toContain('from-environment');
    expect(findAccessToken({ env: { ...env, EDU_TOKEN: '' }, ...at })?.source).toBe('file');
  });

  test('an EDU_TOKEN that is none is not repeated', () => {
    expect(() => findAccessToken({ env: { EDU_TOKEN: 'canary one\ntwo' }, ...at })).toThrowError(
      expect.objectContaining({ kind: 'usage', message: expect.not.stringContaining('canary') }),
    );
  });
});
