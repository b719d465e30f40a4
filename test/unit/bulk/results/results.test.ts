/** The records of `--failed`, which are read again. */
import { expect, test } from 'vitest';
import { resultRecords } from '../../../../src/bulk/results/results.js';
import type { Rows } from '../../../../src/core/table/rows.js';

const rows: Rows = { format: 'ndjson', columns: ['name', 'code'], batches: (async function* () {})() };
const failed = { state: 'rejected', code: 'derived1' } as const;

test.each([
  ['its own', { name: 'A', code: 'mine1' }, 'mine1'],
  ['none', { name: 'A' }, 'derived1'],
  ['a blank one', { name: 'A', code: '' }, 'derived1'],
])('a failed row keeps its code or gets the derived one: %s', (_, object, code) => {
  const cells = Object.values(object);
  for (const isTable of [false, true]) {
    const { recordOf } = resultRecords(rows, isTable, true);
    expect(recordOf({ number: 1, line: 1, cells, object }, failed)).toMatchObject({ name: 'A', code });
  }
});
