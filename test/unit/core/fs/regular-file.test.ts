import { spawnSync } from 'node:child_process';
import { closeSync, constants, mkdirSync, statSync, symlinkSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  appendRegularFile,
  openRegularFile,
  readLimited,
  readRegularFile,
  streamRegularFile,
} from '../../../../src/core/fs/regular-file.js';
import { openFilesIn } from '../../../support/open-files.js';
import { temporaryFolder } from '../../../support/run.js';

const code = (expected: string) => expect.objectContaining({ code: expected });

describe('a regular file', () => {
  test('is refused above the limit', () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, 'x'.repeat(9));
    expect(() => readRegularFile(file, 8)).toThrowError(code('ETOOLARGE'));
  });

  test.skipIf(process.platform !== 'linux')('that claims to be empty is read to its end, or to the limit', () => {
    expect(readRegularFile('/proc/self/status', 100_000)).toContain('Pid:');
    expect(() => readRegularFile('/proc/self/status', 100)).toThrowError(code('ETOOLARGE'));
  });

  test('that grows while it is read ends at the limit', () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const opened = openRegularFile(file);
    writeFileSync(file, 'x'.repeat(100));
    expect(() => readLimited(opened, 64)).toThrowError(code('ETOOLARGE'));
    opened.stats.size = 2 ** 45;
    expect(() => readLimited(opened, 64)).toThrowError(code('ETOOLARGE'));
    closeSync(opened.handle);
  });

  test('is created for its owner only, and appended to', () => {
    const file = join(temporaryFolder(), 'file');
    for (const text of ['a', 'b']) {
      const handle = appendRegularFile(file);
      writeSync(handle, text);
      closeSync(handle);
    }
    expect([readRegularFile(file, 8), statSync(file).mode & 0o177]).toEqual(['ab', 0]);
  });

  test('is streamed', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, 'text');
    const chunks: Buffer[] = [];
    for await (const chunk of streamRegularFile(file)) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe('text');
  });
});

describe.skipIf(process.platform === 'win32')('anything else', () => {
  const made: Readonly<Record<string, (path: string) => void>> = {
    'a pipe': (path) => void spawnSync('mkfifo', [path]),
    'a folder': (path) => void mkdirSync(path),
    'an endless device': (path) => symlinkSync('/dev/zero', path),
    'a link to itself': (path) => symlinkSync(path, path),
  };

  test.each(Object.entries(made))('%s is refused at once', (name, make) => {
    const path = join(temporaryFolder(), 'file');
    make(path);
    const expected = code(name === 'a link to itself' ? 'ELOOP' : 'ENOTREGULAR');
    expect(() => readRegularFile(path, 8)).toThrowError(expected);
    expect(() => streamRegularFile(path)).toThrowError(expected);
    expect(openFilesIn(dirname(path))).toEqual([]);
  });

  test('a link is refused where none is followed', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    symlinkSync(join(folder, 'file'), join(folder, 'link'));
    expect(() => openRegularFile(join(folder, 'link'), constants.O_NOFOLLOW)).toThrowError(code('ELOOP'));
  });
});
