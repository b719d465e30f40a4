import { expect, test } from 'vitest';
import { differences as allDifferences, sameKey } from '../../../../src/client/create/compare.js';
import { keyOf } from '../../../../src/client/create/find-by-key.js';
import { idIn } from '../../../../src/client/references/id-in.js';
import { books } from '../../../../src/contract/books.js';
import { classes } from '../../../../src/contract/classes.js';
import { licenses } from '../../../../src/contract/licenses.js';

const fields = (endpoint: { body: object }) => endpoint.body as Parameters<typeof allDifferences>[0];

const differences = (...given: Parameters<typeof allDifferences>): string[] =>
  allDifferences(...given).map(({ text }) => text);

test('ignores fields that were not sent, are not shown or cannot be compared', () => {
  const sent = { name: 'A', licenseCategory: '17', books: undefined, code: 'x' };
  expect(
    differences(fields(licenses.create), sent, { name: 'A', licenseCategory: 'Standard', numberOfActivations: 3 }),
  ).toEqual([]);
  expect(
    differences(fields(books.create), { language: 'DE', layoutType: 'PAGES', secondSubject: '2' }, { ean: '1' }),
  ).toEqual([]);
});

test('distinguishes IDs by leading zeros', () => {
  expect(differences(fields(licenses.create), { books: ['01'] }, { books: [{ id: '1' }] })).toHaveLength(1);
});

test.each([
  ['u1', 'u1'],
  [' u1 ', 'u1'],
  [17, '17'],
  [{ id: 'u1', email: 'x' }, 'u1'],
  [{ userId: '007' }, '007'],
  [{ identifier: 'u1' }, 'u1'],
  [{ user: { id: 'u1' }, active: true }, 'u1'],
  [{ UserID: 'u1', name: 'x' }, 'u1'],
  [['u1'], 'u1'],
  ['', undefined],
  [' ', undefined],
  [null, undefined],
  [{}, undefined],
  [{ a: '1', b: '2' }, undefined],
  [[], undefined],
])('reads the ID in %j as %j', (answer, id) => {
  expect(idIn(answer)).toBe(id);
});

test('returns the key of a create', () => {
  expect(keyOf(licenses.create, { body: { code: 'abc' } })).toMatchObject({
    noun: 'licence',
    field: 'code',
    value: 'abc',
    unique: true,
  });
  expect(keyOf(books.create, { body: { ean: '1' } })).toMatchObject({ noun: 'book', unique: false });
  expect(keyOf(licenses.create, { body: {} })).toBeUndefined();
  expect(keyOf(licenses.create, { body: { code: '' } })).toBeUndefined();
  expect(keyOf(classes.create, { body: { name: 'A' } })).toBeUndefined();
  // Only creates have a key: an update with the same field changes an item that has another one.
  expect(keyOf(licenses.update, { body: { code: 'abc' } })).toBeUndefined();
});

test.each([
  ['abc', 'abc', true, true],
  ['abc', ' abc ', true, true],
  ['A\u00e9', 'Ae\u0301', true, true],
  ['abc', 'ABC', false, true],
  ['abc', 'abcd', false, false],
  ['17', 17, false, false],
  ['', undefined, false, false],
])('compares the key %j with %j: %s, in any case: %s', (sent, shown, exactly, anyCase) => {
  expect([sameKey(sent, shown, false), sameKey(sent, shown, true)]).toEqual([exactly, anyCase]);
});

test.each([
  ['number', '05', 5, true],
  ['integer', 5, 6, false],
  ['date', '2026-01-01', '2026-01-01T09:00', true],
  ['date', '2026-01-01', '2026-01-01 09:00', true],
  ['date', '2026-01-01', '2026-01-010', false],
  ['choice', 'Days', 'days', true],
  ['text', 'Anna', 'anna', false],
  ['text', 'e\u0301 ', 'é', true],
] as const)('compares a %s: %j and %j', (kind, sent, shown, isEqual) => {
  expect(differences({ a: { kind, description: '' } }, { a: sent }, { a: shown }).length === 0).toBe(isEqual);
});
