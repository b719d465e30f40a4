/**
 * Files that nobody but their owner may read: how they are read and written. Knows nothing of what is in them, and never
 * repeats any of it in an error.
 */
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { EduError, usageError } from '../errors.js';
import { takePlace } from './atomic-rename.js';
import { folderError, roomOr } from './disk-errors.js';
import { makeFolder } from './mkdir.js';
import { ownMark, removeLeftOvers } from './temporary.js';

/** Far more than any credentials file holds, in bytes. */
const LARGEST = 1024 * 1024;

/**
 * Reads a private file.
 * @returns its text; undefined when there is none
 * @throws an `unauthenticated` error with the command to run when others could read or change it, or it is a link
 */
export function readPrivate(file: string): string | undefined {
  const folder = statOf(dirname(file));
  if (!folder) return undefined;
  checkFolder(dirname(file), folder);
  let handle: number;
  try {
    // Not following a link, and not waiting for a writer should it be a pipe. Windows has neither flag.
    handle = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return undefined;
    if (code === 'ELOOP') throw isLink(file);
    throw refused(`The credentials file ${file} can't be read (${code})`, 'Make it a file that you own and may read.');
  }
  try {
    const facts = fstatSync(handle);
    if (!facts.isFile()) throw refused(`${file} is not a file`, `Move it away: mv '${file}' '${file}.old'`);
    checkOwner(file, facts);
    if (!hasModes()) return readFileSync(handle, 'utf8');
    if ((facts.mode & 0o077) !== 0) {
      throw refused(
        `The credentials file ${file} is open to others (mode ${modeOf(facts)})`,
        `Run: chmod 600 '${file}'. If others use this machine, log in again as well: the token may be known.`,
      );
    }
    if (facts.size > LARGEST) throw refused(`The credentials file ${file} is ${facts.size} bytes long: it is not ours`);
    return readFileSync(handle, 'utf8');
  } finally {
    closeSync(handle);
  }
}

/**
 * Writes a private file whole or not at all: to a new file beside it (0600), which then takes its place. Makes its folder
 * (0700). What was there is replaced, never followed or written through.
 * @param unique part of the temporary file's name, not to be guessed
 */
export function writePrivate(file: string, text: string, unique: string): void {
  makePrivateFolder(dirname(file));
  const name = `.${basename(file)}.`;
  removeLeftOvers(dirname(file), (left) => left.startsWith(name));
  const temporary = join(dirname(file), `${name}${ownMark()}.${unique}`);
  try {
    const handle = openSync(temporary, 'wx', 0o600);
    try {
      // The mode at creation is cut by the umask, which may be odd.
      if (hasModes()) fchmodSync(handle, 0o600);
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    takePlace(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw unwritable(file, error);
  }
}

/**
 * Makes a folder that only its owner can enter, or makes sure of one that exists.
 * @throws a usage error when it can't be made or is not ours
 */
export function makePrivateFolder(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    throw unwritable(folder, folderError(folder, error));
  }
  const facts = statOf(folder);
  if (!facts) throw unwritable(folder, undefined);
  if (!facts.isDirectory()) checkFolder(folder, facts);
  checkOwner(folder, facts);
  // The folder holds nothing but our own files, so closing it takes nothing from anybody.
  if (hasModes() && (facts.mode & 0o777) !== 0o700) chmodSync(folder, 0o700);
}

function checkFolder(folder: string, facts: Stats): void {
  if (facts.isSymbolicLink()) throw isLink(folder);
  if (!facts.isDirectory()) throw refused(`${folder} is not a folder`, `Move it away: mv '${folder}' '${folder}.old'`);
  checkOwner(folder, facts);
  if (hasModes() && (facts.mode & 0o022) !== 0) {
    throw refused(`Others can write to ${folder} (mode ${modeOf(facts)})`, `Run: chmod 700 '${folder}'`);
  }
}

// Root may look after a user's files; a user must not be handed somebody else's.
function checkOwner(path: string, facts: Stats): void {
  const user = process.geteuid?.();
  if (user === undefined || user === 0 || facts.uid === user) return;
  throw refused(`${path} belongs to another user (uid ${facts.uid})`, `Move it away, then log in again.`);
}

function statOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

const isLink = (path: string): EduError =>
  refused(
    `${path} is a symbolic link, and credentials are not read or written through links`,
    `Move it away: mv '${path}' '${path}.old', then log in again. EDU_CONFIG_DIR can name another folder.`,
  );

const refused = (message: string, hint?: string): EduError => new EduError('unauthenticated', message, { hint });

const unwritable = (path: string, error: unknown): EduError =>
  error instanceof EduError
    ? error
    : usageError(
        `${path} can't be written (${codeOf(error)})`,
        `${roomOr(error, 'Make its folder writable, or set EDU_CONFIG_DIR to one that is.')} EDU_TOKEN works without any file.`,
      );

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'no reason given';

const hasModes = (): boolean => process.platform !== 'win32';

const modeOf = (facts: Stats): string => (facts.mode & 0o777).toString(8).padStart(4, '0');
