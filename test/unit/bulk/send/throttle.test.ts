/** When a job is given up, and when only one of its rows. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Failure, Throttle } from '../../../../src/bulk/send/throttle.js';
import { EduError, type ErrorKind } from '../../../../src/core/errors.js';

beforeEach(() => void vi.useFakeTimers({ loopLimit: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

/** A throttle of which the caller holds a slot. @param retries of an explicit --retries if it is 0 */
const throttleOf = (concurrency: number, retries: number, maxWaitMs = 300_000, maxRetries = retries || 0) => {
  const throttle = new Throttle({
    maxConcurrency: concurrency,
    maxRate: undefined,
    retries,
    maxRetries: maxRetries === 0 ? 0 : Number.POSITIVE_INFINITY,
    maxWaitMs,
    now: Date.now,
    random: () => 0.5,
    hasResponded: () => true,
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
    later: kind === 'unavailable',
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
  /** The limit after responses with these latencies in milliseconds, which arrive in windows of 100 ms each. */
  function limitAfter(...latencies: readonly number[]): number {
    const throttle = throttleOf(32, 3);
    for (const latency of latencies) throttle.success(latency);
    for (let window = 0; window < 10; window++) {
      vi.advanceTimersByTime(100);
      for (let response = 0; response < 200; response++) throttle.success(latencies.at(-1));
    }
    return throttle.limit;
  }

  test('grows to the maximum despite a slow response, and stays there while responses are fast', () => {
    expect(limitAfter(1, 1, 30, ...Array<number>(40).fill(2))).toBe(32);
  });

  test('grows to the maximum while responses are fast, although a slow machine ended its start early', () => {
    const throttle = throttleOf(32, 3);
    for (const latency of [1, 1, 100]) throttle.success(latency);
    const early = throttle.limit;
    for (let window = 0; window < 8; window++) {
      vi.advanceTimersByTime(100);
      // The throughput of a busy machine varies.
      for (let response = 0; response < 200 + 100 * (window % 2); response++) throttle.success(5);
    }
    expect([early, throttle.limit]).toEqual([3, 32]);
  });

  test('is lowered when responses have become slow without more throughput', () => {
    expect(limitAfter(1, 1, 1, 1, 1, ...Array<number>(20).fill(60))).toBeLessThan(4);
  });
});

describe('with a simulated service', () => {
  /**
   * Responses of a service: the latency in milliseconds by the number of requests under way, and whether it accepts
   * them.
   */
  interface Service {
    readonly latency: (underWay: number) => number;
    readonly accepts?: () => boolean;
    /** Retry-After in milliseconds. */
    readonly wait?: number | undefined;
    /** The latency of a 429 in milliseconds. */
    readonly refusalMs?: number | undefined;
  }

  /** A token bucket. */
  function bucket(perSecond: number, capacity: number): () => boolean {
    let tokens = capacity;
    let at = Date.now();
    return () => {
      const now = Date.now();
      tokens = Math.min(capacity, tokens + ((now - at) / 1000) * perSecond);
      at = now;
      if (tokens < 1) return false;
      tokens--;
      return true;
    };
  }

  /**
   * Sends rows until all are done.
   * @returns seconds, and the number of refused requests
   */
  async function send(rows: number, service: Service, maxRate?: number) {
    const throttle = new Throttle({
      maxConcurrency: 8,
      maxRate,
      retries: 3,
      maxRetries: Number.POSITIVE_INFINITY,
      maxWaitMs: 300_000,
      now: Date.now,
      random: () => 0.5,
      hasResponded: () => true,
    });
    const began = Date.now();
    let left = rows;
    let underWay = 0;
    async function worker(): Promise<void> {
      while (left-- > 0 && (await throttle.enter())) {
        for (let attempt = 1; ; attempt++) {
          const sent = Date.now();
          const isAccepted = service.accepts?.() ?? true;
          underWay++;
          await new Promise((resolve) =>
            setTimeout(resolve, isAccepted ? service.latency(underWay) : (service.refusalMs ?? 1)),
          );
          underWay--;
          if (isAccepted) {
            throttle.answered();
            throttle.success(Date.now() - sent);
            break;
          }
          const error = new EduError('unavailable', 'later', { status: 429 });
          const wait = service.wait;
          expect(await throttle.backOff({ error, later: true, wait, began: sent, attempt })).toBe(true);
        }
        throttle.leave();
      }
    }
    const work = Promise.all(Array.from({ length: 64 }, worker));
    await vi.runAllTimersAsync();
    await work;
    return { seconds: (Date.now() - began) / 1000, refused: throttle.refusals, throttle };
  }

  /** Refuses a share of the requests, whatever their rate. */
  function random(share: number): () => boolean {
    let state = 12345;
    return () => {
      state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
      return (state >>> 8) % 1000 >= share * 1000;
    };
  }

  test.each([
    [0.02, 1.15],
    [0.05, 1.35],
    [0.1, 1.8],
  ])('that refuses %f of all requests at random needs at most %f times the time', async (share, factor) => {
    for (const [rows, wait, onceSeconds] of [
      [400, undefined, 0],
      [400, 0, 0],
      // The first Retry-After holds all rows, and the last one its own row.
      [400, 1000, 2.4],
      [3000, undefined, 0],
    ] as const) {
      const ideal = await send(rows, { latency: () => 20 });
      const { seconds, throttle } = await send(rows, {
        latency: () => 20,
        accepts: random(share),
        wait,
        refusalMs: 20,
      });
      expect((seconds - onceSeconds) / ideal.seconds, `${rows} rows: ${seconds} s`).toBeLessThan(factor);
      expect(throttle.isStopped).toBe(false);
    }
  });

  test('that has a limit after a while is slowed down to', async () => {
    const [chance, limit] = [random(0.05), bucket(50, 10)];
    let count = 0;
    const { seconds, refused, throttle } = await send(1500, {
      latency: () => 20,
      accepts: () => (++count < 1000 ? chance() : limit()),
    });
    expect(throttle.learnedRate).toBeGreaterThan(40);
    expect(seconds).toBeLessThan(14);
    expect(refused).toBeLessThan(110);
  });

  test.each([
    ['no Retry-After', 50, undefined],
    ['Retry-After: 0', 50, 0],
    ['Retry-After: 1', 50, 1000],
    ['a small bucket', 5, undefined],
  ])('reaches 90 % of 50 requests per second, with less than 5 % refused: %s', async (_, capacity, wait) => {
    const rows = 3000;
    const { seconds, refused, throttle } = await send(rows, { latency: () => 20, accepts: bucket(50, capacity), wait });
    expect(
      { fast: rows / seconds > 0.9 * 50, few: refused / rows < 0.05 },
      `${rows / seconds}/s, ${refused} refused`,
    ).toEqual({ fast: true, few: true });
    expect(throttle.learnedRate).toBeGreaterThan(40);
  });

  test.each([
    ['a bucket of 5', 5, 0.9],
    ['a bucket of 1', 1, 0.75],
  ])('recovers from a first guess that is too low: %s', async (_, capacity, share) => {
    const rows = 1000;
    const { seconds, refused } = await send(rows, { latency: () => 2, accepts: bucket(50, capacity) });
    expect(rows / seconds, `${refused} refused`).toBeGreaterThan(share * 50);
    expect(refused / rows).toBeLessThan(0.05);
  });

  test.each([
    [2, 1],
    [20, 1],
    [20, 20],
    [100, 20],
  ])(
    'reaches 90 percent of the rate in a short job with less than 5 percent refused: %i ms, %i ms for a 429',
    async (...ms) => {
      const [latency, refusalMs] = ms;
      const { seconds, refused } = await send(200, { latency: () => latency, accepts: bucket(50, 50), refusalMs });
      expect(150 / seconds, `${refused} refused`).toBeGreaterThan(0.9 * 50);
      expect(refused).toBeLessThan(12);
    },
  );

  test.each([
    [50, 10, 1000, 1500],
    [20, 5, 1000, 400],
  ])(
    'reaches 75 % of %i requests per second, %i at a time, with Retry-After: %i ms',
    async (rate, capacity, wait, rows) => {
      const service = { latency: () => 20, accepts: bucket(rate, capacity), wait };
      const { seconds, refused } = await send(rows, service);
      expect(rows / seconds, `${refused} refused`).toBeGreaterThan(0.75 * rate);
      expect(refused / rows).toBeLessThan(0.05);
    },
  );

  test.each([
    ['stays the same', () => 50, 50 / 8],
    ['grows with each request under way', (n: number) => 20 * n, 20],
    ['grows with their square', (n: number) => 20 * n * n, 20],
  ])('needs at most 1.3 times the ideal time when latency %s', async (_, latency, idealMs) => {
    const rows = 2000;
    const { seconds } = await send(rows, { latency });
    expect(seconds).toBeLessThan((1.3 * rows * idealMs) / 1000);
  });

  test('keeps to --rate', async () => {
    const { seconds } = await send(200, { latency: () => 5 }, 20);
    expect(seconds).toBeGreaterThan(9);
    expect(seconds).toBeLessThan(11);
  });
});
