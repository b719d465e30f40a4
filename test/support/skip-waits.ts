/** Lets the waits of the client, and those of jobs before another look, pass at once. */
import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import { Throttle } from '../../src/bulk/send/throttle.js';
import { systemClock } from '../../src/client/request/clock.js';

/**
 * For every test of the file that calls it: a job looks again at once for an item that is not shown. How long it waits is
 * tested in throttle.test.ts.
 * @param meanwhile what happens during a wait
 */
export function settleAtOnce(meanwhile = (): void => {}): void {
  beforeEach(() => {
    vi.spyOn(Throttle.prototype, 'settle').mockImplementation(async () => {
      meanwhile();
      return true;
    });
  });
}

/**
 * The client's clock moves on by as much, for every test and hook of the file that calls it. Timeouts still take their time.
 * @param passing false for tests that run several commands at once: the waits of one must not be those of another
 */
export function skipWaits(passing = true): void {
  const { now, sleep } = systemClock;
  const skip = (): void => {
    let skippedMs = 0;
    vi.spyOn(systemClock, 'now').mockImplementation(() => now() + skippedMs);
    vi.spyOn(systemClock, 'sleep').mockImplementation(async (ms, signal) => {
      if (passing) skippedMs += ms;
      await sleep(0, signal);
    });
  };
  beforeAll(skip);
  beforeEach(skip);
  afterAll(() => void vi.restoreAllMocks());
}

/** Longer than any wait of the program. */
const MAX_TURNS = 100_000;

/** Runs work whose timers, and the time, are those of this process: each turn of the event loop takes 50 ms. */
export async function skipTimers<G, T>(work: (given: G) => Promise<T>, given: G): Promise<T> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  let isOver = false;
  try {
    const result = work(given).finally(() => {
      isOver = true;
    });
    for (let turn = 0; !isOver; turn++) {
      if (turn > MAX_TURNS) throw new Error('The work does not end.');
      await new Promise((resolve) => setImmediate(resolve));
      vi.advanceTimersByTime(50);
    }
    return await result;
  } finally {
    vi.useRealTimers();
  }
}
