/** The differences between two versions of an item, field by field. */
import { exactJson, keepToken, tokenAt } from '../../core/exact-json.js';
import { isObject } from '../../core/json.js';

/** One difference; undefined on the side that does not have the field. */
export interface FieldChange {
  /** `expiration.date`, `books[B1].title`, `usersInClass[u7]`. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

type Item = Readonly<Record<string, unknown>>;

/** The name of a list element: its ID, or itself if it is a scalar. */
function nameOf(element: unknown): string | undefined {
  if (typeof element === 'string' || typeof element === 'number') return String(element);
  if (!isObject(element)) return undefined;
  const { id } = element;
  if (typeof id === 'string' || typeof id === 'number') return String(id);
  const { resource, operation } = element;
  return typeof resource === 'string' && typeof operation === 'string' ? `${resource} ${operation}` : undefined;
}

/** The elements by name; undefined if one has no name, or two have the same. */
function byName(list: readonly unknown[]): Map<string, unknown> | undefined {
  const named = new Map<string, unknown>();
  for (const element of list) {
    const name = nameOf(element);
    if (name === undefined || named.has(name)) return undefined;
    named.set(name, element);
  }
  return named;
}

const same = (before: unknown, after: unknown): boolean => exactJson(before) === exactJson(after);

function listChanges(before: readonly unknown[], after: readonly unknown[], path: string, into: FieldChange[]): void {
  const [then, now] = [byName(before), byName(after)];
  const count = into.length;
  if (then !== undefined && now !== undefined) {
    for (const name of new Set([...then.keys(), ...now.keys()])) {
      collect(then.get(name), now.get(name), `${path}[${name}]`, into);
    }
  }
  // The order differs, or the elements have no unique names: the whole lists are the difference.
  if (into.length === count && !same(before, after)) into.push({ path, before, after });
}

function collect(before: unknown, after: unknown, path: string, into: FieldChange[]): void {
  if (isObject(before) && isObject(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const [then, now] = [before, after].map((side) => (Object.hasOwn(side, name) ? side[name] : undefined));
      const place = path === '' ? name : `${path}.${name}`;
      // A large number is represented as text here, but must differ from the text itself.
      if (tokenAt(before, name) === tokenAt(after, name)) collect(then, now, place, into);
      else {
        const change = { path: place, before: then, after: now };
        keepToken(before, change, name, 'before');
        keepToken(after, change, name, 'after');
        into.push(change);
      }
    }
  } else if (Array.isArray(before) && Array.isArray(after)) listChanges(before, after, path, into);
  else if (!same(before, after)) into.push({ path, before, after });
}

/** The differences between two items, in the order of their fields. */
export function fieldChanges(before: Item, after: Item): readonly FieldChange[] {
  const into: FieldChange[] = [];
  collect(before, after, '', into);
  return into;
}
