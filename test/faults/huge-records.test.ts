/** Data files of exports whose records never end. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readDataFile } from '../../src/export/files/read-data-file.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'edu-data-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The number of items in a compressed file with this content. */
async function countIn(content: Buffer, format: 'ndjson' | 'csv', count: number): Promise<number> {
  const name = `books.${format}.gz`;
  const stored = gzipSync(content, { level: 1 });
  writeFileSync(join(folder, name), stored);
  const sha256 = createHash('sha256').update(stored).digest('hex');
  const facts = { file: name, bytes: stored.length, sha256, count };
  let read = 0;
  for await (const entries of readDataFile({ folder, facts, format, keyOf: () => '' })) read += entries.length;
  return read;
}

describe('a compressed data file', () => {
  it('without line breaks is refused at the limit of a line', async () => {
    const message = `Cannot read ${join(folder, 'books.ndjson.gz')}: a line has more than 67108864 bytes.`;
    await expect(countIn(Buffer.alloc(66 * 1024 * 1024, 'x'), 'ndjson', 1)).rejects.toThrow(message);
  });

  it('whose quote is never closed is refused at the limit of a record', async () => {
    const content = Buffer.concat([Buffer.from('id\n"'), Buffer.alloc(66 * 1024 * 1024, `${'x'.repeat(1023)}\n`)]);
    await expect(countIn(content, 'csv', 1)).rejects.toThrow('a record has more than 67108864 characters');
  });
});
