import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanText, excerpt } from '../../../src/core/clean-text.js';
import { anyText } from '../../support/any-text.js';

test('removes escape sequences, control characters and bidi marks', () => {
  expect(cleanText('a\x1b[31mred\x1b[0m b')).toBe('a red b');
  expect(cleanText('a\x1b]0;title\x07b')).toBe('a b');
  expect(cleanText('a\x9b2Jb')).toBe('a b');
  expect(cleanText('one\r\n\ttwo\u2028three\u0085four')).toBe('one two three four');
  expect(cleanText('abc\u202edef\u2066\u200f')).toBe('abc def');
  expect(cleanText('x\ud800y')).toBe('x\ufffdy');
});

test('marks truncated text, and keeps whole characters', () => {
  expect(excerpt('abcdef', 3)).toBe('abc…');
  expect(excerpt('abc', 3)).toBe('abc');
  expect(excerpt('ab cdef', 3)).toBe('ab…');
  expect(excerpt('😀😀😀', 2)).toBe('😀😀…');
  expect(excerpt('😀😀', 2)).toBe('😀😀');
  expect(excerpt('a'.repeat(10_000_000)).length).toBe(301);
});

test('returns no control characters and no more than the limit, for any text', () => {
  fc.assert(
    fc.property(anyText(400), fc.integer({ min: 1, max: 50 }), (text, most) => {
      const short = excerpt(text, most);
      expect(short).not.toMatch(/[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
      expect(short.isWellFormed()).toBe(true);
      expect([...short].length).toBeLessThanOrEqual(most + 1);
    }),
  );
});
