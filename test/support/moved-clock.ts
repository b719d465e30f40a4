/** A clock that tests move: waits end at once and add to the time, timeouts fire only on request. */
import type { Clock } from '../../src/client/request/clock.js';

export interface MovedClock extends Clock {
  /** All waits so far, in milliseconds. */
  readonly waits: readonly number[];
  /** Advances the time without firing timeouts. */
  pass(ms: number): void;
  /** Fires every active timeout. */
  expire(): void;
  /** The number of active timeouts. */
  readonly limits: () => number;
}

/** @param start milliseconds since the epoch */
export function movedClock(start = Date.UTC(2026, 0, 5, 12)): MovedClock {
  let now = start;
  const waits: number[] = [];
  const limits = new Set<() => void>();
  return {
    waits,
    now: () => now,
    sleep: async (ms) => {
      waits.push(ms);
      now += ms;
    },
    after: (_ms, run) => {
      limits.add(run);
      return () => limits.delete(run);
    },
    pass: (ms) => {
      now += ms;
    },
    expire: () => {
      for (const run of [...limits]) {
        limits.delete(run);
        run();
      }
    },
    limits: () => limits.size,
  };
}
