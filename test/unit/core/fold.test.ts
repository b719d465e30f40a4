import { expect, test } from 'vitest';
import { fold } from '../../../src/core/fold.js';

test.each([
  ['Übung', 'ubung'],
  ['GROSS', 'groß'],
  ['Łódź', 'lodz'],
  ['Ærø', 'aero'],
  ['İstanbul', 'istanbul'],
  ['  Lakeside\u00a0 School ', 'lakeside school'],
  ['Ελλάς', 'ΕΛΛΑΣ'],
  ['e\u0301cole', 'École'],
])('folds %j to %j', (a, b) => expect(fold(a)).toBe(fold(b)));

test('keeps other letters distinct', () => expect(fold('Müller')).not.toBe(fold('Mueller')));
