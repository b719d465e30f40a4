import fs, { chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writePrivate } from '../../../../src/core/fs/private-file.js';
import { observe } from '../../../support/observed-fs.js';
import { isRoot } from '../../../support/other-user.js';
import { temporaryFolder } from '../../../support/run.js';

test('a private file is on the disk before it has its name', () => {
  const file = join(temporaryFolder(), 'own', 'file');
  const synced: boolean[] = [];
  observe(fs, ({ fsyncSync }) => ({
    fsyncSync: (handle) => {
      fsyncSync(handle);
      synced.push(existsSync(file));
    },
  }));
  writePrivate(file, 'text');
  expect([synced, readFileSync(file, 'utf8')]).toEqual([[false], 'text']);
});

test('a folder of root whose mode cannot be changed is a usage error', () => {
  const folder = join(temporaryFolder(), 'own');
  mkdirSync(folder, { mode: 0o755 });
  observe(fs, () => ({
    fchmodSync: () => {
      throw Object.assign(new Error('EPERM: operation not permitted, fchmod'), { code: 'EPERM', syscall: 'fchmod' });
    },
  }));
  const error = { kind: 'usage', message: `Cannot write ${folder}: operation not permitted (EPERM).` };
  expect(() => writePrivate(join(folder, 'file'), 'text')).toThrow(expect.objectContaining(error));
});

test.runIf(isRoot)('no private file is written into a folder of another user', () => {
  const folder = join(temporaryFolder(), 'own');
  mkdirSync(folder, { mode: 0o700 });
  chownSync(folder, 12345, 0);
  expect(() => writePrivate(join(folder, 'file'), 'text')).toThrow(`${folder}: it belongs to another user (uid 12345)`);
  expect(existsSync(join(folder, 'file'))).toBe(false);
});
