/** Keys stored as hashes. */
import { expect, test } from 'vitest';
import { seenKeys } from '../../../src/core/seen-keys.js';

test('marks stay with their keys while the table grows', () => {
  const keys = seenKeys();
  const marked = Array.from({ length: 5000 }, (_, index) => [`key ${index}`, index + 1] as const);
  for (const [key, mark] of marked) keys.set(key, mark);
  expect(marked.filter(([key, mark]) => keys.get(key) !== mark)).toEqual([]);
  expect([keys.note('key 7', 9), keys.get('key 7'), keys.get('another')]).toEqual([8, 8, undefined]);
  keys.set('key 7', 9);
  expect(keys.get('key 7')).toBe(9);
});

test.each([
  ['counted', (i: number) => String(i)],
  ['padded', (i: number) => String(i).padStart(24, '0')],
  ['like UUIDs', (i: number) => `6ba7b810-9dad-11d1-80b4-${(i * 7919).toString(16).padStart(12, '0')}`],
  ['of digits moved about', (i: number) => `${i % 1000}-${Math.floor(i / 1000)}`],
])('notes 100,000 IDs %s without a collision', (_, idOf) => {
  const keys = seenKeys();
  const repeated = Array.from({ length: 100_000 }, (_, i) => keys.note(idOf(i), 1)).filter(
    (mark) => mark !== undefined,
  );
  expect(repeated).toEqual([]);
  expect(keys.note(idOf(0), 1)).toBe(1);
});
