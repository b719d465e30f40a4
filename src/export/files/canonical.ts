/**
 * Formats an item as one line of JSON: keys in the contract's order, then unknown ones, sorted. Lists within an item
 * (a licence's books, a user's roles) are sorted as far as the contract knows them to be sets. Other values stay
 * unchanged.
 */
import type { Field } from '../../contract/vocabulary.js';
import { exactJson, tokenAt } from '../../core/exact-json.js';
import { compareText } from '../../core/sort/compare-text.js';

/** The order of an object's keys, and of those below it. */
interface Order {
  readonly names: readonly string[];
  readonly inner: ReadonlyMap<string, Order>;
  /** A list whose order means nothing. */
  readonly isSet?: true;
}

const NOTHING_KNOWN: Order = { names: [], inner: new Map() };

function orderOf(field: Field): Order {
  if (field.kind === 'list' && field.of !== undefined) return { ...orderOf(field.of), isSet: true };
  if (field.fields === undefined) return NOTHING_KNOWN;
  const entries = Object.entries(field.fields);
  return {
    names: entries.map(([name]) => name),
    inner: new Map(entries.map(([name, part]) => [name, orderOf(part)])),
  };
}

/** By what an element of a set is known: its id, or itself; undefined for what has no name. */
function nameOf(element: unknown): string | undefined {
  if (typeof element === 'string') return element;
  if (typeof element !== 'object' || element === null || !('id' in element)) return undefined;
  return typeof element.id === 'string' ? element.id : undefined;
}

function isSorted(list: readonly unknown[]): boolean {
  let last: string | undefined;
  for (const element of list) {
    const name = nameOf(element);
    // Equal names are for the slow way, which looks at the rest.
    if (name === undefined || (last !== undefined && compareText(last, name) >= 0)) return list.length < 2;
    last = name;
  }
  return true;
}

/**
 * Whether a value is in order already: by far the most are, and making them anew would cost more than everything else
 * that an export does with an item. Keys may be missing, unknown ones make it look closer.
 */
function isInOrder(value: unknown, order: Order): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (!isInOrder(item, order)) return false;
    return order.isSet !== true || isSorted(value);
  }
  const { names, inner } = order;
  let at = 0;
  let last: string | undefined;
  for (const name in value) {
    while (at < names.length && names[at] !== name) at++;
    if (at === names.length) {
      // Behind the known ones: unknown ones, or known ones that came too late.
      if (inner.has(name) || (last !== undefined && compareText(last, name) > 0)) return false;
      last = name;
    } else at++;
    const below = (value as Readonly<Record<string, unknown>>)[name];
    if (typeof below === 'object' && below !== null && !isInOrder(below, inner.get(name) ?? NOTHING_KNOWN))
      return false;
  }
  return true;
}

/** The elements of a set by their names, and by all that they hold where these are the same; another list as it is. */
function inSetOrder(list: readonly unknown[], order: Order): readonly unknown[] {
  if (order.isSet !== true || isSorted(list)) return list;
  return list
    .map((element) => ({ element, name: nameOf(element) ?? '', text: written(element, order) }))
    .sort((a, b) => compareText(a.name, b.name) || compareText(a.text, b.text))
    .map(({ element }) => element);
}

/** The elements of a list as text, those of a set by their names, and by all that they hold where these are the same. */
function elementsOf(list: readonly unknown[], order: Order): readonly string[] {
  const elements = list.map((element, index) => ({
    name: nameOf(element) ?? '',
    text: tokenAt(list, String(index)) ?? written(element, order),
  }));
  if (order.isSet === true && !isSorted(list)) {
    elements.sort((a, b) => compareText(a.name, b.name) || compareText(a.text, b.text));
  }
  return elements.map(({ text }) => text);
}

/** Written by hand, because an object can't hold `__proto__`, or keys that look like numbers, in an order of choice. */
function written(value: unknown, order: Order): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${elementsOf(value, order).join(',')}]`;
  const { names, inner } = order;
  const known = names.filter((name) => Object.hasOwn(value, name));
  const unknown = Object.keys(value).filter((name) => !inner.has(name));
  const members = [...known, ...unknown.sort(compareText)].map((name) => {
    const below = (value as Readonly<Record<string, unknown>>)[name];
    const text = tokenAt(value, name) ?? written(below, inner.get(name) ?? NOTHING_KNOWN);
    return `${JSON.stringify(name)}:${text}`;
  });
  return `{${members.join(',')}}`;
}

/** The same value with its sets sorted, at any depth. */
function withSetsSorted(value: unknown, order: Order): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return inSetOrder(value, order).map((item) => withSetsSorted(item, order));
  const { inner } = order;
  return Object.fromEntries(
    Object.entries(value).map(([name, below]) => [name, withSetsSorted(below, inner.get(name) ?? NOTHING_KNOWN)]),
  );
}

/** A function that sorts the sets in items of this shape, for forms that put the fields in order themselves. */
export function setSorter(shape: Field): (item: unknown) => unknown {
  const order = orderOf(shape);
  return (item) => (isInOrder(item, order) ? item : withSetsSorted(item, order));
}

/** A function that writes items of this shape. */
export function canonicalWriter(shape: Field): (item: unknown) => string {
  const order = orderOf(shape);
  return (item) => (isInOrder(item, order) ? exactJson(item) : written(item, order));
}
