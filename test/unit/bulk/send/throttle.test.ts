/** When a job is given up, and when only one of its rows. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Failure, Throttle } from '../../../../src/bulk/send/throttle.js';
import { NoResponse } from '../../../../src/client/request/no-response.js';
import { EduError, type ErrorKind } from '../../../../src/core/errors.js';

beforeEach(() => void vi.useFakeTimers({ loopLimit: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

const onFailure = vi.fn();

/** A throttle of which the caller holds a slot. @param retries of an explicit --retries if it is 0 */
const throttleOf = (
  concurrency: number,
  retries: number,
  maxWaitMs = 300_000,
  maxRetries = retries || 0,
  hasResponded = true,
) => {
  const throttle = new Throttle({
    maxConcurrency: concurrency,
    maxRate: undefined,
    retries,
    maxRetries: maxRetries === 0 ? 0 : Number.POSITIVE_INFINITY,
    maxWaitMs,
    now: Date.now,
    random: () => 0.5,
    hasResponded: () => hasResponded,
    onFailure,
  });
  void throttle.enter();
  return throttle;
};

async function fails(
  throttle: Throttle,
  kind: ErrorKind,
  attempt: number,
  more: Partial<Failure> = {},
): Promise<boolean> {
  const failure = {
    error: new EduError(kind, kind),
    began: Date.now(),
    attempt,
    ...more,
  };
  const goesOn = throttle.backOff(failure);
  await vi.runAllTimersAsync();
  return goesOn;
}

/**
 * Fails one row until it is given up.
 * @returns how often it failed
 */
async function failRow(throttle: Throttle, kind: ErrorKind): Promise<number> {
  let attempt = 1;
  while (await fails(throttle, kind, attempt)) attempt++;
  return attempt;
}

test('tells of each failure', async () => {
  const error = new EduError('unavailable', 'later', { status: 429 });
  await fails(throttleOf(1, 4), 'unavailable', 1, { error });
  expect(onFailure.mock.lastCall).toEqual([undefined, error]);
});

test.each(['server_error', 'unavailable', 'unreachable'] as const)(
  'gives up a row after one %s without retries',
  async (kind) => {
    const throttle = throttleOf(8, 0);
    expect(await failRow(throttle, kind)).toBe(1);
    expect(throttle.isStopped).toBe(false);
    expect(throttle.gaveUp?.kind).toBe(kind);
    for (let row = 2; !throttle.isStopped; row++) {
      expect(await failRow(throttle, kind)).toBe(1);
      expect(row).toBeLessThan(30);
    }
  },
);

test.each([
  ['a refused connection', 'unreachable', undefined, false],
  ['a reset after the request was sent', 'unreachable', new NoResponse('reset', { sent: true }), true],
  ['a 503', 'unavailable', undefined, true],
] as const)('before the first response, %s is waited out or not', async (_, kind, cause, isOutage) => {
  const throttle = throttleOf(1, 3, 60_000, 3, false);
  let attempt = 1;
  while (await fails(throttle, kind, attempt, { error: new EduError(kind, kind, { cause }) })) attempt++;
  // The first attempt and three retries, or more.
  expect([Math.min(attempt, 5), throttle.isStopped]).toEqual([isOutage ? 5 : 4, true]);
});

test('gives up a row with repeated server errors, and tries the next one', async () => {
  const throttle = throttleOf(1, 3);
  expect(await failRow(throttle, 'server_error')).toBe(8);
  expect(throttle.isStopped).toBe(false);
  throttle.success(1);
  expect(await failRow(throttle, 'server_error')).toBe(8);
  expect(throttle.isStopped).toBe(false);
  expect(await failRow(throttle, 'server_error')).toBe(1);
  expect(throttle.isStopped).toBe(true);
});

test('lets a request that was under way when a row was given up be retried', async () => {
  const throttle = throttleOf(1, 3);
  const began = Date.now();
  await failRow(throttle, 'server_error');
  expect(await fails(throttle, 'server_error', 1, { began })).toBe(true);
});

test('a job that stops waits for no pause any more', async () => {
  const throttle = throttleOf(4, 3);
  const error = new EduError('server_error', 'no');
  const goesOn = throttle.backOff({ error, began: Date.now(), attempt: 1 });
  expect(vi.getTimerCount()).toBe(1);
  throttle.stop();
  expect(vi.getTimerCount()).toBe(0);
  expect(await goesOn).toBe(false);
});

describe('an outage', () => {
  test.each(['unreachable', 'unavailable'] as const)('is waited out for --max-wait: %s', async (kind) => {
    const throttle = throttleOf(1, 3, 90_000);
    const began = Date.now();
    await failRow(throttle, kind);
    expect(throttle.isStopped).toBe(true);
    expect(throttle.gaveUp?.kind).toBe(kind);
    expect(Date.now() - began).toBeGreaterThanOrEqual(90_000);
    expect(Date.now() - began).toBeLessThan(95_000);
  });

  test('honours a Retry-After of more than a minute up to --max-wait', async () => {
    const patient = throttleOf(1, 3, 300_000);
    const began = Date.now();
    expect(await fails(patient, 'unavailable', 1, { wait: 120_000 })).toBe(true);
    expect(Date.now() - began).toBeGreaterThanOrEqual(120_000);
    const other = throttleOf(1, 3, 30_000);
    const start = Date.now();
    expect(await fails(other, 'unavailable', 1, { wait: 3_600_000 })).toBe(true);
    expect(await fails(other, 'unavailable', 2, { wait: 3_600_000 })).toBe(false);
    expect(Date.now() - start).toBeLessThan(35_000);
  });

  test('has one pause, which a later Retry-After may lengthen, but not shorten', async () => {
    const throttle = throttleOf(1, 3);
    const began = Date.now();
    vi.advanceTimersByTime(10);
    const error = new EduError('unavailable', 'later');
    const ends = [5_000, 9_000, 2_000].map(async (wait) => {
      await throttle.backOff({ error, wait, began, attempt: 1 });
      return Date.now() - began;
    });
    await vi.runAllTimersAsync();
    expect(await Promise.race(ends)).toBe(9_010);
  });

  test('ends with a response, so that the next one starts from zero', async () => {
    const throttle = throttleOf(1, 3, 60_000);
    for (let round = 0; round < 3; round++) {
      expect(await fails(throttle, 'unavailable', 1, { wait: 50_000 })).toBe(true);
      throttle.success(1);
    }
  });

  test('of timeouts ends after --max-wait', async () => {
    const throttle = throttleOf(8, 3, 60_000);
    let attempt = 0;
    do {
      attempt++;
      vi.advanceTimersByTime(30_000);
    } while (await fails(throttle, 'unreachable', attempt, { began: Date.now() - 30_000 }));
    expect(attempt).toBeLessThanOrEqual(4);
    expect(throttle.isStopped).toBe(true);
  });
});

describe('concurrency', () => {
  test.each([
    ['grows to the maximum at once', Array<number>(40).fill(2), 32],
    ['grows to the maximum despite a slow response', [1, 1, 100, ...Array<number>(800).fill(2)], 32],
    ['is lowered while responses are slow', [1, 1, 1, 1, 1, ...Array<number>(20).fill(100)], 1],
    ['grows again when a slower latency has become usual', [1, ...Array<number>(1000).fill(100)], 32],
  ])('%s', (_, latencies, limit) => {
    const throttle = throttleOf(32, 3);
    for (const latency of latencies) throttle.success(latency);
    expect(throttle.limit).toBe(limit);
  });
});

test('a 503 halves the concurrency, once for the requests that were under way', async () => {
  const throttle = throttleOf(8, 3);
  for (let response = 0; response < 10; response++) throttle.success(10);
  expect(throttle.limit).toBe(8);
  const began = Date.now();
  vi.advanceTimersByTime(10);
  for (let row = 0; row < 3; row++) await fails(throttle, 'unavailable', 1, { began });
  expect(throttle.limit).toBe(4);
  await fails(throttle, 'unavailable', 1);
  expect(throttle.limit).toBe(2);
});

test('waits until the service has settled: once for all rows of a killed run, anew for the last look of a row', async () => {
  const throttle = throttleOf(2, 3);
  const over: string[] = [];
  const wait = (name: string, isEarlier: boolean) =>
    void throttle.settle(isEarlier).then((goesOn) => over.push(`${name} ${goesOn}`));
  wait('first', true);
  await vi.advanceTimersByTimeAsync(1_500);
  wait('second', true);
  wait('last', false);
  expect(over).toEqual([]);
  await vi.advanceTimersByTimeAsync(500);
  wait('third', true);
  await vi.advanceTimersByTimeAsync(1_499);
  expect(over).toEqual(['first true', 'second true', 'third true']);
  await vi.advanceTimersByTimeAsync(1);
  wait('stopped', false);
  throttle.stop();
  await vi.advanceTimersByTimeAsync(0);
  expect(over.slice(3)).toEqual(['last true', 'stopped false']);
});
