/** Checks that no other user can have written a file: owner and mode of the file, its folder and a link to it. */
import { closeSync, lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { shellLine } from '../shell.js';
import { codeOf, describeErrno } from './disk-errors.js';
import { NO_FOLLOW, openRegularFile, readLimited } from './regular-file.js';

/** Mode bits that allow others to write, and to read or write. */
export const WRITABLE_BY_OTHERS = 0o022;
export const OPEN_TO_OTHERS = 0o077;

/** Creates the error for an untrusted file or folder. */
export type Refuse = (message: string, hint: string) => Error;

export interface Trust {
  readonly refuse: Refuse;
  readonly forbidden: number;
  readonly maxBytes: number;
  /** True if the file may be a symbolic link of this user, as with managed dotfiles. */
  readonly mayBeLink: boolean;
}

/** @throws an error from `refuse` if a file, folder or link belongs to neither this user nor root */
export function checkOwner(path: string, stats: Stats, refuse: Refuse): void {
  const user = process.geteuid?.();
  if (user === undefined || stats.uid === user || stats.uid === 0) return;
  throw refuse(
    `Cannot trust ${path}: it belongs to another user (uid ${stats.uid}).`,
    `Run edu as that user, or move it away: ${shellLine('mv', path, `${path}.old`)}`,
  );
}

function checkMode(path: string, stats: Stats, forbidden: number, refuse: Refuse): void {
  // Windows has other permissions, which Node does not provide.
  if (process.platform === 'win32' || (stats.mode & forbidden) === 0) return;
  const mode = (stats.mode & 0o777).toString(8).padStart(4, '0');
  const isSecret = forbidden === OPEN_TO_OTHERS;
  const chmod = `Run: ${shellLine('chmod', isSecret ? '600' : 'go-w', path)}`;
  throw refuse(
    `Cannot trust ${path}: other users can ${isSecret ? 'read or change' : 'change'} it (mode ${mode}).`,
    isSecret ? `${chmod}. If others use this machine, log in again as well: the token may be known.` : chmod,
  );
}

/** The error for a link that may lead anywhere. */
export const isLink = (path: string, refuse: Refuse): Error =>
  refuse(`Cannot trust ${path}: it is a symbolic link.`, `Move it away: ${shellLine('mv', path, `${path}.old`)}`);

function using<T>(path: string, refuse: Refuse, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw refuse(`Cannot use ${path}: ${describeErrno(error)}.`, 'Check the path, and run the command again.');
  }
}

/**
 * Checks that others cannot write to a folder.
 * @returns false if there is no such folder
 * @throws an error from `refuse`
 */
export function checkFolder(folder: string, { refuse, mayBeLink }: Pick<Trust, 'refuse' | 'mayBeLink'>): boolean {
  const own = using(folder, refuse, () => lstatSync(folder, { throwIfNoEntry: false }));
  if (own === undefined) return false;
  if (own.isSymbolicLink() && !mayBeLink) throw isLink(folder, refuse);
  checkOwner(folder, own, refuse);
  const stats = own.isSymbolicLink() ? statSync(folder, { throwIfNoEntry: false }) : own;
  if (stats === undefined) return false;
  if (!stats.isDirectory())
    throw refuse(
      `Cannot use ${folder}: it is not a folder.`,
      `Move it away: ${shellLine('mv', folder, `${folder}.old`)}`,
    );
  checkOwner(folder, stats, refuse);
  checkMode(folder, stats, WRITABLE_BY_OTHERS, refuse);
  return true;
}

/**
 * Checks that no other user can have written or can add files in a folder, and that none of them is a link.
 * @returns false if the folder does not exist
 * @throws an error from `refuse`
 */
export function checkFolderAndFiles(folder: string, trust: Pick<Trust, 'refuse' | 'mayBeLink'>): boolean {
  if (!checkFolder(folder, trust)) return false;
  for (const name of using(folder, trust.refuse, () => readdirSync(folder))) {
    const path = join(folder, name);
    const stats = using(path, trust.refuse, () => lstatSync(path, { throwIfNoEntry: false }));
    // Another process may have removed the file.
    if (stats === undefined) continue;
    if (stats.isSymbolicLink()) throw isLink(path, trust.refuse);
    checkOwner(path, stats, trust.refuse);
    checkMode(path, stats, WRITABLE_BY_OTHERS, trust.refuse);
  }
  return true;
}

/** Opens a file without following a link, unless links are allowed; then the link and its target's folder are checked. */
function open(file: string, trust: Trust): ReturnType<typeof openRegularFile> {
  try {
    return openRegularFile(file, NO_FOLLOW);
  } catch (error) {
    if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) throw error;
  }
  if (!trust.mayBeLink) throw isLink(file, trust.refuse);
  checkOwner(file, lstatSync(file), trust.refuse);
  const target = realpathSync(file);
  checkFolder(dirname(target), trust);
  return openRegularFile(target, NO_FOLLOW);
}

/**
 * Reads a file.
 * @returns undefined if there is none
 * @throws an error from `refuse` if others can write the file or, for a secret, read it; if it is not a regular file, is
 *   larger than `maxBytes`, or cannot be read
 */
export function readTrustedFile(file: string, trust: Trust): string | undefined {
  const { refuse, forbidden, maxBytes } = trust;
  try {
    // Usually there is no file. Checked first, because the error of a failed open costs 2 ms.
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined || !checkFolder(dirname(file), trust))
      return undefined;
    const opened = open(file, trust);
    try {
      checkOwner(file, opened.stats, refuse);
      checkMode(file, opened.stats, forbidden, refuse);
      return readLimited(opened, maxBytes).toString('utf8');
    } finally {
      closeSync(opened.handle);
    }
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw refuse(`Cannot read ${file}: ${describeErrno(error)}.`, 'Make it a file that you own and may read.');
  }
}
