import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IdSet } from '../../../../src/client/lists/id-set.js';

test('behaves like a set of strings', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3 }), { maxLength: 3000 }), (texts) => {
      const [ids, set] = [new IdSet(), new Set<string>()];
      for (const text of texts) {
        expect(ids.add(text)).toBe(!set.has(text));
        set.add(text);
      }
      expect(ids.size).toBe(set.size);
    }),
  );
});

test.each([
  ['counted', (i: number) => String(i)],
  ['padded', (i: number) => String(i).padStart(24, '0')],
  ['like UUIDs', (i: number) => `6ba7b810-9dad-11d1-80b4-${(i * 7919).toString(16).padStart(12, '0')}`],
  ['of digits moved about', (i: number) => `${i % 1000}-${Math.floor(i / 1000)}`],
])('stores 300,000 IDs %s without a collision', (_, idOf) => {
  const ids = new IdSet();
  for (let i = 0; i < 300_000; i++) ids.add(idOf(i));
  expect(ids.size).toBe(300_000);
  expect(ids.add(idOf(0))).toBe(false);
});
