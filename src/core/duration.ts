/** Durations as people write them: `30s`, `5m`, `250ms`, `90d`. */

const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Timers of Node that are longer fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Reads a duration.
 * @param text a number and a unit (`ms`, `s`, `m`, `h`, `d`, `w`); seconds without a unit
 * @returns milliseconds; undefined when the text is no duration
 */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit = 's'] = /^(\d{1,12}(?:\.\d{1,3})?)\s*(ms|s|m|h|d|w)?$/.exec(text.trim()) ?? [];
  return amount === undefined ? undefined : Math.round(Number(amount) * (UNITS_MS[unit] ?? 0));
}

/** The same for a timer. @returns at least 1; undefined also for more than 24 days */
export function milliseconds(text: string): number | undefined {
  const length = parseDuration(text);
  return length !== undefined && length >= 1 && length <= MAX_TIMER_MS ? length : undefined;
}
