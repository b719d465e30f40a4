/** The clock of requests, jobs and exports, which tests replace. */
export interface Clock {
  /** Milliseconds since the epoch, by the system's time when the process started: waits end also if that time is changed. */
  now(): number;
  /** Resolves after `ms` milliseconds, or when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Runs a function after `ms` milliseconds. @returns a function that cancels it */
  after(ms: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Math.round(performance.timeOrigin + performance.now()),
  sleep: (ms, signal) =>
    process
      .getBuiltinModule('node:timers/promises')
      .setTimeout(ms, undefined, { signal })
      .catch(() => {}),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
