/** Writes the files that users name for output: regular files atomically, devices and pipes directly. */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { EduError, usageError } from '../errors.js';
import { shellLine } from '../shell.js';
import { codeOf, describeErrno, diskFullHint, isDiskFault } from './disk-errors.js';
import { PRIVATE_MODE, temporaryFor } from './write-file.js';
import { writePatiently } from './write-patiently.js';

export interface OutputOptions {
  /** Refuse to replace an existing file. */
  readonly exclusive?: boolean;
  /** Ends the wait for the reader of a pipe. */
  readonly signal?: AbortSignal;
}

/** @throws EduError `usage` if a folder contains files of these names, which a user may have edited */
export function checkFree(folder: string, names: readonly string[]): void {
  const taken = names.find((name) => existsSync(join(folder, name)));
  if (taken !== undefined)
    throw usageError(`Cannot write to ${folder}: it already contains ${taken}.`, 'Name another folder.');
}

/** Linux allows as many links in a path (path_resolution(7)). */
const MAX_LINKS = 40;
/** UTF-16 units of text per write. */
const BLOCK = 64 * 1024;

/** An error of the system or one of these reasons, for a path. */
function unwritable(path: string, error: unknown): unknown {
  const code = codeOf(error);
  if (error instanceof EduError || code === undefined) return error;
  if (code === 'EEXIST')
    return usageError(
      `Cannot write ${path}: it exists already.`,
      'Pass --force to overwrite it, or name another file.',
    );
  const folder = dirname(path);
  if (code === 'ENOENT' && !existsSync(folder))
    return usageError(
      `Cannot write ${path}: the folder ${folder} does not exist.`,
      `Create it: ${shellLine('mkdir', '-p', folder)}`,
    );
  const message = `Cannot write ${path}: ${describeErrno(error)}.`;
  const hint = diskFullHint(error, 'Name a file in a folder that you can write to.');
  // Nothing is wrong with the path if the disk fails, so that is no usage error.
  return new EduError(isDiskFault(error) ? 'internal' : 'usage', message, { hint, cause: error });
}

const DESCRIPTOR = /^(?:\/dev\/fd|\/proc\/(?:self|\d+(?:\/task\/\d+)?)\/fd)\/(\d+)$/;

/** The number of a file descriptor of this process that a path names, such as `/dev/fd/3`. */
function descriptorOf(path: string): number | undefined {
  const found = DESCRIPTOR.exec(path);
  if (found === null) return undefined;
  const isOwn = !/^\/proc\/\d/.test(path) || path.startsWith(`/proc/${process.pid}/`);
  return isOwn ? Number(found[1]) : undefined;
}

interface Destination {
  /** Without links in its last part. */
  readonly path: string;
  readonly descriptor: number | undefined;
  readonly stats: Stats | undefined;
}

/** Others may plant a link or pipe in a shared folder such as /tmp, as with fs.protected_symlinks (proc_sys_fs(5)). */
function checkPlanted(path: string, stats: Stats, folder: string): void {
  const { mode, uid } = statSync(folder);
  const isShared = (mode & 0o1002) === 0o1002;
  if (!isShared || process.geteuid === undefined || stats.uid === process.geteuid() || stats.uid === uid) return;
  throw usageError(`Cannot write ${path}: it belongs to another user (uid ${stats.uid}).`, 'Name another file.');
}

/** Follows links to the place that is to be written. @throws the system's error; EduError `usage` */
function destinationOf(path: string): Destination {
  let at = resolve(path);
  for (let links = 0; links <= MAX_LINKS; links++) {
    const folder = realpathSync(dirname(at));
    at = join(folder, basename(at));
    const descriptor = descriptorOf(at);
    if (descriptor !== undefined) return { path: at, descriptor, stats: fstatSync(descriptor) };
    const stats = lstatSync(at, { throwIfNoEntry: false });
    if (stats !== undefined && !stats.isFile()) checkPlanted(path, stats, folder);
    if (!stats?.isSymbolicLink()) return { path: at, descriptor, stats };
    at = resolve(folder, readlinkSync(at));
  }
  throw Object.assign(new Error('too many links'), { code: 'ELOOP' });
}

/** The file that a path names, through links, to compare paths; `-` for stdout, also as `/dev/stdout`. */
export function outputPlace(path: string): string {
  if (path === '-') return path;
  try {
    const found = destinationOf(path);
    return found.descriptor === 1 ? '-' : found.path;
  } catch {
    return resolve(path);
  }
}

/** True if a path is `-` or another name of stdout. */
export const isStdout = (path: string): boolean => outputPlace(path) === '-';

/** @throws an error with a code, or EduError `usage` */
function checkedDestination(path: string, exclusive: boolean): Destination {
  // Callers whose output may go to stdout handle `-` before.
  if (path === '-') throw usageError('Cannot write -: this output cannot go to stdout.', 'Name a file.');
  const found = destinationOf(path);
  const { stats } = found;
  if (stats?.isDirectory()) throw usageError(`Cannot write ${path}: it is a folder.`, 'Name a file.');
  if (stats?.isSocket() && found.descriptor === undefined)
    throw usageError(`Cannot write ${path}: it is a socket.`, 'Name a file.');
  if (found.descriptor !== undefined || (stats !== undefined && !stats.isFile())) return found;
  // A link without a target counts as a file.
  if (exclusive && lstatSync(path, { throwIfNoEntry: false }) !== undefined)
    throw Object.assign(new Error('it exists'), { code: 'EEXIST' });
  if (stats !== undefined) accessSync(found.path, constants.W_OK);
  accessSync(dirname(found.path), constants.W_OK | constants.X_OK);
  return found;
}

/** Checks early that an output file can be written, without creating it. @throws EduError `usage` */
export function checkOutput(path: string, { exclusive = false }: OutputOptions = {}): void {
  try {
    checkedDestination(path, exclusive);
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** Opens a pipe or device without waiting. @throws the system's error; `ENXIO` if nothing reads from a pipe */
function openStream({ path, descriptor, stats }: Destination): { readonly handle: number; readonly isOwn: boolean } {
  // Its position is shared with the program that opened it, and a socket cannot be opened again.
  if (descriptor !== undefined && (stats?.isFile() || stats?.isSocket())) return { handle: descriptor, isOwn: false };
  return { handle: openSync(path, constants.O_WRONLY | (constants.O_NONBLOCK ?? 0)), isOwn: true };
}

/** Where an output goes: a temporary file, or a stream without one. */
function openDestination(path: string, exclusive = false) {
  const found = checkedDestination(path, exclusive);
  const { stats, descriptor } = found;
  if (descriptor === undefined && (stats === undefined || stats.isFile())) {
    // Keeps a mode only if this user chose it. The file may hold personal data.
    const isOwn = stats !== undefined && stats.uid === (process.geteuid?.() ?? stats.uid);
    return temporaryFor(found.path, { mode: isOwn ? stats.mode & 0o777 : PRIVATE_MODE, flush: true, exclusive });
  }
  const { handle, isOwn } = openStream(found);
  const close = (): void => {
    if (isOwn) closeSync(handle);
  };
  return { handle, commit: close, drop: close };
}

type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** Joins texts to blocks, so that a line is not a write. */
async function* inBlocks(pieces: Pieces): AsyncGenerator<Uint8Array> {
  let waiting = '';
  for await (const piece of pieces) {
    if (typeof piece === 'string') waiting += piece;
    if (typeof piece === 'string' && waiting.length < BLOCK) continue;
    if (waiting !== '') yield Buffer.from(waiting);
    waiting = '';
    if (typeof piece !== 'string') yield piece;
  }
  if (waiting !== '') yield Buffer.from(waiting);
}

export interface OutputFile {
  write(bytes: Uint8Array): Promise<void>;
  /** Gives a regular file its name. */
  commit(): Promise<void>;
  /** Leaves nothing of a regular file. */
  drop(): void;
}

/**
 * Opens an output file. A regular file is replaced when it is complete, through a link as well; a pipe or device is
 * written directly.
 * @throws EduError `usage` if the path cannot be written, `internal` if the disk fails, as its methods do
 */
export async function openOutput(path: string, options: OutputOptions = {}): Promise<OutputFile> {
  const attempt = async <T>(work: () => T | Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw unwritable(path, error);
    }
  };
  const { handle, commit, drop } = await attempt(() => openDestination(path, options.exclusive));
  return {
    write: (bytes) => attempt(() => writePatiently(bytes, (rest) => writeSync(handle, rest), options.signal)),
    commit: () => attempt(commit),
    drop,
  };
}

/** Writes an output file, or nothing of it. @throws what `openOutput` throws; errors of `pieces` */
export async function writeOutput(path: string, pieces: Pieces, options?: OutputOptions): Promise<void> {
  const file = await openOutput(path, options);
  try {
    for await (const block of inBlocks(pieces)) await file.write(block);
  } catch (error) {
    file.drop();
    throw error;
  }
  await file.commit();
}
