/** The wait before a retry: Retry-After (RFC 9110), else exponential backoff with jitter. */
import type { Headers } from '../../core/http.js';

/** The first wait; each further one is twice as long. */
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 15_000;

/**
 * The wait in milliseconds after a failed attempt: a random time between half the step and the whole step.
 * @param attempt number of the failed attempt, from 1
 * @param random from 0 to below 1
 * @param firstMs the first step
 */
export function backOff(attempt: number, random: number, firstMs = FIRST_WAIT_MS): number {
  const step = Math.min(MAX_WAIT_MS, firstMs * 2 ** (attempt - 1));
  return Math.round(step / 2 + (step / 2) * random);
}

/**
 * The value of Retry-After in milliseconds; undefined if it is missing or invalid.
 * @param now milliseconds since the epoch, which a date is compared with if the response has no `Date`
 */
export function retryAfter(headers: Headers, now: number): number | undefined {
  const value = headers['retry-after']?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  // HTTP dates begin with a weekday; Date.parse accepts other formats too, which are not allowed here.
  if (!/^(mon|tue|wed|thu|fri|sat|sun)/i.test(value)) return undefined;
  const until = Date.parse(value);
  if (Number.isNaN(until)) return undefined;
  // The date is relative to the service's clock, not to the local one.
  const there = Date.parse(headers.date ?? '');
  return Math.max(0, until - (Number.isNaN(there) ? now : there));
}
