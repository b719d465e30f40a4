import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { renameExclusive, replaceContent, replaceFile } from '../../../../src/core/fs/write-file.js';
import { temporaryFolder } from '../../../support/run.js';

const failure = (code: string) => Object.assign(new Error(`${code}: not now`), { code });

/** A system that fails with these codes, one after the other, and then succeeds. */
function system(platform: NodeJS.Platform, ...codes: readonly string[]) {
  const waited: number[] = [];
  let tries = 0;
  const rename = () => {
    const code = codes[tries++];
    if (code !== undefined) throw failure(code);
  };
  return { platform, rename, wait: (milliseconds: number) => waited.push(milliseconds), waited, tries: () => tries };
}

describe('replacing a file', () => {
  test('works on this system', () => {
    const folder = temporaryFolder();
    const [from, to] = [join(folder, 'new'), join(folder, 'old')];
    writeFileSync(from, 'new');
    writeFileSync(to, 'old');
    replaceFile(from, to);
    expect(readFileSync(to, 'utf8')).toBe('new');
    expect(existsSync(from)).toBe(false);
  });

  test.each(['EPERM', 'EACCES', 'EBUSY'])('waits on Windows until no other process has the file open (%s)', (code) => {
    const windows = system('win32', code, code, code);
    replaceFile('a', 'b', windows);
    expect(windows.waited).toEqual([5, 10, 20]);
  });

  test('gives up on Windows after half a second', () => {
    const windows = system('win32', ...Array.from({ length: 20 }, () => 'EPERM'));
    expect(() => replaceFile('a', 'b', windows)).toThrow('EPERM');
    const sum = windows.waited.reduce((total, one) => total + one, 0);
    expect(sum).toBeGreaterThan(400);
    expect(sum).toBeLessThan(1000);
  });

  test('reports other errors at once', () => {
    const windows = system('win32', 'ENOENT', 'ENOENT');
    expect(() => replaceFile('a', 'b', windows)).toThrow('ENOENT');
    expect(windows.tries()).toBe(1);
  });

  test.each(['linux', 'darwin'] as const)('does not wait on %s', (platform) => {
    const other = system(platform, 'EPERM');
    expect(() => replaceFile('a', 'b', other)).toThrow('EPERM');
    expect(other.tries()).toBe(1);
    expect(other.waited).toEqual([]);
  });
});

describe('renaming without replacing', () => {
  /** A file system without hard links (link(2)). */
  const noLinks = (): never => {
    throw failure('EPERM');
  };
  const SYSTEMS: readonly [string, typeof noLinks | undefined][] = [
    ['with links', undefined],
    ['without', noLinks],
  ];

  test.each(SYSTEMS)('renames the file: %s', (_, link) => {
    const folder = temporaryFolder();
    const [from, to] = [join(folder, 'new'), join(folder, 'free')];
    writeFileSync(from, 'new');
    renameExclusive(from, to, link);
    expect(readFileSync(to, 'utf8')).toBe('new');
    expect(readdirSync(folder)).toEqual(['free']);
  });

  test('releases a reserved name when the rename fails, without hard links', () => {
    const folder = temporaryFolder();
    expect(() => renameExclusive(join(folder, 'gone'), join(folder, 'free'), noLinks)).toThrow('ENOENT');
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each(SYSTEMS)('keeps an existing file: %s', (_, link) => {
    const folder = temporaryFolder();
    const [from, to] = [join(folder, 'new'), join(folder, 'taken')];
    writeFileSync(from, 'new');
    writeFileSync(to, 'old');
    expect(() => renameExclusive(from, to, link)).toThrow('EEXIST');
    expect(readFileSync(to, 'utf8')).toBe('old');
    expect(readFileSync(from, 'utf8')).toBe('new');
  });
});

test('removes its temporary file when the rename fails', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'taken'));
  expect(() => replaceContent(join(folder, 'taken'), 'new')).toThrow();
  expect(readdirSync(folder)).toEqual(['taken']);
});
