/** Copies an input into the folder of a job, so that a pipe can be read twice and a file may change meanwhile. */
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type EduError, usageError } from '../../core/errors.js';
import { streamInput } from '../../core/fs/stream-input.js';
import { writeAll } from '../../core/fs/write-file.js';
import type { In } from '../../core/io.js';
import { unwritable } from '../job/job-store.js';
import { INPUT } from './row-source.js';

/** Stops endless inputs. A million rows of 1 KiB take a quarter of it. */
const MAX_INPUT_BYTES = 4 * 1024 ** 3;

const SPLIT = 'Split it into several files, and give each one to --from.';

/**
 * Copies an input into a draft's folder.
 * @param from a file's name, or `-` for stdin
 * @returns sha256 of its bytes
 */
export async function copyInput(from: string, stdin: In, folder: string, signal: AbortSignal): Promise<string> {
  const tooLarge = (): EduError => usageError(`--from: ${JSON.stringify(from)} is larger than 4 GiB.`, SPLIT);
  const known = from === '-' ? undefined : statSync(from, { throwIfNoEntry: false });
  if (known !== undefined && known.size > MAX_INPUT_BYTES) throw tooLarge();
  const hash = createHash('sha256');
  const handle = openSync(join(folder, INPUT), 'wx', 0o600);
  /** Reports failed writes as errors of the job's folder, not of the input. */
  const writeCopy = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      throw unwritable(folder, error);
    }
  };
  try {
    let length = 0;
    for await (const chunk of streamInput('--from', from, stdin, signal)) {
      length += chunk.length;
      if (length > MAX_INPUT_BYTES) throw tooLarge();
      hash.update(chunk);
      writeCopy(() => writeAll(handle, chunk));
    }
    writeCopy(() => fsyncSync(handle));
  } finally {
    closeSync(handle);
  }
  return hash.digest('hex');
}
