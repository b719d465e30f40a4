/** Counts equal rows before each row of a job, which is part of a row's identity. */
import { basename, join } from 'node:path';
import { codeOf, describeErrno } from '../../core/fs/disk-errors.js';
import { readRegularBytes } from '../../core/fs/regular-file.js';
import { replaceContent } from '../../core/fs/write-file.js';
import { unusable } from './job-store.js';

const COUNT_BYTES = 4;

const fileIn = (folder: string): string => join(folder, 'equal.bin');

/** Stores the counts of a job that has equal rows. */
export function keepEqual(folder: string, counts: Uint32Array): void {
  replaceContent(fileIn(folder), new Uint8Array(counts.buffer, counts.byteOffset, counts.byteLength), { flush: true });
}

/**
 * @param rows number of rows of the job
 * @returns a function from a row, counted from 1, to its count; undefined for a job without equal rows
 * @throws EduError `usage` if the file cannot be read
 */
export function equalBefore(folder: string, rows: number): ((row: number) => number) | undefined {
  let bytes: Buffer;
  try {
    bytes = readRegularBytes(fileIn(folder), rows * COUNT_BYTES);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw unusable({ id: basename(folder), damage: `${fileIn(folder)} can't be read: ${describeErrno(error)}` });
  }
  return (row) => (row * COUNT_BYTES <= bytes.length ? bytes.readUInt32LE((row - 1) * COUNT_BYTES) : 0);
}
