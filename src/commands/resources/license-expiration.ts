/** The expiration of a licence: `--days` or `--until`, in rows and requests. */
import { exclusive, type Flag, flag, isOn, textOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { dayOf } from '../../core/day.js';
import type { Problem } from '../../core/errors.js';
import { getPath } from '../../core/json.js';

/** Flags that replace each other. */
export const EXPIRATION = [['days', 'until']] as const;

/** Only in input rows from API responses: `{"expiration": {"type": "Days", "days": 365, "date": null}}`. */
export const EXPIRATION_TYPE: Flag = flag('--expiration-type', 'days or until, whichever is given', {
  kind: 'choice',
  choices: ['Days', 'Date'],
  hidden: true,
});

export function expirationProblems(values: Values): readonly Problem[] {
  const both = exclusive('days', 'until')(values);
  const type = values[EXPIRATION_TYPE.name];
  const wanted = type === 'Days' ? 'days' : 'until';
  if (both.length > 0 || type === undefined || values[wanted] !== undefined) return both;
  return [{ message: `--${wanted} is missing, because the expiration is of type ${type}` }];
}

/** `expiration` for a request body; undefined if no flag is given. */
export function expirationFrom(values: Values): Record<string, unknown> | undefined {
  if (values.days !== undefined) return { type: 'Days', days: values.days };
  if (values.until !== undefined) return { type: 'Date', date: values.until };
  return undefined;
}

/** The current `expiration` for a request body, without blank members; undefined if the licence has none. */
export function presentExpiration(licence: unknown): Record<string, unknown> | undefined {
  const type = getPath(licence, 'expiration.type');
  if (type === undefined || type === null) return undefined;
  const part = type === 'Days' ? 'days' : 'date';
  const value = getPath(licence, `expiration.${part}`);
  return { type, ...(value === undefined || value === null ? {} : { [part]: value }) };
}

/**
 * Warns about a licence that ends in the past; on a terminal, asks. A promise only if it asks.
 * @throws EduError `usage` if the answer is no
 */
export function pastEnd(values: Values, context: Context): readonly string[] | Promise<readonly string[]> {
  const until = textOf(values, 'until');
  if (until === undefined || until >= dayOf(context.now())) return [];
  const text = `The licence ends in the past, on ${until}.`;
  if (!context.canAsk || isOn(context.globals, 'yes') || isOn(values, 'dry-run')) return [text];
  return import('../kinds/confirm.js').then(async ({ askYes }) => {
    await askYes(`${text} Send it anyway?`, context);
    return [];
  });
}
