/** Relative dates of rows: each means one day for the whole job. */
import { expect, test } from 'vitest';
import { type ReferenceHost, References } from '../../../../src/bulk/input/resolve-references.js';
import { rowsOf } from '../../../../src/bulk/input/row-source.js';
import { internalVerb, type Verb } from '../../../../src/bulk/row-command.js';
import { temporaryFolder } from '../../../support/run.js';

const column: Verb['columns'][number] = {
  name: 'until',
  description: '',
  required: false,
  many: false,
  refersTo: undefined,
  form: 'date',
  read: (cell) => ({ value: String(cell) }),
};
const verb = internalVerb({ path: 'licenses create', columns: [column], plan: () => [] });

test('a job that is resumed later keeps the days of its first run, until it starts again', () => {
  let now = Date.parse('2026-11-20T12:00:00Z');
  const references = () => new References(verb, { now: () => now } as unknown as ReferenceHost);
  const first = references();
  for (const until of ['+30d', 'tomorrow', '2031-07-31']) first.note({ until });
  now += 7 * 86_400_000;
  const resumed = references();
  const folder = temporaryFolder();
  first.store(folder);
  resumed.restore(folder);
  const days = () => ['+30d', 'tomorrow', '2031-07-31'].map((until) => resumed.filled({ until }).until);
  expect(days()).toEqual(['2026-12-20', '2026-11-21', '2031-07-31']);
  expect(resumed.identifying({ until: '+30d' })).toEqual({ until: '+30d' });
  resumed.restart();
  expect(days()).toEqual(['2026-12-27', '2026-11-28', '2031-07-31']);
});

test('--count makes so many rows without cells, numbered from 1', async () => {
  const numbers: number[] = [];
  for await (const rows of rowsOf(undefined, 2001)) numbers.push(...rows.map(({ number }) => number));
  expect(numbers).toEqual(Array.from({ length: 2001 }, (_, index) => index + 1));
});
