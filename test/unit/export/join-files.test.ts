/** Pairs of items that differ, from two files read by chunks. */
import { expect, test } from 'vitest';
import { unequal } from '../../../src/export/diff/join-files.js';
import type { Entry } from '../../../src/export/files/read-data-file.js';

test('yields pairs before it reads much further, because they keep their chunks in memory', async () => {
  let read = 0;
  async function* chunks(mark: string): AsyncGenerator<readonly Entry[]> {
    for (let key = 0; key < 5; key++) {
      read++;
      yield [{ key: `${key}`, line: `${key} ${mark}`, item: {} }];
    }
  }
  const yielded: (readonly [chunks: number, keys: readonly unknown[]])[] = [];
  for await (const some of unequal(chunks('before'), chunks('after')))
    yielded.push([read, some.map(({ before }) => before?.key)]);
  expect(yielded).toEqual([
    [4, ['0']],
    [6, ['1']],
    [8, ['2']],
    [10, ['3']],
    [10, ['4']],
  ]);
});
