/** Counts equal rows before each row of a job, which is part of a row's identity. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const fileIn = (folder: string): string => join(folder, 'equal.bin');

/** Stores the counts of a job that has equal rows. */
export function keepEqual(folder: string, counts: Uint32Array): void {
  writeFileSync(fileIn(folder), counts, { mode: 0o600, flush: true });
}

/** Returns a function from a row, counted from 1, to its count; undefined for a job without equal rows. */
export function equalBefore(folder: string): ((row: number) => number) | undefined {
  if (!existsSync(fileIn(folder))) return undefined;
  const bytes = readFileSync(fileIn(folder));
  return (row) => (row * 4 <= bytes.length ? bytes.readUInt32LE((row - 1) * 4) : 0);
}
