import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readDataFile } from '../../../../src/export/files/read-data-file.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'edu-data-'));
});
afterEach(() => {
  vi.restoreAllMocks();
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
  it('of one long line is copied a constant number of times', async () => {
    const line = Buffer.from(`{"id":"${'x'.repeat(8_000_000)}"}`);
    const concat = vi.spyOn(Buffer, 'concat');
    expect(await countIn(line, 'ndjson', 1)).toBe(1);
    const copied = concat.mock.calls.flatMap(([buffers]) => buffers.map(({ length }) => length));
    expect(copied.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(3 * line.length);
  });
});
