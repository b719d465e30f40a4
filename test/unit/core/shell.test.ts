/** Words of a line as a shell quotes and reads them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shellLine, splitWords } from '../../../src/core/shell.js';
import { anyText } from '../../support/any-text.js';

test.each([
  ['', []],
  ['  a   b ', ['a', 'b']],
  ["a 'b c' d", ['a', 'b c', 'd']],
  ['"a \\" \\$b" c', ['a " $b', 'c']],
  ["a\\ b''c ''", ['a bc', '']],
])('%j', (line, words) => expect(splitWords(line)).toEqual(words));

test.each(["a 'b", 'a "b', 'a \\'])('%j is unterminated', (line) => {
  expect(() => splitWords(line)).toThrow(`A quotation mark is not closed: ${line}`);
});

test('reads quoted words back', () => {
  fc.assert(
    fc.property(fc.array(anyText()), (words) => {
      expect(splitWords(shellLine(...words))).toEqual(words);
    }),
  );
});
