/** Errors of the file system in words. */
import { describe, expect, test } from 'vitest';
import { describeErrno, diskError, isDiskFault, onFile, withPath } from '../../../../src/core/fs/disk-errors.js';

const errno = (code: string, syscall?: string, path?: string): Error =>
  Object.assign(new Error(`${code}: failed`), {
    code,
    ...(syscall === undefined ? {} : { syscall }),
    ...(path === undefined ? {} : { path }),
  });

describe('a system error', () => {
  test.each([
    ['ENOSPC', 'there is no space left on the disk (ENOSPC)', true],
    ['EDQUOT', 'your disk quota is used up (EDQUOT)', true],
    ['EFBIG', 'it would exceed the maximum file size (EFBIG)', true],
    ['EIO', 'the disk failed (EIO)', true],
    ['EMFILE', 'too many files are open (EMFILE)', true],
    ['ENFILE', 'too many files are open (ENFILE)', true],
    ['EROFS', 'the file system is read-only (EROFS)', false],
    ['ENOENT', 'no such file or folder (ENOENT)', false],
    ['EEXIST', 'a file with this name exists (EEXIST)', false],
    ['EXDEV', 'cross-device link not permitted (EXDEV)', false],
    ['EODD', 'EODD: failed', false],
  ])('%s is described as %s', (code, text, isFault) => {
    expect([describeErrno(errno(code)), isDiskFault(errno(code))]).toEqual([text, isFault]);
  });

  test('gets the path of its file, unless it has one', () => {
    expect(withPath(errno('EIO', 'read'), 'a')).toMatchObject({ path: 'a' });
    expect(withPath(errno('EIO', 'open', 'b'), 'a')).toMatchObject({ path: 'b' });
    expect(withPath(new Error('no code'), 'a')).not.toHaveProperty('path');
    const work = () => {
      throw errno('EIO', 'read');
    };
    expect(() => onFile('a', work)).toThrowError(expect.objectContaining({ code: 'EIO', path: 'a' }));
  });

  test.each([
    ['ENOSPC', 'open', 'a cannot be written: there is no space left on the disk (ENOSPC).'],
    ['EIO', 'read', 'a cannot be read: the disk failed (EIO).'],
    ['EIO', 'scandir', 'a cannot be read: the disk failed (EIO).'],
    ['EROFS', 'rename', 'a cannot be written: the file system is read-only (EROFS).'],
    ['EMFILE', 'open', 'a cannot be used: too many files are open (EMFILE).'],
  ])('%s of %s concerns the disk', (code, syscall, message) => {
    expect(diskError(errno(code, syscall, 'a'))).toMatchObject({
      kind: 'internal',
      message,
      hint: expect.stringMatching(/\w/),
    });
  });

  test.each(['write', 'fsync', 'fdatasync', 'ftruncate', 'rename', 'link', 'mkdir'])(
    'EIO of %s was a write',
    (call) => {
      expect(diskError(errno('EIO', call, 'a'))?.message).toBe('a cannot be written: the disk failed (EIO).');
    },
  );

  test('of a current folder that is gone is a usage error, and others are not of the disk', () => {
    expect(diskError(errno('ENOENT', 'uv_cwd'))).toMatchObject({ kind: 'usage' });
    expect(diskError(errno('EIO', 'write'))?.message).toMatch(/^A file cannot be written: /);
    for (const other of [errno('ENOENT', 'open', 'a'), errno('EIO'), new Error('x'), 'EIO'])
      expect(diskError(other)).toBeUndefined();
  });
});
