/**
 * Stores how an exported item differs from our response to it. Responses show the exported value of a field until a
 * write changes that field.
 */
import { isObject } from '../core/json.js';

/**
 * A leaf without `is` means that our response lacks the value; one without `shows`, that the export lacks it. Members
 * are pairs, because their names come from outside and may be `__proto__`.
 */
type Difference =
  | { readonly is?: unknown; readonly shows?: unknown }
  | { readonly members: readonly (readonly [name: string, Difference])[] }
  | { readonly entries: readonly (readonly [key: string, Difference])[] };

/** A missing member or entry; JSON has no `undefined`. */
const ABSENT = undefined;

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: Members): Map<string, unknown> => new Map(Object.entries(value));

/** The entries of a list by ID, or by value if they are texts; undefined if that does not identify each of them. */
function entriesOf(list: readonly unknown[]): Map<string, unknown> | undefined {
  const entries = new Map<string, unknown>();
  for (const entry of list) {
    const key = isObject(entry) && Object.hasOwn(entry, 'id') ? entry.id : entry;
    if (typeof key !== 'string' || entries.has(key)) return undefined;
    entries.set(key, entry);
  }
  return entries;
}

function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || one === null) return one === other;
  if (Array.isArray(one)) {
    return Array.isArray(other) && one.length === other.length && one.every((entry, at) => isSame(entry, other[at]));
  }
  if (!isObject(other)) return false;
  const names = Object.keys(one).filter((name) => (one as Members)[name] !== ABSENT);
  const others = Object.keys(other).filter((name) => other[name] !== ABSENT);
  return (
    names.length === others.length &&
    names.every((name) => Object.hasOwn(other, name) && isSame((one as Members)[name], other[name]))
  );
}

/** Called for every imported item, so it builds no intermediate list of names. */
function differencesOf(
  names: Iterable<string>,
  others: Iterable<string>,
  ours: (name: string) => unknown,
  theirs: (name: string) => unknown,
): (readonly [string, Difference])[] {
  const found: (readonly [string, Difference])[] = [];
  const note = (name: string): void => {
    const difference = differenceOf(ours(name), theirs(name));
    if (difference !== undefined) found.push([name, difference]);
  };
  for (const name of names) note(name);
  for (const name of others) if (ours(name) === ABSENT) note(name);
  return found;
}

/** Ignores inherited members such as `constructor`. */
const readerOf =
  (value: Members) =>
  (name: string): unknown =>
    Object.hasOwn(value, name) ? value[name] : ABSENT;

function differenceOf(ours: unknown, theirs: unknown): Difference | undefined {
  if (isObject(ours) && isObject(theirs)) {
    const members = differencesOf(Object.keys(ours), Object.keys(theirs), readerOf(ours), readerOf(theirs));
    return members.length === 0 ? undefined : { members };
  }
  if (Array.isArray(ours) && Array.isArray(theirs) && !isSame(ours, theirs)) {
    const [one, other] = [entriesOf(ours), entriesOf(theirs)];
    if (one !== undefined && other !== undefined) {
      const entries = differencesOf(
        one.keys(),
        other.keys(),
        (key) => one.get(key),
        (key) => other.get(key),
      );
      return entries.length === 0 ? undefined : { entries };
    }
  }
  if (isSame(ours, theirs)) return undefined;
  return { ...(ours === ABSENT ? {} : { is: ours }), ...(theirs === ABSENT ? {} : { shows: theirs }) };
}

function applyAll(values: Map<string, unknown>, differences: readonly (readonly [string, Difference])[]) {
  for (const [name, difference] of differences) {
    const value = applied(values.get(name), difference);
    if (value === ABSENT) values.delete(name);
    else values.set(name, value);
  }
  return values;
}

function applied(now: unknown, difference: Difference): unknown {
  if ('members' in difference) {
    return isObject(now) ? Object.fromEntries(applyAll(membersOf(now), difference.members)) : now;
  }
  if ('entries' in difference) {
    const entries = Array.isArray(now) ? entriesOf(now) : undefined;
    return entries === undefined ? now : [...applyAll(entries, difference.entries).values()];
  }
  return isSame(now, difference.is) ? difference.shows : now;
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
  const whole = difference === undefined ? {} : (JSON.parse(difference) as Difference);
  if (!('members' in whole)) return undefined;
  const members = whole.members.filter(([name]) => names.includes(name));
  return members.length === 0 ? undefined : JSON.stringify({ members });
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
