/** Formats an item as one line of JSON: keys in the contract's order, then unknown ones; sets sorted. */
import type { Field } from '../../contract/vocabulary.js';
import { exactJson, JsonText, parseJson, tokenAt } from '../../core/exact-json.js';
import { isObject } from '../../core/json.js';
import { compareText } from '../../core/sort/compare-text.js';

/** The order of an object's keys and of nested ones. */
interface Order {
  readonly names: readonly string[];
  readonly inner: ReadonlyMap<string, Order>;
  /** A list without a meaningful order. */
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

/** The name of a set's element: its ID, or itself; undefined if it has none. */
function nameOf(element: unknown): string | undefined {
  if (typeof element === 'string') return element;
  return isObject(element) && typeof element.id === 'string' ? element.id : undefined;
}

function isSorted(list: readonly unknown[]): boolean {
  let last: string | undefined;
  for (const element of list) {
    const name = nameOf(element);
    // Equal names need the slow comparison of whole elements.
    if (name === undefined || (last !== undefined && compareText(last, name) >= 0)) return list.length < 2;
    last = name;
  }
  return true;
}

/**
 * True if a value is already in order. Most are, and rebuilding them would cost more than the rest of an export. Keys may
 * be missing.
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
      // After the known keys: unknown ones, or known ones in the wrong order.
      if (inner.has(name) || (last !== undefined && compareText(last, name) > 0)) return false;
      last = name;
    } else at++;
    const below = (value as Readonly<Record<string, unknown>>)[name];
    if (typeof below === 'object' && below !== null && !isInOrder(below, inner.get(name) ?? NOTHING_KNOWN))
      return false;
  }
  return true;
}

/** The elements of a list as text; those of a set are sorted by name, then by content. */
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

/** Writes JSON itself, because an object cannot hold `__proto__` or numeric keys in a chosen order. */
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

/** Returns a function that sorts the sets in items of a shape, for formats that order the fields themselves. */
export function setSorter(shape: Field): (item: unknown) => unknown {
  const order = orderOf(shape);
  return (item) => (isInOrder(item, order) ? item : parseJson(written(item, order)));
}

/** Returns a function that writes items of a shape. */
export function canonicalWriter(shape: Field): (item: unknown) => string {
  const order = orderOf(shape);
  return (item) => (item instanceof JsonText || isInOrder(item, order) ? exactJson(item) : written(item, order));
}
