/** Durations in options and requests of the bundled service. */
import { parseDuration } from '../../core/duration.js';

/** Milliseconds of a text such as `90s`; a number, as programs give it, is milliseconds. Undefined when it is neither. */
export function readDuration(value: unknown): number | undefined {
  if (typeof value === 'string') return parseDuration(value);
  return typeof value === 'number' && value >= 0 && Number.isFinite(value) ? value : undefined;
}

export interface DurationRange {
  readonly from: number;
  readonly to: number;
}

/** Milliseconds of `50ms`, or of `50ms-200ms`: anything between. Undefined when it is neither. */
export function readDurationRange(value: unknown): DurationRange | undefined {
  const parts = (typeof value === 'string' ? value.split('-') : [value]).map(readDuration);
  const [from, to = from] = parts;
  if (parts.length > 2 || from === undefined || to === undefined || parts.includes(undefined) || to < from) return;
  return { from, to };
}
