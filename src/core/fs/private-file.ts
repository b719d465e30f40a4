/** Reads and writes files with mode 0600 in folders with mode 0700. Errors never contain their content. */
import { closeSync, constants, existsSync, fchmodSync, fstatSync, lstatSync, openSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { EduError } from '../errors.js';
import { cannotWrite, writing } from './disk-errors.js';
import { ensureFolder } from './mkdir.js';
import { checkFolder, checkOwner, OPEN_TO_OTHERS, type Refuse, readTrustedFile } from './trusted-file.js';
import { replaceContent } from './write-file.js';

const refuse: Refuse = (message, hint) => new EduError('unauthenticated', message, { hint });

/** A credentials file is far smaller than a megabyte. */
const TRUST = { refuse, forbidden: OPEN_TO_OTHERS, maxBytes: 1024 * 1024, mayBeLink: false };

/**
 * Reads a private file.
 * @returns its text; undefined if there is none
 * @throws an `unauthenticated` error if others could read or change it, or it is a link
 */
export const readPrivate = (file: string): string | undefined => readTrustedFile(file, TRUST);

/**
 * Writes a private file atomically (0600), and creates its folder (0700). An existing file or link is replaced, never
 * followed.
 */
export function writePrivate(file: string, text: string): void {
  inPrivateFolder(dirname(file), (folder) =>
    writing(file, () => replaceContent(join(folder, basename(file)), text, { flush: true })),
  );
}

/**
 * Runs work in a folder with mode 0700, which is created if necessary.
 * @param work gets a path to the checked folder, even if another one is renamed to its name meanwhile (Linux only)
 * @throws a usage error if the folder cannot be created; an error from `refused` if others can write to it or its parent
 */
export function inPrivateFolder<T>(folder: string, work: (folder: string) => T, refused: Refuse = refuse): T {
  writing(folder, () => ensureFolder(folder));
  checkFolder(dirname(folder), { refuse: refused, mayBeLink: true });
  if (process.platform === 'win32') return work(folder);
  const handle = openFolder(folder, refused);
  try {
    const stats = fstatSync(handle);
    checkOwner(folder, stats, refused);
    // Only edu uses the folder, so no other program loses access.
    if ((stats.mode & 0o777) !== 0o700) writing(folder, () => fchmodSync(handle, 0o700));
    const own = `/proc/self/fd/${handle}`;
    return work(existsSync(own) ? own : folder);
  } finally {
    closeSync(handle);
  }
}

function openFolder(folder: string, refused: Refuse): number {
  try {
    return openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    // Reports a link or another kind of file instead.
    if (lstatSync(folder, { throwIfNoEntry: false })) checkFolder(folder, { refuse: refused, mayBeLink: false });
    throw cannotWrite(folder, error);
  }
}

/** Creates a private folder, or checks an existing one. @throws like `inPrivateFolder` */
export const makePrivateFolder = (folder: string): void => inPrivateFolder(folder, () => {});
