/** Data files of exports whose records never end. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countCompressed } from '../support/compressed-data-file.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'edu-data-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('a compressed data file', () => {
  it('without line breaks is refused at the limit of a line', async () => {
    const message = `Cannot read ${join(folder, 'books.ndjson.gz')}: a line has more than 67108864 bytes.`;
    await expect(countCompressed(folder, Buffer.alloc(66 * 1024 * 1024, 'x'), 'ndjson', 1)).rejects.toThrow(message);
  });

  it('whose quote is never closed is refused at the limit of a record', async () => {
    const content = Buffer.concat([Buffer.from('id\n"'), Buffer.alloc(66 * 1024 * 1024, `${'x'.repeat(1023)}\n`)]);
    await expect(countCompressed(folder, content, 'csv', 1)).rejects.toThrow(
      'a record has more than 67108864 characters',
    );
  });
});
