/** The key of a row, and the item that a row of a results file names. */
import { expect, test } from 'vitest';
import { ownCells, thingOf } from '../../../../src/bulk/input/own-cells.js';
import { keyOfRow } from '../../../../src/bulk/input/read-row.js';
import type { Column, Values, Verb } from '../../../../src/bulk/row-command.js';

const verbOf = (verb: Partial<Verb>): Verb => ({ alternatives: [], key: [], columns: [], ...verb }) as Verb;

test.each<[string, Values, Values, boolean]>([
  ['an address in another case', { user: 'A@b.example' }, { user: 'a@B.example' }, true],
  ['an ID in another case', { user: 'Ab' }, { user: 'ab' }, false],
  ['addresses in a list', { user: ['A@b.example', ' x'] }, { user: ['a@b.example', 'x'] }, true],
  ['a list in another order', { user: ['a', 'b'] }, { user: ['b', 'a'] }, false],
  ['a list of one item and that item', { user: ['a'] }, { user: 'a' }, false],
  ['a text in another Unicode form', { user: 'e\u0301' }, { user: '\u00e9' }, true],
])('the key of a row: %s', (_, one, other, isSame) => {
  const verb = verbOf({ key: ['user'] });
  expect(keyOfRow(verb, one) === keyOfRow(verb, other)).toBe(isSame);
});

test('a row lacks its key unless each part of it, or an alternative of that part, is given', () => {
  const verb = verbOf({ key: ['school', 'name'], alternatives: [['school', 'class']] });
  expect(
    [
      { school: 's', name: 'n' },
      { class: 'c', name: 'n' },
    ].map((row) => keyOfRow(verb, row)),
  ).toEqual(['["s","n"]', '[null,"n"]']);
  for (const row of [{ school: 's' }, { name: 'n' }, {}]) expect(keyOfRow(verb, row)).toBeUndefined();
  expect(keyOfRow(verbOf({}), { name: 'n' })).toBeUndefined();
});

const own = { id: undefined, code: undefined, equal: undefined, isMade: false, isInConflict: false };
const USER = { name: 'user', many: true } as Column;
const LICENCE = { name: 'licence', refersTo: 'licence' } as Column;
const assign = verbOf({ key: ['licence', 'user'], columns: [LICENCE, USER] });

test.each([
  [
    'the argument that nothing fills',
    assign,
    { licence: 'l' },
    { ...own, id: '7' },
    {},
    { name: 'user', value: ['7'] },
  ],
  [
    'the only argument with a column',
    assign,
    { licence: 'l' },
    { ...own, id: '7' },
    { user: 'email' },
    { name: 'user', value: ['7'] },
  ],
  [
    'no argument whose column is for such items',
    assign,
    { licence: 'l' },
    { ...own, id: '7' },
    { user: 'user' },
    undefined,
  ],
  ['nothing without an ID or a code', assign, { licence: 'l' }, own, { user: 'email' }, undefined],
  ['a licence by its code', assign, { user: 'u' }, { ...own, code: 'abc' }, {}, { name: 'licence', value: 'code:abc' }],
  [
    'a licence by its ID, which must have its code',
    assign,
    { user: 'u' },
    { ...own, id: '7', code: 'abc' },
    {},
    { name: 'licence', value: '7', also: 'code:abc' },
  ],
  ['no argument that is not a column', verbOf({ key: ['licence'] }), {}, { ...own, id: '7' }, {}, undefined],
])('edu_ columns name %s', (_, verb, line, cells, headers: Readonly<Record<string, string>>, expected) => {
  expect(thingOf(verb, line, cells, (name) => headers[name], false)).toEqual(expected);
});

test('what another command found is no item to destroy', () => {
  const cancel = verbOf({ key: ['licence'], columns: [LICENCE], destroys: true });
  expect(thingOf(cancel, {}, own, () => undefined, true)).toEqual({ name: 'licence', value: undefined });
  expect(thingOf(cancel, {}, own, () => undefined, false)).toBeUndefined();
});

test.each([
  ['EDU_STATUS ,edu_id', 'created,7', true, false],
  ['edu_status,edu_id', 'exists,7', true, false],
  ['edu_status,edu_id', 'conflict,7', false, true],
  ['edu_status,edu_id', ',7', false, false],
  ['edu_id', '7', true, false],
  ['edu_code', '7', false, false],
])('the cells %s with %s say that the row made an item: %s, and one in conflict: %s', (names, cells, ...expected) => {
  const row = { number: 1, line: 2, cells: cells.split(',').map((cell) => cell || undefined) };
  const own = ownCells(names.split(','), row);
  expect([own?.isMade, own?.isInConflict]).toEqual(expected);
});
