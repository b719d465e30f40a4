/** When two rows mean the same by the same text. */
import { expect, test } from 'vitest';
import { keyOf, placesIn } from '../../../../src/bulk/input/noted-reference.js';
import type { Values, Verb } from '../../../../src/bulk/row-command.js';

test.each<[string, Values, Values, boolean]>([
  ['role', {}, {}, true],
  ['role', { organization: 'A' }, { organization: 'B' }, false],
  ['role', { school: 'A' }, { school: 'B' }, false],
  ['role', { in: 'A' }, { in: 'A' }, true],
  ['class', { school: 'A' }, { school: 'B' }, false],
  ['class', { in: 'A' }, { in: 'B' }, true],
  ['user', { 'school-id': 'A' }, { 'school-id': 'B' }, false],
  ['book', { school: 'A' }, { school: 'B' }, true],
])('a %s with %j and with %j is the same: %s', (refersTo, first, second, expected) => {
  const verb = { columns: [{ name: 'it', refersTo }] } as unknown as Verb;
  const [place] = placesIn(verb);
  if (place === undefined) return expect.fail('no reference');
  expect(keyOf(place, 'Anna', first) === keyOf(place, 'Anna', second)).toBe(expected);
  expect(keyOf(place, 'Anna', first)).not.toBe(keyOf(place, 'Ben', first));
});
