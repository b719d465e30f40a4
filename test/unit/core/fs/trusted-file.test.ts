/** Files that only this user can have written. */
import fs, { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { usageError } from '../../../../src/core/errors.js';
import {
  checkFolderAndFiles,
  OPEN_TO_OTHERS,
  readTrustedFile,
  WRITABLE_BY_OTHERS,
} from '../../../../src/core/fs/trusted-file.js';
import { observe } from '../../../support/observed-fs.js';
import { openFilesIn } from '../../../support/open-files.js';
import { isRoot } from '../../../support/other-user.js';
import { temporaryFolder } from '../../../support/run.js';

const trust = { refuse: usageError, forbidden: OPEN_TO_OTHERS, maxBytes: 10, mayBeLink: false };

/** A private folder with a private file. */
function place() {
  const folder = join(temporaryFolder(), 'own');
  mkdirSync(folder, { mode: 0o700 });
  const file = join(folder, 'file');
  writeFileSync(file, 'text', { mode: 0o600 });
  return { folder, file };
}

/** A path without the temporary folder, which differs on every machine. */
const shortened = (folder: string, error: { readonly message: string; readonly hint?: string | undefined }) =>
  [error.message, error.hint].map((text) => text?.replaceAll(folder, 'DIR'));

const errorOf = (work: () => unknown) => {
  try {
    return expect.fail(`it was read: ${work()}`);
  } catch (error) {
    return error as { readonly message: string; readonly hint?: string };
  }
};

describe.skipIf(process.platform === 'win32')('a file that others may have written', () => {
  const moveAway = (path: string) => `Move it away: mv ${path} ${path}.old`;
  const cases: Readonly<Record<string, readonly [(one: ReturnType<typeof place>) => void, string, string]>> = {
    'is a link': [
      ({ folder, file }) => {
        rmSync(file);
        symlinkSync(folder, file);
      },
      'Cannot trust DIR/file: it is a symbolic link.',
      moveAway('DIR/file'),
    ],
    'can be read by others': [
      ({ file }) => chmodSync(file, 0o604),
      'Cannot trust DIR/file: other users can read or change it (mode 0604).',
      'Run: chmod 600 DIR/file. If others use this machine, log in again as well: the token may be known.',
    ],
    'is in a folder that others can write to': [
      ({ folder }) => chmodSync(folder, 0o720),
      'Cannot trust DIR: other users can change it (mode 0720).',
      'Run: chmod go-w DIR',
    ],
    'is too large': [
      ({ file }) => writeFileSync(file, 'x'.repeat(11)),
      'Cannot read DIR/file: it is too large (ETOOLARGE).',
      'Make it a file that you own and may read.',
    ],
    'is a folder': [
      ({ file }) => {
        rmSync(file);
        mkdirSync(file, { mode: 0o700 });
      },
      'Cannot read DIR/file: it is not a regular file (ENOTREGULAR).',
      'Make it a file that you own and may read.',
    ],
  };
  test.each(Object.entries(cases))('is refused if it %s', (_, [change, message, hint]) => {
    const one = place();
    change(one);
    expect(
      shortened(
        one.folder,
        errorOf(() => readTrustedFile(one.file, trust)),
      ),
    ).toEqual([message, hint]);
    expect(openFilesIn(one.folder)).toEqual([]);
  });

  test('may be readable if it is no secret, but not writable', () => {
    const { file } = place();
    chmodSync(file, 0o644);
    expect(readTrustedFile(file, { ...trust, forbidden: WRITABLE_BY_OTHERS })).toBe('text');
    chmodSync(file, 0o646);
    expect(() => readTrustedFile(file, { ...trust, forbidden: WRITABLE_BY_OTHERS })).toThrow('can change it');
  });

  test('may be reached through a link where links are allowed, into a folder that others cannot write to', () => {
    const { folder, file } = place();
    const other = place();
    rmSync(file);
    symlinkSync(other.file, file);
    expect(readTrustedFile(file, { ...trust, mayBeLink: true })).toBe('text');
    chmodSync(other.folder, 0o777);
    expect(() => readTrustedFile(file, { ...trust, mayBeLink: true })).toThrow(`Cannot trust ${other.folder}`);
    chmodSync(other.folder, 0o700);
    symlinkSync(folder, `${folder}-link`);
    expect(() => readTrustedFile(`${folder}-link/file`, trust)).toThrow('it is a symbolic link');
    expect(readTrustedFile(`${folder}-link/file`, { ...trust, mayBeLink: true })).toBe('text');
  });

  test.runIf(isRoot)('belongs to another user', () => {
    const { folder, file } = place();
    chownSync(file, 12345, 0);
    expect(() => readTrustedFile(file, trust)).toThrow(`${file}: it belongs to another user (uid 12345).`);
    expect(() => checkFolderAndFiles(folder, trust)).toThrow(`${file}: it belongs to another user`);
    vi.spyOn(process, 'geteuid').mockReturnValue(12345);
    expect(readTrustedFile(file, trust)).toBe('text');
    vi.restoreAllMocks();
    chownSync(folder, 12345, 0);
    expect(() => checkFolderAndFiles(folder, trust)).toThrow(`${folder}: it belongs to another user`);
  });
});

test('no file or folder is no error', () => {
  const { folder, file } = place();
  expect(checkFolderAndFiles(folder, trust)).toBe(true);
  rmSync(file);
  expect(readTrustedFile(file, trust)).toBeUndefined();
  expect(readTrustedFile(join(folder, 'none', 'file'), trust)).toBeUndefined();
  expect(checkFolderAndFiles(join(folder, 'none'), trust)).toBe(false);
  symlinkSync(join(folder, 'none'), join(folder, 'link'));
  expect(checkFolderAndFiles(join(folder, 'link'), { ...trust, mayBeLink: true })).toBe(false);
  expect(() => checkFolderAndFiles(folder, trust)).toThrow('it is a symbolic link');
});

test('a folder that cannot be read, such as one that root made, is refused with the reason', () => {
  const { folder } = place();
  observe(fs, () => ({
    readdirSync: () => {
      throw Object.assign(new Error('EACCES: permission denied, scandir'), { code: 'EACCES', syscall: 'scandir' });
    },
  }));
  const error = { kind: 'usage', message: `Cannot use ${folder}: permission denied (EACCES).` };
  expect(() => checkFolderAndFiles(folder, trust)).toThrow(expect.objectContaining(error));
});
