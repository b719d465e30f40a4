/** Flattens items into records, for TSV, CSV and workbooks. */
import type { Field, Fields } from '../../contract/vocabulary.js';
import { exactJson } from '../../core/exact-json.js';
import { isObject } from '../../core/json.js';
import { fieldAt, fieldOf, fieldsBehind, leaves, valueReader } from '../select/fields.js';

export interface RecordColumn {
  /** Dotted name; empty if the item itself is the value. */
  readonly name: string;
  readonly read: (item: unknown) => unknown;
  /** The type of its values; undefined if the contract does not have it. */
  readonly kind: Field['kind'] | undefined;
}

/**
 * The columns of a shape: all in the API's order, or the requested fields in theirs (an object selects its members).
 * They depend only on the contract, so that a command always has the same columns.
 */
export function recordColumns(shape: Field, names?: readonly string[]): RecordColumn[] {
  const paths = names
    ?.flatMap((name) => fieldsBehind(name, shape))
    .flatMap((name) => {
      const path = name.split('.');
      const field = fieldAt(shape, path);
      return field === undefined ? [path] : leaves(field, path);
    });
  // A heading or an object may stand for a field that is requested by its own name, too.
  const byName = new Map((paths ?? leaves(shape)).map((path) => [path.join('.'), path]));
  return Array.from(byName, ([name, path]) => ({ name, read: valueReader(path), kind: fieldAt(shape, path)?.kind }));
}

/** Escapes `;` and `\` in elements of a list, so that the list can be read back. */
const escapedElement = (text: string): string =>
  // Replacing nothing takes several times as long as finding nothing: 3% of a list as csv.
  /[;\\]/.test(text) ? text.replace(/[;\\]/g, '\\$&') : text;

/** Null is empty, lists are joined by `;`, undocumented objects are JSON. */
export function cellText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (Array.isArray(value))
    return value.length === 1
      ? escapedElement(cellText(value[0]))
      : value.map((element) => escapedElement(cellText(element))).join(';');
  return typeof value === 'object' ? exactJson(value) : String(value);
}

/** A row such as `[id, name]`, from a multi-select list, becomes a record with numbered columns. */
export const asRecord = (row: unknown): unknown =>
  Array.isArray(row) ? Object.fromEntries(row.map((value, index) => [`${index + 1}`, value])) : row;

/** Writes one line per item. An empty list has the head, too. */
export function rowWriter(head: () => string, row: (item: unknown) => string) {
  let isStarted = false;
  const start = (): string => {
    if (isStarted) return '';
    isStarted = true;
    return head();
  };
  return {
    page: (items: readonly unknown[]): string => (items.length === 0 ? '' : start() + items.map(row).join('')),
    end: start,
  };
}

/**
 * The shape of all the values: an object with every field that one of them has, in the order of first appearance; a
 * list; or a plain value. Mixtures are `any`.
 */
export function shapeOf(values: readonly unknown[]): Field {
  const present = values.filter((value) => value !== null && value !== undefined);
  const [first] = present;
  if (first === undefined) return fieldOf('any');
  if (present.every(isObject)) return { ...fieldOf('object'), fields: fieldsOf(present) };
  if (present.every((value) => Array.isArray(value))) return { ...fieldOf('list'), of: shapeOf(present.flat()) };
  const kind = typeof first;
  if (present.some((value) => typeof value !== kind)) return fieldOf('any');
  return fieldOf(kind === 'string' ? 'text' : kind === 'number' ? 'number' : kind === 'boolean' ? 'boolean' : 'any');
}

function fieldsOf(records: readonly Readonly<Record<string, unknown>>[]): Fields {
  const names = new Set(records.flatMap((record) => Object.keys(record)));
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      shapeOf(records.map((record) => (Object.hasOwn(record, name) ? record[name] : undefined))),
    ]),
  );
}
