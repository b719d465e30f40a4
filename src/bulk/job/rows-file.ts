/** The file of a job with the identities of its rows, and the number of equal rows before each. */
import { onFile } from '../../core/fs/disk-errors.js';
import { readRegularBytes } from '../../core/fs/regular-file.js';
import { replaceContent } from '../../core/fs/write-file.js';
import { DIGEST_BYTES } from './identity.js';
import { checkUnchanged, type JobFolder, rowsFile } from './job-store.js';

/** Bytes of the number of equal rows before a row. */
const COUNT_BYTES = 4;

/**
 * Writes the identities of a draft's rows, in order.
 * @param counts the number of equal rows before each row, for a job whose equal rows are different items
 */
export function writeRows(folder: string, identities: Uint8Array, counts?: Uint32Array): void {
  const bytes =
    counts === undefined
      ? identities
      : Buffer.concat([identities, new Uint8Array(counts.buffer, counts.byteOffset, counts.byteLength)]);
  const file = rowsFile({ folder });
  onFile(file, () => replaceContent(file, bytes, { flush: true }));
}

function rowBytes(job: JobFolder): Buffer {
  const file = rowsFile(job);
  checkUnchanged(job.manifest, file);
  return readRegularBytes(file, job.manifest.rows * (DIGEST_BYTES + COUNT_BYTES));
}

/** The identities of a job's rows, in order. @throws EduError `usage` when they are damaged */
export const readRows = (job: JobFolder): Buffer => rowBytes(job).subarray(0, job.manifest.rows * DIGEST_BYTES);

/**
 * @returns a function from a row, counted from 1, to the number of equal rows before it; undefined if there are none
 * @throws EduError `usage` when they are damaged
 */
export function equalBefore(job: JobFolder): ((row: number) => number) | undefined {
  const counts = rowBytes(job).subarray(job.manifest.rows * DIGEST_BYTES);
  return counts.length === 0 ? undefined : (row) => counts.readUInt32LE((row - 1) * COUNT_BYTES);
}
