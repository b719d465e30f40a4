/** Lets the waits of the client pass at once: its clock moves on by as much. */
import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import { systemClock } from '../../src/client/request/clock.js';

/**
 * For every test and hook of the file that calls it. Timeouts still take their time.
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
