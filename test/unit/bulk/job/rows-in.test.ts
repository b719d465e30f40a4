import { expect, test } from 'vitest';
import { type Manifest, rowsIn } from '../../../../src/bulk/job/job-manifest.js';

const part = (rows: number, index: number, count: number): number =>
  rowsIn({ rows, shard: { index, count } } as Manifest);

test('shards have every row once', () => {
  for (const rows of [0, 1, 2, 7, 100])
    for (const count of [1, 2, 3, 8, 101]) {
      const parts = Array.from({ length: count }, (_, at) => part(rows, at + 1, count));
      expect(
        parts.reduce((sum, one) => sum + one, 0),
        `${rows} rows in ${count} shards`,
      ).toBe(rows);
      expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1);
    }
  expect([1, 2, 3].map((index) => part(7, index, 3))).toEqual([3, 2, 2]);
  expect(rowsIn({ rows: 7, shard: null } as Manifest)).toBe(7);
});
