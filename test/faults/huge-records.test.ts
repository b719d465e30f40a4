/** Data files of exports whose records never end. */
import { expect, test } from 'vitest';
import { countCompressed } from '../support/compressed-data-file.js';

test('a compressed data file without line breaks is refused at the limit of a line', async () => {
  await expect(countCompressed(Buffer.alloc(66 * 1024 * 1024, 'x'), 'ndjson', 1)).rejects.toThrow(
    /^Cannot read .*books\.ndjson\.gz: a line has more than 67108864 bytes\./,
  );
});

test('a compressed data file whose quote is never closed is refused at the limit of a record', async () => {
  const content = Buffer.concat([Buffer.from('id\n"'), Buffer.alloc(66 * 1024 * 1024, `${'x'.repeat(1023)}\n`)]);
  await expect(countCompressed(content, 'csv', 1)).rejects.toThrow('a record has more than 67108864 characters');
});
