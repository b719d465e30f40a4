/** Measures rates, and formats counts, sizes and durations. */

/** The rate is an average over this time. */
const WINDOW_MS = 10_000;

export type Meter = ReturnType<typeof meter>;

/**
 * @param startedAt milliseconds, as all times
 * @param from amount done by an earlier run, which does not count for the rate
 */
export function meter(startedAt: number, from = 0) {
  const first = { at: startedAt, done: from };
  const samples = [first];
  const last = () => samples.at(-1) ?? first;
  return {
    record(done: number, at: number): void {
      if (samples.length > 1 && at - last().at < WINDOW_MS / 50) samples.pop();
      samples.push({ at, done });
      while (samples.length > 2 && at - (samples[1]?.at ?? at) >= WINDOW_MS) samples.shift();
    },
    get done(): number {
      return last().done;
    },
    /** Units per second; undefined until there are two samples. */
    get rate(): number | undefined {
      const [{ at, done } = first] = samples;
      const end = last();
      return end.at <= at || end.done <= done ? undefined : ((end.done - done) * 1000) / (end.at - at);
    },
  };
}

/** `1234567` → `1,234,567`. */
export function counted(count: number): string {
  const digits = String(Math.round(count));
  return digits.length <= 3 ? digits : `${counted(Number(digits.slice(0, -3)))},${digits.slice(-3)}`;
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
