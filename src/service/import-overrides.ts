/** Stores how an exported item differs from our response, which shows the exported value until a write changes it. */
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../core/json.js';

/** `is` is missing if our response lacks the value, `shows` if the export does. Pairs, as names may be `__proto__`. */
type Difference =
  | { readonly is?: unknown; readonly shows?: unknown }
  | { readonly parts: readonly (readonly [name: string, Difference])[] };

const isSame = (one: unknown, other: unknown): boolean => one === other || isDeepStrictEqual(one, other);

/** Members by name, or entries by ID or text; undefined if that does not identify each of them. */
function partsOf(value: unknown): Map<string, unknown> | undefined {
  if (isObject(value)) return new Map(Object.entries(value));
  if (!Array.isArray(value)) return undefined;
  const keys = value.map((entry) => (isObject(entry) && Object.hasOwn(entry, 'id') ? entry.id : entry));
  const isKeyed = keys.every((key) => typeof key === 'string') && new Set(keys).size === keys.length;
  return isKeyed ? new Map(keys.map((key, index) => [key, value[index]])) : undefined;
}

function differenceOf(ours: unknown, theirs: unknown): Difference | undefined {
  if (isSame(ours, theirs)) return undefined;
  const [one, other] = [partsOf(ours), partsOf(theirs)];
  if (one === undefined || other === undefined || isObject(ours) !== isObject(theirs)) {
    // `undefined` is not written to JSON.
    return { is: ours, shows: theirs };
  }
  const parts: [string, Difference][] = [];
  for (const name of new Set([...one.keys(), ...other.keys()])) {
    const difference = differenceOf(one.get(name), other.get(name));
    if (difference !== undefined) parts.push([name, difference]);
  }
  return parts.length === 0 ? undefined : { parts };
}

function applied(now: unknown, difference: Difference): unknown {
  if (!('parts' in difference)) return isSame(now, difference.is) ? difference.shows : now;
  const parts = partsOf(now);
  if (parts === undefined) return now;
  for (const [name, part] of difference.parts) {
    const value = applied(parts.get(name), part);
    if (value === undefined) parts.delete(name);
    else parts.set(name, value);
  }
  return Array.isArray(now) ? [...parts.values()] : Object.fromEntries(parts);
}

/**
 * Returns the differences as text, because SQLite, which reads the records, limits the nesting of JSON more than an
 * exported item might.
 * @returns undefined when both are the same, apart from the order of members and of entries that have an id
 */
export function differenceFrom(ours: unknown, theirs: unknown): string | undefined {
  const difference = differenceOf(ours, theirs);
  return difference === undefined ? undefined : JSON.stringify(difference);
}

/** The part of a difference that concerns the named members. */
export function differenceAbout(difference: string | undefined, names: readonly string[]): string | undefined {
  const whole = JSON.parse(difference ?? '{}') as Difference;
  const parts = 'parts' in whole ? whole.parts.filter(([name]) => names.includes(name)) : [];
  return parts.length === 0 ? undefined : JSON.stringify({ parts });
}

/**
 * "Blank fields are returned as null." Only imported text can be empty, because no write accepts it. The cast is needed
 * because the contract's types do not mark each text that may be null.
 */
export const blankIsNull = (text: string | null): string => (text === '' ? null : text) as string;

/** Replaces values by exported ones where ours have not changed since. @param difference from `differenceFrom` */
export function asShown<T>(answer: T, difference: string | undefined): T {
  return difference === undefined ? answer : (applied(answer, JSON.parse(difference) as Difference) as T);
}
