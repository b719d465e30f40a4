import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasNodeSqlite } from '../../../../src/service/store/sqlite.js';
import { addLibsql, LIBSQL, noSqlite } from '../../../../src/service/store/state-error.js';
import { sharedFolder } from '../../../support/run.js';

const folder = sharedFolder();

test.each([
  ['20.18.1', false],
  ['22.12.0', false],
  ['22.13.0', true],
  ['24.0.0', true],
])('Node %s has SQLite: %s', (version, has) => {
  expect(hasNodeSqlite(version)).toBe(has);
});

test('suggests the version of libsql that is tested', () => {
  const { peerDependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect([peerDependencies, devDependencies].map(({ libsql }) => `libsql@${libsql}`)).toEqual([LIBSQL, LIBSQL]);
});

test('suggests the command that fits the installation', () => {
  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{}');
  const inside = join('node_modules', 'edu-cli', 'dist', 'chunks');
  expect(addLibsql(join(project, inside))).toBe(`npm install ${LIBSQL}`);
  expect(addLibsql(join(project, 'node_modules', '.pnpm', 'edu-cli@1.0.0', inside))).toBe(`npm install ${LIBSQL}`);
  expect(addLibsql(join(folder, 'lib', inside))).toBe(`npm install --global ${LIBSQL}`);

  expect(addLibsql(join(folder, 'clone', 'dist', 'chunks'))).toBe('npm ci');
});

test('distinguishes a libsql that cannot be loaded from none', () => {
  const missing = Object.assign(new Error("Cannot find module 'libsql'"), { code: 'MODULE_NOT_FOUND' });
  expect(noSqlite(missing, folder).message).toMatch(/has no SQLite$/);
  const broken = new Error('libc.musl-x86_64.so.1: cannot open shared object file');
  expect(noSqlite(broken, folder).message).toContain('libsql cannot be loaded: libc.musl');
});
