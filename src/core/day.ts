/** Calendar days in UTC, and relative dates. */

/** `yyyy-MM-dd` of a time in milliseconds since the epoch. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** True if a text has the form `yyyy-MM-dd` and is a day of the calendar. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && dayOf(time) === text;
}

/** The day that a date of a response begins with: a service may add a time. */
export const dayIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value) ? value.slice(0, 10) : undefined;

const DAY_MS = 86_400_000;
const WORDS: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 };
/** Offsets in years have at most three digits, so that the result has a year of four digits. */
const OFFSET = /^([+-])(?:(\d{1,4})([dwm])|(\d{1,3})(y))$/;

/** The same day of another month, or that month's last day if it is shorter. */
function monthsLater(time: number, months: number): number {
  const date = new Date(time);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(date.getUTCDate(), lastDay));
}

/** The day after a length of time such as `30d`, `2w`, `6m` or `1y`; undefined if it is none. @param day `yyyy-MM-dd` */
export function dayAfter(day: string, length: string): string | undefined {
  const after = readDay(`+${length.trim()}`, Date.parse(`${day}T00:00:00Z`));
  return after !== undefined && isDay(after) ? after : undefined;
}

/**
 * Reads a day: `2030-07-31`, `today`, `yesterday`, `tomorrow`, or an offset from today: `+30d`, `-2w`, `+6m`, `+1y`.
 * @returns `yyyy-MM-dd`; undefined if the text is not a day
 */
export function readDay(text: string, now: number): string | undefined {
  const typed = text.trim().toLowerCase();
  if (isDay(typed)) return typed;
  if (Object.hasOwn(WORDS, typed)) return dayOf(now + (WORDS[typed] ?? 0) * DAY_MS);
  const [, sign, amount, unit, years] = OFFSET.exec(typed) ?? [];
  if (sign === undefined) return undefined;
  const count = Number(`${sign}${amount ?? years}`);
  if (unit === 'd' || unit === 'w') return dayOf(now + count * (unit === 'w' ? 7 : 1) * DAY_MS);
  return dayOf(monthsLater(now, unit === 'm' ? count : count * 12));
}
