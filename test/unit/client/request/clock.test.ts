import { expect, test } from 'vitest';
import { systemClock } from '../../../../src/client/request/clock.js';

test('a wait ends in its time, or at once when it is no longer wanted', async () => {
  const before = performance.now();
  await systemClock.sleep(5);
  expect(performance.now() - before).toBeGreaterThan(3);
  const stop = new AbortController();
  const waiting = systemClock.sleep(60_000, stop.signal);
  stop.abort();
  await waiting;
  await systemClock.sleep(60_000, stop.signal);
});

test('a limit goes off, unless it is taken back', async () => {
  const gone: string[] = [];
  systemClock.after(1, () => gone.push('kept'));
  systemClock.after(1, () => gone.push('taken back'))();
  await systemClock.sleep(20);
  expect(gone).toEqual(['kept']);
});

test('it tells the time', () => {
  expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1000);
});
