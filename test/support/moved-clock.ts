/** A clock that tests move: waits end at once and add to the time, limits go off only when told to. */
import type { Clock } from '../../src/client/request/clock.js';

export interface MovedClock extends Clock {
  /** All waits so far, in milliseconds. */
  readonly waits: readonly number[];
  /** Lets time pass, without limits going off. */
  pass(ms: number): void;
  /** Lets every limit that is set go off. */
  expire(): void;
  /** How many limits are set. */
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
