/** The expiration of a licence: `--days` or `--until`, in rows and requests. */
import { exclusive, type Flag, flag, type Values } from '../../cli/command.js';
import type { Problem } from '../../core/errors.js';

/** Flags that replace each other. */
export const EXPIRATION = [['days', 'until', 'extend']] as const;

export const EXTEND: Flag = flag(
  '--extend TIME',
  'time to add to the end of the licence (30d, 2w, 6m or 1y), instead of --days or --until',
  { kind: 'period' },
);

/** Only in input rows from API responses: `{"expiration": {"type": "Days", "days": 365, "date": null}}`. */
export const EXPIRATION_TYPE: Flag = flag('--expiration-type', 'days or until, whichever is given', {
  kind: 'choice',
  choices: ['Days', 'Date'],
  hidden: true,
});

export function expirationProblems(values: Values): readonly Problem[] {
  const both = exclusive('days', 'until', 'extend')(values);
  const type = values[EXPIRATION_TYPE.name];
  const wanted = type === 'Days' ? 'days' : 'until';
  const isGiven = values[wanted] !== undefined || values[EXTEND.name] !== undefined;
  if (both.length > 0 || type === undefined || isGiven) return both;
  return [{ message: `--${wanted} is missing, because the expiration is of type ${type}` }];
}

/** `expiration` for a request body; undefined if no flag is given. */
export function expirationFrom(values: Values): Record<string, unknown> | undefined {
  if (values.days !== undefined) return { type: 'Days', days: values.days };
  if (values.until !== undefined) return { type: 'Date', date: values.until };
  return undefined;
}
