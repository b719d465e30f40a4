/** The wait before a retry: Retry-After (RFC 9110), else exponential backoff with jitter. */
import type { Headers } from '../../core/http.js';

/** The first wait, in milliseconds; each one is twice as long as the one before. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;

/**
 * The wait before the attempt after number `attempt`, in milliseconds: between half of the step and all of it.
 * @param random from 0 to below 1
 */
export function backOff(attempt: number, random: number): number {
  const step = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempt - 1));
  return Math.round(step / 2 + (step / 2) * random);
}

/**
 * How long the service wants to be left alone, in milliseconds; undefined when it does not say, or not readably.
 * @param now milliseconds since the epoch, for a date where the answer has no `Date` of its own to compare with
 */
export function retryAfter(headers: Headers, now: number): number | undefined {
  const wish = headers['retry-after']?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(wish)) return Number(wish) * 1000;
  // HTTP dates begin with the day's name; other things that Date would understand are not meant.
  if (!/^(mon|tue|wed|thu|fri|sat|sun)/i.test(wish)) return undefined;
  const until = Date.parse(wish);
  if (Number.isNaN(until)) return undefined;
  // The service's clock, not ours, has set the date.
  const there = Date.parse(headers.date ?? '');
  return Math.max(0, until - (Number.isNaN(there) ? now : there));
}
