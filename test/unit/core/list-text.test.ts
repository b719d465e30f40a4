import { expect, test } from 'vitest';
import { splitList } from '../../../src/core/list-text.js';
import { cellText } from '../../../src/output/writers/records.js';

test.each([
  ['a, b;c', ['a', 'b', 'c']],
  ['Read\\, write;a\\;b', ['Read, write', 'a;b']],
  ['back\\slash,end\\\\,x', ['back\\slash', 'end\\', 'x']],
  ['', ['']],
])('divides %j', (text, elements) => expect(splitList(text, ',;')).toEqual(elements));

test('reads the lists that -o csv writes', () => {
  const elements = ['a;b', 'c\\', '\\;', 'd, e'];
  expect(splitList(cellText(elements), ';')).toEqual(elements);
});
