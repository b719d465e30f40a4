import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isDay, readDay } from '../../../src/core/day.js';

/** One second before midnight in UTC. */
const NOW = Date.parse('2028-01-31T23:59:59Z');

describe('calendar dates', () => {
  test.each(['2026-02-28', '2028-02-29', '2000-02-29', '0099-12-31'])('%s is valid', (day) =>
    expect(isDay(day)).toBe(true),
  );
  test.each([
    '2026-02-29',
    '1900-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-04-31',
    '26-01-01',
    '2026-1-1',
    'today',
    '2026-01-01T00:00',
  ])('%s is invalid', (day) => expect(isDay(day)).toBe(false));
});

describe('relative dates', () => {
  test.each([
    ['2030-07-31', '2030-07-31'],
    ['today', '2028-01-31'],
    ['YESTERDAY', '2028-01-30'],
    [' tomorrow ', '2028-02-01'],
    ['+0d', '2028-01-31'],
    ['+30d', '2028-03-01'],
    ['-31d', '2027-12-31'],
    ['-2w', '2028-01-17'],
    ['+1m', '2028-02-29'],
    ['+13m', '2029-02-28'],
    ['-2m', '2027-11-30'],
    ['+6m', '2028-07-31'],
    ['+1y', '2029-01-31'],
    ['-28Y', '2000-01-31'],
  ])('reads %j', (text, day) => expect(readDay(text, NOW)).toBe(day));

  test('moves 29 February to the 28th in other years', () =>
    expect(readDay('-1y', Date.parse('2028-02-29T12:00:00Z'))).toBe('2027-02-28'));

  test.each(['', '30d', '+d', '+1', '+1.5d', '+1h', '++1d', '+99999d', '+1000y', '2028-02-30', 'monday', 'toString'])(
    'refuses %j',
    (text) => expect(readDay(text, NOW)).toBeUndefined(),
  );

  test('reads any offset as a valid date', () => {
    const offset = fc
      .tuple(fc.constantFrom('+', '-'), fc.integer({ min: 0, max: 999 }), fc.constantFrom('d', 'w', 'm', 'y'))
      .map((parts) => parts.join(''));
    fc.assert(fc.property(offset, (text) => isDay(readDay(text, NOW) ?? '')));
  });
});
