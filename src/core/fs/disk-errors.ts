/** Describes errors of the file system. */
import { EduError, usageError } from '../errors.js';

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'there is no space left on the disk',
  EDQUOT: 'your disk quota is used up',
  EFBIG: 'it would exceed the maximum file size',
  EROFS: 'the file system is read-only',
  EIO: 'the disk failed',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ENOTREGULAR: 'it is not a regular file',
  ETOOLARGE: 'it is too large',
};

/** Reasons that concern a path rather than the disk, where Node has no better words. */
const PATH_REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EISDIR: 'it is a folder',
  ENOTDIR: 'part of the path is not a folder',
  EEXIST: 'a file with this name exists',
  ENXIO: 'no program reads from the pipe',
  EPIPE: 'its reader has closed the pipe',
  ELOOP: 'it is a symbolic link, or leads through too many',
  ENAMETOOLONG: 'its name is too long',
};

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** The code of a system error; undefined for other errors. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/**
 * Adds the path to a system error without one: errors of reads, writes and syncs of an open file.
 * @returns the error
 */
export function withPath(error: unknown, file: string): unknown {
  if (codeOf(error) !== undefined && error instanceof Error && !('path' in error)) Object.assign(error, { path: file });
  return error;
}

/** Runs work on a file, and adds the path to system errors that it throws. */
export function onFile<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw withPath(error, file);
  }
}

/** True if a write failed because the disk or quota is full. */
export const isFull = (error: unknown): boolean => FULL.has(codeOf(error) ?? '');

/** True if an operation failed because of the disk or the system rather than the path. */
export const isDiskFault = (error: unknown): boolean =>
  isFull(error) || ['EIO', 'EMFILE', 'ENFILE'].includes(codeOf(error) ?? '');

const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: 'Make room on the disk and run the command again.',
  EDQUOT: 'Make room on the disk and run the command again.',
  EFBIG: 'Raise the limit (ulimit -f) and run the command again.',
  EMFILE: 'Raise the limit of open files (ulimit -n 1024) and run the command again.',
  ENFILE: 'Close other programs and run the command again.',
};

/** The hint for a failed read or write. @param otherwise the hint unless a resource is exhausted */
export const diskFullHint = (error: unknown, otherwise: string): string => HINTS[codeOf(error) ?? ''] ?? otherwise;

/** The error of a relative path if the current folder was removed. */
function folderLost(error: unknown): EduError | undefined {
  if (!(error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd')) return undefined;
  const hint = 'Change to an existing folder (cd) and run the command again.';
  return usageError('Cannot find the current folder: it no longer exists.', hint);
}

const PRIVATE_HINT =
  'Make its folder writable, or set EDU_CONFIG_DIR and EDU_STATE_DIR to others. EDU_TOKEN works without any file.';

/** The error for a file or folder that cannot be written; an error of `edu` itself stays. @param hint by default that of a private file */
export function cannotWrite(path: string, error: unknown, hint = PRIVATE_HINT): EduError {
  if (error instanceof EduError) return error;
  return folderLost(error) ?? usageError(`Cannot write ${path}: ${describeErrno(error)}.`, diskFullHint(error, hint));
}

/** Writes a file or folder. @throws EduError `usage` in place of the system's error, as `cannotWrite` */
export function writing<T>(path: string, work: () => T, hint?: string): T {
  try {
    return work();
  } catch (error) {
    throw cannotWrite(path, error, hint);
  }
}

/** The reason for a system error with its code: `the file system is read-only (EROFS)`; Node's own words for a rare one. */
export function describeErrno(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = codeOf(error) ?? '';
  const { getSystemErrorMap } = process.getBuiltinModule('node:util');
  const inNode = () => [...getSystemErrorMap().values()].find(([name]) => name === code)?.[1];
  const reason = REASONS[code] ?? PATH_REASONS[code] ?? inNode();
  return reason === undefined ? error.message : `${reason} (${code})`;
}

/** System calls that read, and that write. */
const READS = new Set(['read', 'scandir']);
const WRITES = new Set(['write', 'fsync', 'fdatasync', 'ftruncate', 'rename', 'link', 'mkdir']);

/** The error for a system error that concerns the disk rather than `edu`; undefined for other errors. */
export function diskError(error: unknown): EduError | undefined {
  const code = codeOf(error) ?? '';
  const lost = folderLost(error);
  if (lost !== undefined) return lost;
  if (REASONS[code] === undefined || !(error instanceof Error) || !('syscall' in error)) return undefined;
  const what = 'path' in error ? String(error.path) : 'A file';
  const call = String(error.syscall);
  const done = READS.has(call) ? 'read' : isFull(error) || WRITES.has(call) ? 'written' : 'used';
  return new EduError('internal', `${what} cannot be ${done}: ${describeErrno(error)}.`, {
    hint: diskFullHint(error, 'Fix the cause and run the command again.'),
    cause: error,
  });
}
