/** Finding programs, and ignoring those planted in the current folder. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { childEnv, findProgram } from '../../../../src/output/terminal/program.js';
import { temporaryFolder } from '../../../support/run.js';

describe('finding a program', () => {
  const found = (name: string, path: string, platform: NodeJS.Platform, ...files: readonly string[]) =>
    findProgram(name, platform === 'win32' ? { Path: path } : { PATH: path }, platform, (file) => files.includes(file));

  test.each([
    ['less', '/a:/b', '/b/less'],
    ['less', '/b:/a', '/b/less'],
    ['less', '.:b::/b:', '/b/less'],
    ['less', '.:b:', undefined],
    ['less', '', undefined],
    ['b/less', '/', undefined],
    ['./less', '/b', undefined],
    ['', '/b', undefined],
    ['/opt/x', '', '/opt/x'],
  ])('%j with PATH %j: %s', (name, path, expected) => {
    expect(found(name, path, 'linux', '/b/less', 'b/less', 'less', './less')).toBe(expected);
  });

  test.each([
    ['less', 'C:\\a;C:\\b', 'C:\\b\\less.exe'],
    ['less', '.;b;;C:\\b', 'C:\\b\\less.exe'],
    ['less', '.;b', undefined],
    ['b\\less', 'C:\\', undefined],
  ])('%j with PATH %j on Windows: %s', (name, path, expected) => {
    expect(found(name, path, 'win32', 'C:\\b\\less.exe', 'b\\less.exe', 'less.exe')).toBe(expected);
  });

  test('finds only executable files', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'folder'));
    writeFileSync(join(folder, 'text'), '', { mode: 0o600 });
    writeFileSync(join(folder, 'program'), '');
    chmodSync(join(folder, 'program'), 0o755);
    const names = ['folder', 'text', 'program'].filter((name) => findProgram(name, { PATH: folder }) !== undefined);
    expect(names).toEqual(process.platform === 'win32' ? ['text', 'program'] : ['program']);
  });
});

test('gives a program no secrets, and only the absolute folders of PATH', () => {
  const secrets = { EDU_TOKEN: 'x', EDU_CLIENT_SECRET: 'x', EDU_CODE_SECRET: 'x' };
  expect(childEnv({ ...secrets, PATH: '.:/bin::/usr/bin:x', LESS: 'R' }, 'linux')).toEqual({
    PATH: '/bin:/usr/bin',
    LESS: 'R',
  });
  expect(childEnv({ PATH: ':.' }, 'linux')).toEqual({});
  expect(childEnv({ Path: '.;C:\\Windows' }, 'win32')).toEqual({ Path: 'C:\\Windows' });
});
