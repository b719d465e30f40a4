import { expect, test } from 'vitest';
import { backOff, retryAfter } from '../../../../src/client/request/retry-after.js';

const NOON = Date.UTC(2026, 0, 5, 12);

test('doubles the wait, with jitter between half and all of it', () => {
  expect(backOff(1, 0)).toBe(250);
  expect(backOff(1, 0.5)).toBe(375);
  expect(backOff(2, 0)).toBe(500);
  expect(backOff(3, 0)).toBe(1000);
  expect(backOff(30, 0.999999)).toBe(15_000);
});

test.each([
  ['0', 0],
  ['120', 120_000],
  ['1.5', 1500],
  ['Mon, 05 Jan 2026 12:00:07 GMT', 7000],
  ['Monday, 05-Jan-26 12:00:07 GMT', 7000],
  ['Mon, 05 Jan 2026 11:00:00 GMT', 0],
  ['', undefined],
  ['soon', undefined],
  ['-5', undefined],
  ['2026', 2_026_000],
])('reads %j as %j ms', (wish, wait) => {
  expect(retryAfter({ 'retry-after': wish }, NOON)).toBe(wait);
});

test('compares a date with the clock of the service', () => {
  const headers = { 'retry-after': 'Mon, 05 Jan 2026 15:00:09 GMT', date: 'Mon, 05 Jan 2026 15:00:00 GMT' };
  expect(retryAfter(headers, NOON)).toBe(9000);
});

test('returns nothing without a header', () => {
  expect(retryAfter({}, NOON)).toBeUndefined();
});
