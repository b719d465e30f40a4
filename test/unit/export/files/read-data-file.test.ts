import { expect, test, vi } from 'vitest';
import { countCompressed } from '../../../support/compressed-data-file.js';

test('a compressed data file of one long line is copied a constant number of times', async () => {
  const line = Buffer.from(`{"id":"${'x'.repeat(8_000_000)}"}`);
  const concat = vi.spyOn(Buffer, 'concat');
  expect(await countCompressed(line, 'ndjson', 1)).toBe(1);
  const copied = concat.mock.calls.flatMap(([buffers]) => buffers.map(({ length }) => length));
  expect(copied.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(3 * line.length);
});
