/** Writes a compressed data file of an export and reads it. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readDataFile } from '../../src/export/files/read-data-file.js';
import { temporaryFolder } from './run.js';

/** @param count the items that the manifest would name @returns the number of items read */
export async function countCompressed(content: Buffer, format: 'ndjson' | 'csv', count: number): Promise<number> {
  const folder = temporaryFolder();
  const name = `books.${format}.gz`;
  const stored = gzipSync(content, { level: 1 });
  writeFileSync(join(folder, name), stored);
  const sha256 = createHash('sha256').update(stored).digest('hex');
  const facts = { file: name, bytes: stored.length, sha256, count };
  let read = 0;
  for await (const entries of readDataFile({ folder, facts, format, keyOf: () => '' })) read += entries.length;
  return read;
}
