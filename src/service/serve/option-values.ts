/** Durations in options and requests, and the error for an invalid option. */
import { parseDuration } from '../../core/duration.js';

export class OptionError extends TypeError {
  override readonly name = 'OptionError';
  /** What to write instead. */
  readonly hint: string;
  constructor(message: string, hint: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.hint = hint;
  }
}

/** The error for a value that an option does not take. */
export const badOption = (name: string, value: unknown, hint: string, cause?: unknown): OptionError =>
  new OptionError(`${name} ${JSON.stringify(value) ?? String(value)} cannot be used`, hint, cause);

/** Reads a text such as `90s`, or a number of milliseconds; undefined for anything else. */
export function readDuration(value: unknown): number | undefined {
  if (typeof value === 'string') return parseDuration(value);
  return typeof value === 'number' && value >= 0 && Number.isFinite(value) ? value : undefined;
}

/** Like `readDuration`. @throws OptionError for anything else */
export function requireDuration(name: string, value: unknown): number {
  const found = readDuration(value);
  if (found !== undefined) return found;
  throw badOption(name, value, 'Write 90s, 2h or 3d, or give milliseconds.');
}

export interface DurationRange {
  readonly from: number;
  readonly to: number;
}

/** Reads `50ms` or `50ms-200ms`; undefined for anything else. */
export function readDurationRange(value: unknown): DurationRange | undefined {
  const parts = (typeof value === 'string' ? value.split('-') : [value]).map(readDuration);
  const [from, to = from] = parts;
  if (parts.length > 2 || from === undefined || to === undefined || parts.includes(undefined) || to < from) return;
  return { from, to };
}
