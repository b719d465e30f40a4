/** The pace of a job with services that limit the rate, grow slow, or refuse requests at random. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Throttle } from '../../../../src/bulk/send/throttle.js';
import { EduError } from '../../../../src/core/errors.js';

beforeEach(() => void vi.useFakeTimers({ loopLimit: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

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

  /** So many requests in each second, or in each minute, of the clock. */
  function each(seconds: number, count: number): () => boolean {
    let [period, accepted] = [0, 0];
    return () => {
      const now = Math.floor(Date.now() / 1000 / seconds);
      if (now !== period) [period, accepted] = [now, 0];
      return accepted++ < count;
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
          expect(await throttle.backOff({ error, wait, began: sent, attempt })).toBe(true);
        }
        throttle.leave();
      }
    }
    const work = Promise.all(Array.from({ length: 64 }, worker));
    await vi.runAllTimersAsync();
    await work;
    return { seconds: (Date.now() - began) / 1000, refused: throttle.rate.refusals, throttle };
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
    [0.2, 12],
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
    expect(throttle.rate.learned).toBeGreaterThan(40);
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
    expect(throttle.rate.learned).toBeGreaterThan(40);
  });

  test.each([
    [20, undefined],
    [100, undefined],
    [20, 1000],
  ])(
    'reaches 88 percent of 50 requests in each second, with less than 5 percent refused: %i ms, Retry-After %s',
    async (latency, wait) => {
      vi.setSystemTime(0);
      const rows = 3000;
      const service = { latency: () => latency, accepts: each(1, 50), wait, refusalMs: 20 };
      const { seconds, refused } = await send(rows, service);
      expect(rows / seconds, `${refused} refused`).toBeGreaterThan(0.88 * 50);
      expect(refused / rows).toBeLessThan(0.05);
    },
  );

  // Requests that were refused for the rest of a minute once made the rate too low for the next ones.
  test.each([
    [20, undefined],
    [20, 0],
    [100, undefined],
  ])('reaches 90 percent of 600 requests in each minute: %i ms, Retry-After %s', async (latency, wait) => {
    vi.setSystemTime(0);
    const rows = 4800;
    const service = { latency: () => latency, accepts: each(60, 600), wait, refusalMs: 20 };
    const { seconds, refused } = await send(rows, service);
    expect(rows / seconds, `${refused} refused`).toBeGreaterThan(0.9 * 10);
    expect(refused / rows).toBeLessThan(0.05);
  });

  test('recovers from a first guess that is far too low', async () => {
    vi.setSystemTime(0);
    const service = { latency: () => 100, accepts: each(10, 500), wait: 1000, refusalMs: 20 };
    const { seconds } = await send(3000, service);
    expect(3000 / seconds).toBeGreaterThan(0.55 * 50);
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
    [50, 10, 20, 1500],
    // The service refuses nearly half of what eight at a time send, but never many in a row.
    [50, 10, 100, 1500],
    [20, 5, 20, 400],
    // It refuses many of the requests, but seldom five of six.
    [100, 1, 50, 4000],
  ])(
    'reaches 80 percent of %i requests per second, %i at once, with a latency of %i ms and Retry-After: 1',
    async (rate, capacity, latency, rows) => {
      const service = { latency: () => latency, accepts: bucket(rate, capacity), wait: 1000, refusalMs: 20 };
      const { seconds, refused } = await send(rows, service);
      expect(rows / seconds, `${refused} refused`).toBeGreaterThan(0.8 * rate);
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
