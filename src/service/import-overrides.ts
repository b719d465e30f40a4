/** Stores how an exported item differs from our response, which shows the exported value until a write changes it. */
import { isDeepStrictEqual } from 'node:util';

/** By member: `is` is missing if our response lacks it, `shows` if the export does. Pairs, as names may be `__proto__`. */
type Difference = readonly (readonly [name: string, { readonly is?: unknown; readonly shows?: unknown }])[];

/**
 * Returns the differences as text, because SQLite, which reads the records, limits the nesting of JSON more than an
 * exported item might.
 * @returns undefined when both are the same, apart from the order of members
 */
export function differenceFrom(ours: object, theirs: object): string | undefined {
  const [one, other] = [new Map(Object.entries(ours)), new Map(Object.entries(theirs))];
  // `undefined` is not written to JSON.
  const difference: Difference = [...new Set([...one.keys(), ...other.keys()])]
    .map((name) => [name, { is: one.get(name), shows: other.get(name) }] as const)
    .filter(([, { is, shows }]) => !isDeepStrictEqual(is, shows));
  return difference.length === 0 ? undefined : JSON.stringify(difference);
}

/**
 * "Blank fields are returned as null." Only imported text can be empty, because no write accepts it. The cast is needed
 * because the contract's types do not mark each text that may be null.
 */
export const blankIsNull = (text: string | null): string => (text === '' ? null : text) as string;

/** Replaces members by exported ones where ours have not changed since. @param difference from `differenceFrom` */
export function asShown<T extends object>(answer: T, difference: string | undefined): T {
  if (difference === undefined) return answer;
  const members = new Map<string, unknown>(Object.entries(answer));
  for (const [name, { is, shows }] of JSON.parse(difference) as Difference) {
    if (!isDeepStrictEqual(members.get(name), is)) continue;
    if (shows === undefined) members.delete(name);
    else members.set(name, shows);
  }
  return Object.fromEntries(members) as T;
}
