/** Finds IDs in responses. */
import { asId, isObject } from '../../core/json.js';

/** The ID in a response of `GET users/userId/:email`, whose shape is not documented: bare, `{id}`, or the only text. */
export function idIn(answer: unknown): string | undefined {
  if (typeof answer === 'string') return answer.trim() === '' ? undefined : answer.trim();
  if (typeof answer === 'number') return String(answer);
  if (Array.isArray(answer)) return answer.length === 1 ? idIn(answer[0]) : undefined;
  if (!isObject(answer)) return undefined;
  const named = answer.id ?? Object.entries(answer).find(([name]) => /^user_?id$/i.test(name))?.[1];
  const ids = (named === undefined ? Object.values(answer) : [named]).map(idIn).filter((id) => id !== undefined);
  return ids.length === 1 ? ids[0] : undefined;
}

/**
 * The IDs in a list from a response, where a blank list is null.
 * @returns undefined if one of them is not known, because sending back the others would remove it
 */
export function idsOf(value: unknown): readonly string[] | undefined {
  if (value === null) return [];
  if (!Array.isArray(value)) return undefined;
  const known = value
    .map((entry: unknown) => asId(isObject(entry) ? entry.id : entry))
    .filter((id) => id !== undefined);
  return known.length === value.length ? known : undefined;
}
