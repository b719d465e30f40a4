/** Which rows are looked at again because their items were created before, and the codes of rows. */
import { expect, test } from 'vitest';
import { knownRows } from '../../../../src/bulk/job/adopt-rows.js';
import type { EarlierRow } from '../../../../src/bulk/job/earlier.js';
import type { JobFolder } from '../../../../src/bulk/job/job-store.js';
import type { Journal } from '../../../../src/bulk/job/journal.js';
import { MAX_RECODES, withCodes } from '../../../../src/bulk/job/license-codes.js';
import type { State } from '../../../../src/bulk/job/states.js';
import type { Verb } from '../../../../src/bulk/row-command.js';

const STATES: readonly State[] = ['created', 'exists', 'updated', 'rejected', 'planned', 'planned'];
const journal = {
  state: (row: number) => STATES[row - 1],
  isDeleted: (row: number) => row === 2,
  outcome: (row: number) => ({ state: STATES[row - 1], id: `i${row}` }),
} as unknown as Journal;
const job = { manifest: { id: '0123456789ab', name: null, rows: STATES.length } } as JobFolder;
const elsewhere: EarlierRow = { outcome: { state: 'created', id: 'e' }, job: 'other' };
const earlier = new Map([1, 5].map((row) => [row, elsewhere]));

test.each([
  ['all', 2, [1, 2, 5]],
  ['undone', 1, [2, 5]],
  ['none', 0, [5]],
] as const)('of its own rows, a job checks %s', (withOwn, own, rows) => {
  const known = knownRows(job, journal, earlier, withOwn);
  expect([known.own, known.count]).toEqual([own, own + earlier.size]);
  const found = STATES.map((_, index) => index + 1).filter((row) => known.of(row) !== undefined);
  expect(found).toEqual(rows);
  expect(found.filter((row) => known.of(row)?.isOwn)).toEqual(rows.slice(0, -1));
});

test('a row of the job brings what other jobs made of it', () => {
  const { of } = knownRows(job, journal, new Map([[1, { ...elsewhere, others: [elsewhere] }]]), 'all');
  expect(of(1)).toMatchObject({ outcome: { id: 'i1' }, others: [{ job: 'other' }, { job: 'other' }] });
  expect(of(2)).not.toHaveProperty('others');
});

const verb = { creates: true, codeOf: (bytes: Uint8Array) => Buffer.from(bytes).toString('hex') } as Verb;
const host = { env: { EDU_CODE_SECRET: 'a secret of the tests' }, machine: { unique: () => 'unused' } };
const coded = withCodes(verb, Buffer.alloc(64, 7), host as unknown as Parameters<typeof withCodes>[2]);
const row = (values: object, code?: string) => ({
  values: { ...values },
  own: { id: undefined, code, equal: undefined, isMade: false, isInConflict: false },
});

test('a code of a results file is the row’s own only if it can be derived, with each counter', () => {
  const derived = Array.from({ length: MAX_RECODES + 2 }, (_, used) => coded(1, row({}), { used }).values.code);
  expect(new Set(derived).size).toBe(MAX_RECODES + 2);
  const isOwn = derived.map((code) => coded(1, row({}, String(code))).hasOwnKey);
  expect(isOwn).toEqual([...Array(MAX_RECODES + 1).fill(true), false]);
  expect(coded(1, row({}, 'other'))).toMatchObject({ values: { code: 'other' }, hasOwnKey: false });
});

test('a code that the user chose stays, and is nobody’s own', () => {
  expect(coded(1, row({ code: 'mine' }, 'other'))).toMatchObject({ values: { code: 'mine' }, hasOwnKey: false });
});

test('a code that was sent stays, whatever the file says', () => {
  const sent = coded(1, row({}, 'other'), { recorded: { state: 'sending', key: 'sent' } });
  expect(sent).toMatchObject({ values: { code: 'sent' }, hasOwnKey: true });
});
