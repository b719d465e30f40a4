/** Counts equal rows before each row of a job, which is part of a row's identity. */
import { basename, join } from 'node:path';
import { readRegularBytes } from '../../core/fs/regular-file.js';
import { replaceContent } from '../../core/fs/write-file.js';
import { checkUnchanged, type JobFolder } from './job-store.js';

const COUNT_BYTES = 4;

const fileIn = (folder: string): string => join(folder, 'equal.bin');

/** Stores the counts of a job that has equal rows. */
export function keepEqual(folder: string, counts: Uint32Array): void {
  replaceContent(fileIn(folder), new Uint8Array(counts.buffer, counts.byteOffset, counts.byteLength), { flush: true });
}

/**
 * @returns a function from a row, counted from 1, to its count; undefined for a job without equal rows
 * @throws EduError `usage` if the file cannot be read
 */
export function equalBefore({ folder, manifest }: JobFolder): ((row: number) => number) | undefined {
  const file = fileIn(folder);
  if (manifest.checksums[basename(file)] === undefined) return undefined;
  checkUnchanged(manifest, file);
  const bytes = readRegularBytes(file, manifest.rows * COUNT_BYTES);
  return (row) => (row * COUNT_BYTES <= bytes.length ? bytes.readUInt32LE((row - 1) * COUNT_BYTES) : 0);
}
