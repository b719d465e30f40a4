/** Lengths of time as people write them: `250ms`, `90s`, `2h`, `3d`. */

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of a text such as `90s`; a bare number is milliseconds. Undefined when it is none. */
export function parseDuration(text: string): number | undefined {
  const [, digits, unit = 'ms'] = /^(\d{1,12}(?:\.\d{1,3})?)\s*(ms|s|m|h|d)?$/.exec(text.trim()) ?? [];
  const factor = UNITS[unit];
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor;
}

export interface DurationRange {
  readonly from: number;
  readonly to: number;
}

/** Milliseconds of `50ms`, or of `50ms-200ms`: anything between. Undefined when it is neither. */
export function parseDurationRange(text: string): DurationRange | undefined {
  const parts = text.split('-').map(parseDuration);
  const [from, to = from] = parts;
  if (parts.length > 2 || from === undefined || to === undefined || parts.includes(undefined) || to < from) return;
  return { from, to };
}
