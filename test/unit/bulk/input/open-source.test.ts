/** The input of a bulk job from stdin. */
import { expect, test } from 'vitest';
import { openSource } from '../../../../src/bulk/input/input-copy.js';
import { temporaryFolder } from '../../../support/run.js';

async function rowsOf(...chunks: readonly string[]): Promise<unknown[]> {
  async function* bytes() {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  const stdin = Object.assign(bytes(), { isTTY: false });
  const folder = temporaryFolder();
  const { input } = await openSource('-', { folder: () => folder }, stdin, new AbortController().signal);
  const rows = [];
  for await (const batch of input.batches) for (const { cells } of batch.rows) rows.push(cells);
  return rows;
}

test.each([
  ['in one piece', ['name\nAlgebra\nBiology\n']],
  ['byte by byte', [...'name\nAlgebra\nBiology\n']],
  ['in two pieces', ['name\nAlgebra\n', 'Biology\n']],
])('is read as a whole when it comes %s', async (_, chunks) => {
  expect(await rowsOf(...chunks)).toEqual([['Algebra'], ['Biology']]);
});
