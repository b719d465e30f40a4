/** Opens and reads regular files only, up to a limit, so that a pipe or device in their place never blocks. */
import { closeSync, constants, createReadStream, fstatSync, openSync, type ReadStream, readSync } from 'node:fs';
import type { Check } from '../checks.js';

const fault = (code: 'ENOTREGULAR' | 'ETOOLARGE', message: string): Error =>
  Object.assign(new Error(message), { code });

/** Refuses a link in the last part of a path, with `ELOOP`. Windows has no such flag. */
export const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

/** Closes what is not a regular file. */
function regular(path: string, handle: number) {
  const stats = fstatSync(handle);
  if (stats.isFile()) return { handle, stats };
  closeSync(handle);
  throw fault('ENOTREGULAR', `${path} is not a regular file`);
}

/**
 * Opens a regular file for reading without ever blocking. The caller must close its handle.
 * @param flags further flags, such as `NO_FOLLOW`
 * @throws the system's error; one with the code `ENOTREGULAR` for a folder, a pipe or a device
 */
export const openRegularFile = (path: string, flags = 0) =>
  // Without O_NONBLOCK, a pipe without a writer would block the process, even for signals. Windows has no such flag.
  regular(path, openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | flags));

/**
 * Opens a regular file for reading and appending without blocking. Creates it with mode 0600 if necessary.
 * @throws like `openRegularFile`
 */
export const appendRegularFile = (path: string): number =>
  // Opening a named pipe for reading and writing does not wait for another process.
  regular(path, openSync(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, 0o600)).handle;

/**
 * Reads the rest of an open file.
 * @throws an error with the code `ETOOLARGE` if it has more than `maxBytes`, even if its size claims fewer
 */
export function readLimited({ handle, stats }: ReturnType<typeof openRegularFile>, maxBytes: number): Buffer {
  if (stats.size > maxBytes) throw fault('ETOOLARGE', `more than ${maxBytes} bytes`);
  let bytes = Buffer.allocUnsafe(stats.size + 1);
  let length = 0;
  for (;;) {
    const count = readSync(handle, bytes, length, bytes.length - length, null);
    if (count === 0) return bytes.subarray(0, length);
    length += count;
    if (length > maxBytes) throw fault('ETOOLARGE', `more than ${maxBytes} bytes`);
    if (length === bytes.length) bytes = Buffer.concat([bytes], Math.min(length * 2, maxBytes + 1));
  }
}

/** Reads a whole regular file. @throws the system's error, or one with the code `ENOTREGULAR` or `ETOOLARGE` */
export function readRegularBytes(path: string, maxBytes: number, flags = 0): Buffer {
  const file = openRegularFile(path, flags);
  try {
    return readLimited(file, maxBytes);
  } finally {
    closeSync(file.handle);
  }
}

/** Like `readRegularBytes`, decoded as UTF-8. */
export const readRegularFile = (path: string, maxBytes: number, flags = 0): string =>
  readRegularBytes(path, maxBytes, flags).toString('utf8');

/** Reads a JSON file. @returns undefined if it cannot be read, is not JSON, or does not pass the check */
export function readJsonFile<T>(path: string, maxBytes: number, check: Check<T>): T | undefined {
  try {
    const value: unknown = JSON.parse(readRegularFile(path, maxBytes));
    return check(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export interface StreamOptions {
  /** As of `openRegularFile`. */
  readonly flags?: number;
  readonly maxBytes?: number;
  readonly highWaterMark?: number;
  readonly signal?: AbortSignal | undefined;
}

/** A regular file as a stream. @throws like `openRegularFile`, synchronously */
export function streamRegularFile(
  path: string,
  { flags, maxBytes, signal, ...others }: StreamOptions = {},
): ReadStream {
  const { handle } = openRegularFile(path, flags);
  return createReadStream(path, {
    fd: handle,
    ...others,
    ...(maxBytes === undefined ? {} : { start: 0, end: maxBytes - 1 }),
    ...(signal === undefined ? {} : { signal }),
  });
}
