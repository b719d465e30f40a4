/** Measures rates, and formats counts, sizes and durations. */

/** The rate is an average over this time. */
const WINDOW_MS = 10_000;

export interface Meter {
  /** @param at milliseconds */
  record(done: number, at: number): void;
  readonly done: number;
  /** Units per second; undefined until there are two samples. */
  readonly rate: number | undefined;
}

/** @param from amount done by an earlier run, which does not count for the rate */
export function meter(startedAt: number, from = 0): Meter {
  const samples = [{ at: startedAt, done: from }];
  return {
    record(done, at) {
      const last = samples[samples.length - 1];
      if (samples.length > 1 && last !== undefined && at - last.at < WINDOW_MS / 50) samples.pop();
      samples.push({ at, done });
      while (samples.length > 2 && at - (samples[1]?.at ?? at) >= WINDOW_MS) samples.shift();
    },
    get done() {
      return samples[samples.length - 1]?.done ?? 0;
    },
    get rate() {
      const [first] = samples;
      const last = samples[samples.length - 1];
      if (first === undefined || last === undefined || last.at <= first.at || last.done <= first.done) return undefined;
      return ((last.done - first.done) * 1000) / (last.at - first.at);
    },
  };
}

/** `1234567` → `1,234,567`. */
export function counted(count: number): string {
  const digits = String(Math.round(count));
  let grouped = digits.slice(-3);
  for (let end = digits.length - 3; end > 0; end -= 3)
    grouped = `${digits.slice(Math.max(0, end - 3), end)},${grouped}`;
  return grouped;
}

/** In units of 1024, as in the service's limits. */
export function sized(bytes: number): string {
  if (bytes < 1024) return `${Math.round(bytes)} B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(0)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

/** Seconds as `12 s`, `3 min 5 s`, `2 h 10 min`. */
export function durationText(seconds: number): string {
  const whole = Math.max(1, Math.ceil(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
