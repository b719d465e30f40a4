/** The end of a licence in updates: extensions, and ends that move earlier. */
import { textOf, type Values } from '../../cli/command.js';
import { dayAfter, dayIn, isDay } from '../../core/day.js';
import { usageError } from '../../core/errors.js';
import { getPath } from '../../core/json.js';
import { shellLine } from '../../core/shell.js';
import { EXTEND, expirationFrom } from './license-expiration.js';

/** The current `expiration` for a request body, without blank members; undefined if the licence has none. */
export function presentExpiration(licence: unknown): Record<string, unknown> | undefined {
  const type = getPath(licence, 'expiration.type');
  if (type === undefined || type === null) return undefined;
  const part = type === 'Days' ? 'days' : 'date';
  const value = getPath(licence, `expiration.${part}`) ?? undefined;
  return { type, ...(value === undefined ? {} : { [part]: dayIn(value) ?? value }) };
}

/** The end of a term for who activates the licence today. */
const endFrom = (today: string, { date, days }: Record<string, unknown> = {}): string | undefined =>
  days === undefined ? (isDay(`${date}`) ? `${date}` : undefined) : dayAfter(today, `${days}d`);

/**
 * `expiration` for an update, undefined if nothing changes it. With `--extend`, it counts from the licence's own end.
 * @param what the licence in messages
 * @throws EduError `usage` when a licence without an end date is to be extended
 */
export function changedExpiration(values: Values, licence: unknown, what: string): Record<string, unknown> | undefined {
  const length = textOf(values, EXTEND.name);
  // A bulk job has worked out the end of an extension before.
  if (length === undefined || values.until !== undefined) return expirationFrom(values);
  const present = presentExpiration(licence);
  const { type, days } = present ?? {};
  const end = type === 'Date' ? endFrom('', present) : undefined;
  const date = end === undefined ? undefined : dayAfter(end, length);
  if (date !== undefined) return { type: 'Date', date };
  const term = type === 'Days' ? `its term is ${days} days from its activation` : 'it has no end date';
  throw usageError(
    `Cannot extend ${what} by ${length}: ${end === undefined ? term : `it ends on ${end}`}.`,
    'Nothing was sent. Give the end with --until, or the term with --days.',
  );
}

/** A second extension would count from the new end. */
export const extendAgain = (next: Readonly<Record<string, unknown>> | undefined): string =>
  `It may have been carried out. Run it again with ${shellLine('--until', String(next?.date))} instead of --extend, which would extend it twice.`;

const inWords = ({ date, days }: Record<string, unknown>): string => `${date ?? `${days} days after each activation`}`;

/**
 * What a new expiration does that needs confirmation: the licence ends earlier than before, or in the past. To be put
 * after "would".
 * @param today `yyyy-MM-dd`
 * @returns undefined if there is nothing to confirm
 */
export function earlierEnd(
  next: Readonly<Record<string, unknown>> | undefined,
  licence: unknown,
  what: string,
  today: string,
): string | undefined {
  const present = presentExpiration(licence);
  const [before, after] = [endFrom(today, present), endFrom(today, next)];
  if (next === undefined || after === undefined || (present && inWords(present) === inWords(next))) return undefined;
  const from = present && before ? ` from ${inWords(present)}` : '';
  if (after < today) return `move the end of ${what}${from} to ${after} (in the past)`;
  // A term that becomes one in days ended later for those who activated it long ago.
  const isUsed = Number(getPath(licence, 'numberOfActivations')) !== 0;
  const isCounted = next.type === 'Days' && present?.type === 'Date' && isUsed;
  if (before === undefined || (after >= before && !(isCounted && before >= today))) return undefined;
  return next.type === 'Days' && present?.type === 'Days'
    ? `shorten the term of ${what} from ${present.days} to ${next.days} days`
    : `move the end of ${what}${from} back to ${inWords(next)}`;
}
