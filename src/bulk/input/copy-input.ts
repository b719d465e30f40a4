/** Brings an input into the folder of a job: copied once, so that a pipe can be read twice and a file may change meanwhile. */
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, fsyncSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { EduError, usageError } from '../../core/errors.js';
import { codeOf } from '../../core/fs/disk-errors.js';
import type { In } from '../../core/io.js';
import { unwritable } from '../job/job-store.js';
import { INPUT } from './source.js';

/** Ends inputs that have no end. A million rows of a kilobyte are a quarter of it. */
const MAX_INPUT_BYTES = 4 * 1024 ** 3;

const SPLIT = 'Split it into several files, and give each one to --from.';

/** Names of the standard input. It may be a socket, which can't be opened by name. */
const STDIN = new Set(['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0']);

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read',
  EISDIR: 'is a folder',
};

function bytesOf(from: string, stdin: In): AsyncIterable<Uint8Array> {
  if (STDIN.has(from)) {
    if (stdin.isTTY)
      throw usageError(
        `--from ${from} reads stdin, and stdin is the terminal.`,
        'Pipe a file in, or name it: --from FILE',
      );
    return stdin;
  }
  const stats = statSync(from);
  if (stats.isDirectory()) throw usageError(`--from: ${JSON.stringify(from)} is a folder.`);
  // A pipe may be named, as shells do for <(command). It is opened by a thread, so that signals are heard meanwhile.
  if (!stats.isFile() && !stats.isFIFO())
    throw usageError(`--from: ${JSON.stringify(from)} is neither a file nor a pipe.`);
  return createReadStream(from);
}

function unreadable(from: string, error: unknown): unknown {
  const code = codeOf(error) ?? '';
  if (code === '') return error;
  return usageError(`--from: ${JSON.stringify(from)} ${REASONS[code] ?? `can't be read (${code})`}. Nothing was sent.`);
}

/**
 * The items of a source, until a signal ends the wait for the next one: a pipe that nobody writes to never gives any.
 * @throws the signal's reason
 */
async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const items = source[Symbol.asyncIterator]();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  // It may come when nobody waits any more.
  aborted.catch(() => {});
  try {
    for (;;) {
      signal.throwIfAborted();
      const next = await Promise.race([items.next(), aborted]);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not waited for: it waits for the pipe.
    void items.return?.().catch(() => {});
  }
}

/**
 * Copies an input into a draft's folder.
 * @param from a file's name, or `-` for stdin
 * @returns sha256 of its bytes
 */
export async function copyInput(from: string, stdin: In, folder: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const handle = openSync(join(folder, INPUT), 'wx', 0o600);
  /** Does something with the copy. */
  const kept = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      throw unwritable(folder, error);
    }
  };
  try {
    let length = 0;
    for await (const chunk of untilAborted(bytesOf(from, stdin), signal)) {
      length += chunk.length;
      if (length > MAX_INPUT_BYTES) throw usageError(`--from: ${JSON.stringify(from)} has more than 4 GiB.`, SPLIT);
      hash.update(chunk);
      kept(() => {
        for (let rest: Uint8Array = chunk; rest.length > 0; ) rest = rest.subarray(writeSync(handle, rest));
      });
    }
    kept(() => fsyncSync(handle));
  } catch (error) {
    throw error instanceof EduError ? error : unreadable(from, error);
  } finally {
    closeSync(handle);
  }
  return hash.digest('hex');
}
