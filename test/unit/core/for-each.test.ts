import { expect, test } from 'vitest';
import { limiter } from '../../../src/core/for-each.js';

test('runs at most as many tasks at a time, those of a smaller order first, else in the order of the calls', async () => {
  const limit = limiter(2);
  const begun: string[] = [];
  let running = 0;
  const task = (name: string, order?: number) =>
    limit(async () => {
      begun.push(name);
      expect(++running).toBeLessThanOrEqual(2);
      await Promise.resolve();
      running--;
    }, order);
  await Promise.all([task('a'), task('b'), task('late', 2), task('c', 1), task('d'), task('e', 1), task('f')]);
  expect(begun).toEqual(['a', 'b', 'd', 'f', 'c', 'e', 'late']);
});
