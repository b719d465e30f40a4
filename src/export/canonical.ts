/**
 * An item as one line of JSON whose keys stand in the contract's order, whatever order the service sent them in; keys
 * that the contract does not know come behind, sorted. Values are left as they are.
 */
import type { Field } from '../contract/vocabulary.js';
import { byCodePoint } from '../output/selection/sort.js';

/** The order of an object's keys, and of those below it. */
interface Order {
  readonly names: readonly string[];
  readonly inner: ReadonlyMap<string, Order>;
}

const NOTHING_KNOWN: Order = { names: [], inner: new Map() };

function orderOf(field: Field): Order {
  if (field.kind === 'list' && field.of !== undefined) return orderOf(field.of);
  if (field.fields === undefined) return NOTHING_KNOWN;
  const entries = Object.entries(field.fields);
  return {
    names: entries.map(([name]) => name),
    inner: new Map(entries.map(([name, part]) => [name, orderOf(part)])),
  };
}

/**
 * Whether a value is in order already: by far the most are, and making them anew would cost more than everything else
 * that an export does with an item. Keys may be missing, unknown ones make it look closer.
 */
function isInOrder(value: unknown, order: Order): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (!isInOrder(item, order)) return false;
    return true;
  }
  const { names, inner } = order;
  let at = 0;
  let last: string | undefined;
  for (const name in value) {
    while (at < names.length && names[at] !== name) at++;
    if (at === names.length) {
      // Behind the known ones: unknown ones, or known ones that came too late.
      if (inner.has(name) || (last !== undefined && byCodePoint(last, name) > 0)) return false;
      last = name;
    } else at++;
    const below = (value as Readonly<Record<string, unknown>>)[name];
    if (typeof below === 'object' && below !== null && !isInOrder(below, inner.get(name) ?? NOTHING_KNOWN))
      return false;
  }
  return true;
}

/** Written by hand, because an object can't hold `__proto__`, or keys that look like numbers, in an order of choice. */
function written(value: unknown, order: Order): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map((item) => written(item, order)).join(',')}]`;
  const { names, inner } = order;
  const known = names.filter((name) => Object.hasOwn(value, name));
  const unknown = Object.keys(value).filter((name) => !inner.has(name));
  const members = [...known, ...unknown.sort(byCodePoint)].map((name) => {
    const below = (value as Readonly<Record<string, unknown>>)[name];
    return `${JSON.stringify(name)}:${written(below, inner.get(name) ?? NOTHING_KNOWN)}`;
  });
  return `{${members.join(',')}}`;
}

/** A function that writes items of this shape. */
export function canonicalWriter(shape: Field): (item: unknown) => string {
  const order = orderOf(shape);
  return (item) => (isInOrder(item, order) ? JSON.stringify(item) : written(item, order));
}
