/** Opens and reads regular files only, up to a limit: a pipe or device in their place never blocks. */
import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  openSync,
  type ReadStream,
  readSync,
  type Stats,
} from 'node:fs';

/** The codes of this module's own errors, beside those of the system. */
type OwnCode = 'ENOTREGULAR' | 'ETOOLARGE';

const fault = (code: OwnCode, message: string): Error => Object.assign(new Error(message), { code });

/** An open file. The caller closes its handle. */
export interface OpenFile {
  readonly handle: number;
  readonly stats: Stats;
}

/**
 * Opens a regular file for reading without waiting for anything.
 * @param flags added to O_RDONLY: `constants.O_NOFOLLOW`
 * @throws the system's error; one with the code `ENOTREGULAR` for a folder, a pipe or a device
 */
export function openRegularFile(path: string, flags = 0): OpenFile {
  // A pipe without a writer would block the whole program, deaf to signals. Windows has no such flag.
  const handle = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | flags);
  const stats = fstatSync(handle);
  if (stats.isFile()) return { handle, stats };
  closeSync(handle);
  throw fault('ENOTREGULAR', `${path} is not a regular file`);
}

/**
 * Reads the rest of an open file.
 * @throws an error with the code `ETOOLARGE` when it has more than `maxBytes`, even if it claims to have fewer
 */
export function readLimited({ handle, stats }: OpenFile, maxBytes: number): Buffer {
  let bytes = Buffer.allocUnsafe(Math.min(stats.size, maxBytes) + 1);
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
export function readRegularBytes(path: string, maxBytes: number): Buffer {
  const file = openRegularFile(path);
  try {
    return readLimited(file, maxBytes);
  } finally {
    closeSync(file.handle);
  }
}

/** The same as UTF-8. */
export const readRegularFile = (path: string, maxBytes: number): string =>
  readRegularBytes(path, maxBytes).toString('utf8');

export interface StreamOptions {
  /** Last byte to read. */
  readonly maxBytes?: number;
  readonly highWaterMark?: number;
  readonly signal?: AbortSignal | undefined;
}

/** A regular file as a stream. @throws as `openRegularFile`, at once */
export function streamRegularFile(path: string, { maxBytes, signal, ...others }: StreamOptions = {}): ReadStream {
  const { handle } = openRegularFile(path);
  return createReadStream(path, {
    fd: handle,
    ...others,
    ...(maxBytes === undefined ? {} : { start: 0, end: maxBytes - 1 }),
    ...(signal === undefined ? {} : { signal }),
  });
}
