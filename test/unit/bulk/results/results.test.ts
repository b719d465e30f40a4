/** The records of `--failed`, which are read again, and the summary for people. */
import { expect, test } from 'vitest';
import { resultRecords } from '../../../../src/bulk/results/results.js';
import { emptySummary, summaryText } from '../../../../src/bulk/results/summary.js';
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

test('a row whose request was on its way when the run was killed is of unknown outcome', () => {
  const { recordOf } = resultRecords(rows, false, false);
  expect(recordOf({ number: 1, line: 1, cells: ['A'] }, { state: 'sending' })).toMatchObject({
    edu_status: 'unknown',
    edu_error: 'sent, but not yet looked up: resume the job',
  });
});

test.each([
  [0.9, 41, '0.9 s.'],
  [1, 0, '1 s.'],
  [1, 1, '1 s (1/s).'],
  [12, 498, '12 s (42/s).'],
])('in %d s, %d rows that were sent have the rate of %s', (seconds, sent, text) => {
  const summary = { ...emptySummary({ id: 'j1', name: null, path: 'licenses create' }), seconds };
  expect(summaryText(summary, sent)).toBe(`Job j1, 0 rows: nothing to do; ${text}`);
  const slow = { ...summary, throttled: 1 };
  expect(summaryText(slow, sent)).toContain(`${text} The service throttled 1 request.`);
  expect(summaryText({ ...slow, throttledTo: 2.5 }, sent)).toContain(' The service throttled requests to 2.5/s.');
});
