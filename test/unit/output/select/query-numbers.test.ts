import { expect, it } from 'vitest';
import { exactJson, parseJson } from '../../../../src/core/exact-json.js';
import { compileQuery } from '../../../../src/output/select/query.js';

const ITEMS = parseJson('[{"id":"a","n":9007199254740993},{"id":"b","n":7}]');

// A query works with JavaScript's numbers; a whole number that it cannot represent is a text of its digits.
it.each([
  ['[?id==`a`]', '[{"id":"a","n":9007199254740993}]'],
  ['[].n', '["9007199254740993",7]'],
])('loses no digit of a large number with --query %s', (expression, expected) => {
  expect(exactJson(compileQuery(expression).run(ITEMS))).toBe(expected);
});
