/** Streams input that the user names: a file, a pipe, or `-` for stdin. */
import { read, statSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { usageError } from '../errors.js';
import type { In } from '../io.js';
import { codeOf, describeErrno } from './disk-errors.js';

/** Names of stdin, which is not opened by name because it may be a socket. */
const STDIN = new Set(['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0']);

function open(flag: string, path: string, stdin: In): AsyncIterable<Uint8Array> {
  if (STDIN.has(path)) {
    if (stdin.isTTY)
      throw usageError(
        `${flag} ${path} reads stdin, and stdin is the terminal.`,
        `Pipe a file in, or name it: ${flag} FILE`,
      );
    return stdin;
  }
  const stats = statSync(path);
  if (stats.isDirectory()) throw usageError(`${flag}: ${JSON.stringify(path)} is a folder.`);
  // Named pipes are allowed, because shells create them for <(command). The stream opens them without blocking signals.
  if (!stats.isFile() && !stats.isFIFO())
    throw usageError(`${flag}: ${JSON.stringify(path)} is neither a file nor a pipe.`);
  return bytesOf(path);
}

const CHUNK = 64 * 1024;

/** Reads an open file into one buffer, reused for each chunk, because new ones took up to 60 MB before V8 freed them. */
export async function* inOneBuffer(handle: number, maxBytes = Number.POSITIVE_INFINITY): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (let left = maxBytes; left > 0; ) {
    const length = Math.min(CHUNK, left);
    const count = await new Promise<number>((resolve, reject) =>
      read(handle, buffer, 0, length, null, (error, bytes) => (error ? reject(error) : resolve(bytes))),
    );
    if (count === 0) return;
    left -= count;
    yield buffer.subarray(0, count);
  }
}

async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  const file = await openFile(path);
  try {
    yield* inOneBuffer(file.fd);
  } finally {
    await file.close();
  }
}

/** Yields the items of a source until the signal aborts, even while it waits for an item. @throws the signal's reason */
async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const items = source[Symbol.asyncIterator]();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  try {
    for (;;) {
      signal.throwIfAborted();
      const next = await Promise.race([items.next(), aborted]);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not awaited, because it may wait for an idle pipe.
    void items.return?.().catch(() => {});
  }
}

/**
 * Streams an input. A chunk is valid only until the next one is read.
 * @param flag the flag that names the input, with its dashes, for errors
 * @throws EduError `usage` if the input cannot be read; the signal's reason
 */
export async function* streamInput(
  flag: string,
  path: string,
  stdin: In,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    yield* untilAborted(open(flag, path, stdin), signal);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    throw usageError(`${flag}: ${JSON.stringify(path)} cannot be read: ${describeErrno(error)}. Nothing was sent.`);
  }
}

/** Reads a whole input. @throws like `streamInput`; a usage error if it has more than `maxBytes` */
export async function readInput(
  flag: string,
  path: string,
  stdin: In,
  signal: AbortSignal,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of streamInput(flag, path, stdin, signal)) {
    length += chunk.length;
    if (length > maxBytes)
      throw usageError(`${flag}: ${JSON.stringify(path)} has more than ${maxBytes / 1024 ** 2} MiB. Nothing was sent.`);
    chunks.push(Buffer.from(chunk));
  }
  return Buffer.concat(chunks);
}
