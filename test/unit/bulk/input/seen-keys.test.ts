/** Keys stored as hashes. */
import { expect, test } from 'vitest';
import { seenKeys } from '../../../../src/bulk/input/seen-keys.js';

test('marks stay with their keys while the table grows', () => {
  const keys = seenKeys();
  const marked = Array.from({ length: 5000 }, (_, index) => [`key ${index}`, index + 1] as const);
  for (const [key, mark] of marked) keys.set(key, mark);
  expect(marked.filter(([key, mark]) => keys.get(key) !== mark)).toEqual([]);
  expect([keys.note('key 7', 9), keys.get('key 7'), keys.get('another')]).toEqual([8, 8, undefined]);
  keys.set('key 7', 9);
  expect(keys.get('key 7')).toBe(9);
});
