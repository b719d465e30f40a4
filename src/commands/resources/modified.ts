/** `edu users modified --since DATE`: reads a list per day, and shows each user once. */
import { type Flag, flag, textOf, type Values } from '../../cli/command.js';
import { users } from '../../contract/users.js';
import { dayOf, readDay } from '../../core/day.js';
import { usageError } from '../../core/errors.js';
import { getPath } from '../../core/json.js';
import type { Call, ListFilter } from '../kinds/spec.js';

export const SINCE: Flag = flag('--since DATE', 'every day from this one to today (yyyy-MM-dd, -1w, -1m)', {
  kind: 'date',
});

/** @param now milliseconds since the epoch @throws EduError `usage` for a day in the future */
export function modifiedSources(values: Values, now: number): readonly Call[] {
  const since = textOf(values, 'since');
  const date = textOf(values, 'date');
  const call = (dateToCheck?: string): Call => ({
    endpoint: users.checkModified,
    input: { query: dateToCheck === undefined ? {} : { dateToCheck } },
  });
  if (since === undefined) return [call(date)];
  const calls: Call[] = [];
  const today = dayOf(now);
  for (let day = since; day <= today; day = readDay('tomorrow', Date.parse(`${day}T00:00:00Z`)) ?? '~')
    calls.push(call(day));
  if (calls.length === 0) throw usageError(`--since ${since} is in the future.`, 'Give today or an earlier day.');
  return calls;
}

export function onceEach(): ListFilter {
  const seen = new Set<unknown>();
  const isNew = (item: unknown): boolean => {
    const id = getPath(item, 'id') ?? item;
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  };
  return { keep: (items) => items.filter(isNew), notes: () => [] };
}
