import { expect, test } from 'vitest';
import { systemClock } from '../../../../src/client/request/clock.js';

test('sleeps for the time, or until it is aborted', async () => {
  const before = performance.now();
  await systemClock.sleep(5);
  expect(performance.now() - before).toBeGreaterThan(3);
  const stop = new AbortController();
  const waiting = systemClock.sleep(60_000, stop.signal);
  stop.abort();
  await waiting;
  await systemClock.sleep(60_000, stop.signal);
});

test('fires a timeout, unless it is cancelled', async () => {
  const gone: string[] = [];
  systemClock.after(1, () => gone.push('kept'));
  systemClock.after(1, () => gone.push('taken back'))();
  await systemClock.sleep(20);
  expect(gone).toEqual(['kept']);
});

test('returns the current time', () => {
  expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1000);
});
