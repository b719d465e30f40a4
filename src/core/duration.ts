/** Parses durations: `30s`, `5m`, `250ms`, `90d`. */

const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Node fires longer timers immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * @param text a number and a unit (`ms`, `s`, `m`, `h`, `d`, `w`); seconds without a unit
 * @returns milliseconds; undefined if the text is not a duration
 */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit = 's'] = /^(\d{1,12}(?:\.\d{1,3})?)\s*(ms|s|m|h|d|w)?$/.exec(text.trim()) ?? [];
  return amount === undefined ? undefined : Math.round(Number(amount) * (UNITS_MS[unit] ?? 0));
}

/** Like `parseDuration`, for a timer. @returns at least 1; undefined also for more than 24 days */
export function milliseconds(text: string): number | undefined {
  const length = parseDuration(text);
  return length !== undefined && length >= 1 && length <= MAX_TIMER_MS ? length : undefined;
}
