/** Which rows are the same row. */
import { expect, test } from 'vitest';
import type { References } from '../../../../src/bulk/input/resolve-references.js';
import { equalNumbers, identifyRows } from '../../../../src/bulk/job/identify-rows.js';
import { codeBytes, rowTexts } from '../../../../src/bulk/job/identity.js';
import type { Manifest } from '../../../../src/bulk/job/job-manifest.js';
import type { Column, Values, Verb } from '../../../../src/bulk/row-command.js';

const column = (name: string): Column => ({
  name,
  spellings: [],
  description: name,
  required: false,
  many: false,
  form: undefined,
  refersTo: undefined,
  unlisted: false,
  read: (cell) => ({ value: String(cell) }),
});

const verb = (key: readonly string[]): Verb => ({
  path: 'users create',
  columns: ['email', 'name', 'organization', 'language', 'roles'].map(column),
  alternatives: [],
  key,
  codeOf: undefined,
  destroys: false,
  creates: true,
  missing: () => [],
  check: () => [],
  plan: () => [],
});

const same = (key: readonly string[], one: Values, other: Values): boolean => {
  const textsOf = rowTexts(verb(key), 'd1');
  return textsOf(one).row === textsOf(other).row;
};

test('an e-mail address is the same in any case, a name is not', () => {
  expect(same(['email'], { email: 'Mia@S1.example' }, { email: 'mia@s1.example' })).toBe(true);
  expect(same([], { email: 'Mia@S1.example', name: 'A' }, { email: 'mia@s1.example', name: 'A' })).toBe(true);
  expect(same(['name'], { name: 'Mia' }, { name: 'mia' })).toBe(false);
});

test('the key alone identifies a row; without one, all values do, in any order of a list', () => {
  expect(same(['email'], { email: 'a@b.c', name: 'A' }, { email: 'a@b.c', name: 'B' })).toBe(true);
  expect(same([], { name: 'A', roles: ['1', '2'] }, { name: 'A', roles: ['2', '1', '2'] })).toBe(true);
  expect(same([], { name: 'A', roles: ['1'] }, { name: 'B', roles: ['1'] })).toBe(false);
});

test('texts are the same in any Unicode form, with blanks around them, and in the default organization', () => {
  expect(same([], { name: 'Zo\u00eb' }, { name: ' Zoe\u0308 ' })).toBe(true);
  expect(same([], { name: 'A' }, { name: 'A', organization: 'd1' })).toBe(true);
  expect(same([], { name: 'A' }, { name: 'A', organization: 'd2' })).toBe(false);
});

test('rows that name their item keep its number, and others get the free ones', () => {
  const { named, other } = equalNumbers();
  expect([2, undefined, 0].map((wanted) => named('a', wanted))).toEqual([2, 0, 1]);
  expect([other('a'), other('a'), other('b')]).toEqual([3, 4, 0]);
});

test('each of many rows has its own code, in any order', () => {
  const rows = 20_000;
  const digests = Buffer.alloc(rows * 16);
  for (let row = 0; row < rows; row++) digests.writeUInt32BE(row, row * 16);
  const codes = (numbers: readonly number[]) => {
    const bytesOf = codeBytes('secret', digests);
    return numbers.map((row) => Buffer.from(bytesOf(row)).toString('hex'));
  };
  const numbers = Array.from({ length: rows }, (_, index) => index + 1);
  const all = codes(numbers);
  expect([new Set(all).size, all.every((code) => code.length === 32)]).toEqual([rows, true]);
  expect(codes([rows, 1, rows - 1])).toEqual([all.at(-1), all[0], all.at(-2)]);
});

test('the identification of rows ends at a signal, which arrives between the rows of --count', async () => {
  const stop = new AbortController();
  setImmediate(() => stop.abort(new Error('stopped')));
  const manifest = { input: null, rows: 20_000, values: {} } as unknown as Manifest;
  const references = { identifying: (values: Values) => values, problemsOf: () => [] } as unknown as References;
  const checked = { invalid: new Map<number, string>(), hasOwn: false };
  const identified = identifyRows(verb([]), '', manifest, references, 'd1', checked, stop.signal);
  await expect(identified).rejects.toThrow('stopped');
});
