/** Checksums of the files of a job that do not change, so that a damaged one is never sent as other rows. */
import { createHash, hash } from 'node:crypto';
import { closeSync, readSync } from 'node:fs';
import { basename, join } from 'node:path';
import { codeOf, describeErrno } from '../../core/fs/disk-errors.js';
import { openRegularFile } from '../../core/fs/regular-file.js';

/** The files of a job that are written once. */
const WRITTEN_ONCE = ['input', 'rows.bin'];

const CHUNK_BYTES = 1024 * 1024;

/** sha256 of a text, in hexadecimal. */
export const checksumOf = (text: string): string => hash('sha256', text);

/**
 * The size of a file, and the sha256 of its bytes in hexadecimal.
 * @param wanted the expected result: a file of another size is not read, because it may be endless
 * @throws the system's error
 */
function checksumOfFile(file: string, wanted?: string): string {
  const { handle, stats } = openRegularFile(file);
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const sum = createHash('sha256');
  try {
    const size = `${stats.size} `;
    if (wanted?.startsWith(size) === false) return size;
    for (;;) {
      const count = readSync(handle, chunk);
      if (count === 0) return size + sum.digest('hex');
      sum.update(chunk.subarray(0, count));
    }
  } finally {
    closeSync(handle);
  }
}

/** The sizes and checksums of a draft's files, by name. @throws the system's error */
export function checksumsIn(folder: string): Readonly<Record<string, string>> {
  const sums: Record<string, string> = {};
  for (const name of WRITTEN_ONCE) {
    try {
      sums[name] = checksumOfFile(join(folder, name));
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
    }
  }
  return sums;
}

/** The damage of a file, such as `/…/input has changed since …`; undefined if it is as it was written. */
export function damageOf(file: string, sums: Readonly<Record<string, string>>): string | undefined {
  const wanted = sums[basename(file)];
  if (wanted === undefined) return undefined;
  try {
    return checksumOfFile(file, wanted) === wanted ? undefined : `${file} has changed since the job was created`;
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    return `${file} ${code === 'ENOENT' ? 'is missing' : `cannot be read: ${describeErrno(error)}`}`;
  }
}
