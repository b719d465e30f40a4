import { statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ensureFolder } from '../../../../src/core/fs/mkdir.js';
import { temporaryFolder } from '../../../support/run.js';

const mode = (path: string): number => statSync(path).mode & 0o777;

test('makes a folder and its parents, for the owner only', () => {
  const root = temporaryFolder();
  ensureFolder(join(root, 'a', 'b', 'c'));
  ensureFolder(join(root, 'a', 'b', 'c'));
  expect(['a', 'a/b', 'a/b/c'].map((path) => mode(join(root, path)))).toEqual([0o700, 0o700, 0o700]);
});

test('returns the folders that it made, the innermost last', () => {
  const root = temporaryFolder();
  expect(ensureFolder(join(root, 'a', 'b'))).toEqual([join(root, 'a'), join(root, 'a', 'b')]);
  expect(ensureFolder(join(root, 'a', 'b', 'c'))).toEqual([join(root, 'a', 'b', 'c')]);
  expect(ensureFolder(join(root, 'a', 'b', 'c'))).toEqual([]);
});

test('fails at a file or a dangling link', () => {
  const root = temporaryFolder();
  writeFileSync(join(root, 'file'), '');
  symlinkSync('nowhere', join(root, 'dangling'));
  expect(() => ensureFolder(join(root, 'file'))).toThrow(/EEXIST/);
  expect(() => ensureFolder(join(root, 'file', 'x', 'y'))).toThrow(/ENOTDIR/);
  expect(() => ensureFolder(join(root, 'dangling'))).toThrow(/EEXIST/);
});

test.runIf(process.platform === 'linux')('fails at once where no folder can be made', () => {
  expect(() => ensureFolder('/proc/edu/x')).toThrow(/ENOENT/);
});
