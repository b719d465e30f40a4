/** Brings an input into the folder of a job: copied once, so that a pipe can be read twice and a file may change meanwhile. */
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, fsyncSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { EduError, usageError } from '../../core/errors.js';
import type { In } from '../../core/io.js';
import { unwritable } from '../job/job-store.js';
import { INPUT } from './source.js';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read',
  EISDIR: 'is a folder',
};

function bytesOf(from: string, stdin: In): AsyncIterable<Uint8Array> {
  if (from === '-') {
    if (stdin.isTTY)
      throw usageError('--from - reads stdin, and stdin is the terminal.', 'Pipe a file in, or name it: --from FILE');
    return stdin;
  }
  try {
    if (statSync(from).isDirectory()) throw usageError(`--from: ${JSON.stringify(from)} is a folder.`);
  } catch (error) {
    throw unreadable(from, error);
  }
  return createReadStream(from);
}

function unreadable(from: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === '') return error;
  return usageError(`--from: ${JSON.stringify(from)} ${REASONS[code] ?? `can't be read (${code})`}. Nothing was sent.`);
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
    for await (const chunk of bytesOf(from, stdin)) {
      signal.throwIfAborted();
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
