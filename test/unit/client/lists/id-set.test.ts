import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IdSet } from '../../../../src/client/lists/id-set.js';

test('returns the pass in which a string was added last', () => {
  const seen = new IdSet();
  expect(seen.add('a', 1)).toBe(0);
  expect(seen.add('a', 1)).toBe(1);
  expect(seen.add('a', 3)).toBe(1);
  expect(seen.add('a', 3)).toBe(3);
  expect(seen.add('b', 3)).toBe(0);
  expect(seen.add('', 3)).toBe(0);
  expect(seen.size).toBe(3);
});

test('behaves like a map from string to pass', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.string({ maxLength: 4 }), fc.integer({ min: 1, max: 7 })), { maxLength: 300 }),
      (meetings) => {
        const seen = new IdSet();
        const map = new Map<string, number>();
        for (const [text, pass] of meetings) {
          expect(seen.add(text, pass)).toBe(map.get(text) ?? 0);
          map.set(text, pass);
        }
        expect(seen.size).toBe(map.size);
      },
    ),
  );
});

test('stores strings that ascend at first like any others', () => {
  // Shorter ones first, as numbers are counted; a lone surrogate and line breaks among them.
  const ids = ['b', 'c', '\ud800', ...Array.from({ length: 1000 }, (_, i) => `a\n"${1000 + i}`), 'z'.repeat(9)];
  for (const last of ['c', 'a\n"1500', 'z'.repeat(9), 'new']) {
    const seen = new IdSet();
    for (const id of ids) expect(seen.add(id, 1)).toBe(0);
    expect(seen.size).toBe(ids.length);
    expect(seen.add(last, 1)).toBe(last === 'new' ? 0 : 1);
    for (const id of ids) expect(seen.add(id, 2)).toBe(1);
    expect(seen.size).toBe(ids.length + (last === 'new' ? 1 : 0));
  }
});

test.each([
  ['counted', (i: number) => String(i)],
  ['padded', (i: number) => String(i).padStart(24, '0')],
  ['like UUIDs', (i: number) => `6ba7b810-9dad-11d1-80b4-${(i * 7919).toString(16).padStart(12, '0')}`],
  ['of digits moved about', (i: number) => `${i % 1000}-${Math.floor(i / 1000)}`],
])('stores 300,000 IDs %s without a collision', (_, idOf) => {
  const seen = new IdSet();
  for (let i = 0; i < 300_000; i++) seen.add(idOf(i), 1);
  // What ascends is hashed once something does not.
  expect(seen.add(idOf(0), 1)).toBe(1);
  expect(seen.size).toBe(300_000);
});
