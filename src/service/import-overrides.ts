/**
 * Differences between exported and own responses: fields and entries with both values. A response shows the exported
 * value until a write changes its own.
 */
import { isObject } from '../core/json.js';

/**
 * Where two values differ. A leaf without `is` stands for what our answer does not have, one without `shows` for what the
 * export did not have. Members are pairs: their names come from outside, and `__proto__` is one like any other.
 */
type Difference =
  | { readonly is?: unknown; readonly shows?: unknown }
  | { readonly members: readonly (readonly [name: string, Difference])[] }
  | { readonly entries: readonly (readonly [key: string, Difference])[] };

/** Stands for a member or entry that is not there; JSON has no `undefined`. */
const ABSENT = undefined;

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: Members): Map<string, unknown> => new Map(Object.entries(value));

/** The entries of a list by what they are known by, their id or themselves; undefined where that does not tell them apart. */
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

/** The differences of all members or entries. An import asks for those of each item: nothing is made that is not needed. */
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

/** Of members: what all objects have is none. */
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
 * Where an export's item differs from our answer, as text to be kept in a record: the store's JSON is read by SQLite,
 * which goes less deep than what an item may hold.
 * @returns undefined when they are the same, apart from the order of members and of entries that have an id
 */
export function differenceFrom(ours: unknown, theirs: unknown): string | undefined {
  const difference = differenceOf(ours, theirs);
  return difference === undefined ? undefined : JSON.stringify(difference);
}

/** The part of a difference that is about some members. */
export function differenceAbout(difference: string | undefined, names: readonly string[]): string | undefined {
  const whole = difference === undefined ? {} : (JSON.parse(difference) as Difference);
  if (!('members' in whole)) return undefined;
  const members = whole.members.filter(([name]) => names.includes(name));
  return members.length === 0 ? undefined : JSON.stringify({ members });
}

/**
 * "Blank fields are returned as null." A text of ours is empty only where an export had none: no write can make it so. The
 * contract's types do not say of each text that it may be blank.
 */
export const blankIsNull = (text: string | null): string => (text === '' ? null : text) as string;

/** An answer with what an export showed, where nothing has changed since. @param difference from `differenceFrom` */
export function asShown<T>(answer: T, difference: string | undefined): T {
  return difference === undefined ? answer : (applied(answer, JSON.parse(difference) as Difference) as T);
}
