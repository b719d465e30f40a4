/** Lengths of time as people write them: `30s`, `5m`, `250ms`. */

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** The longest that a timer of Node can wait, in milliseconds; longer ones fire at once. */
const LONGEST = 2 ** 31 - 1;

/**
 * Reads a length of time.
 * @param text a number and a unit (`ms`, `s`, `m`, `h`); without a unit it is seconds
 * @returns milliseconds, at least 1; undefined when it is none, or longer than 24 days
 */
export function milliseconds(text: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)?$/.exec(text.trim()) ?? [];
  if (amount === undefined) return undefined;
  const length = Math.round(Number(amount) * (UNITS[unit ?? 's'] ?? 1000));
  return length >= 1 && length <= LONGEST ? length : undefined;
}
