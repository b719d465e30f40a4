/** Flattens items into records of text, for TSV and CSV. */
import type { Field, Fields } from '../../contract/vocabulary.js';
import { exactJson } from '../../core/exact-json.js';
import { isObject } from '../../core/json.js';
import { fieldAt, leaves, type Path, valueAt } from '../select/fields.js';
import type { ListWriter } from './writer.js';

export interface RecordColumn {
  /** Dotted name; empty if the item itself is the value. */
  readonly name: string;
  readonly read: (item: unknown) => unknown;
}

const column = (path: Path): RecordColumn => ({ name: path.join('.'), read: (item) => valueAt(item, path) });

/**
 * The columns of a shape: all in the API's order, or the requested fields in theirs (an object selects its members).
 * They depend only on the contract, so that a command always has the same columns.
 */
export function recordColumns(shape: Field, names?: readonly string[]): RecordColumn[] {
  const paths = names?.flatMap((name) => {
    const path = name.split('.');
    const field = fieldAt(shape, path);
    return field === undefined ? [path] : leaves(field, path);
  });
  return (paths ?? leaves(shape)).map(column);
}

/** The contract's shape; if it is `any`, the one inferred from the items. */
export function printableShape(shape: Field, items: readonly unknown[]): Field {
  return shape.kind === 'any' ? shapeOf(items) : shape;
}

/** Escapes `;` and `\` in elements of a list, so that the list can be read back. */
const elementText = (value: unknown): string => cellText(value).replace(/[;\\]/g, '\\$&');

/** Null is empty, lists are joined by `;`, undocumented objects are JSON. */
export function cellText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.length < 2 ? elementText(value[0]) : value.map(elementText).join(';');
  return typeof value === 'object' ? exactJson(value) : String(value);
}

/** The parts of a format with one line per item, whose columns are chosen by the first page. */
export interface RowFormat<C> {
  readonly columnsFor: (items: readonly unknown[]) => C;
  readonly head: (columns: C) => string;
  readonly row: (item: unknown, columns: C) => string;
}

/** An empty list has the columns of its shape. */
export function rowWriter<C>({ columnsFor, head, row }: RowFormat<C>): ListWriter {
  let columns: C | undefined;
  function page(items: readonly unknown[]): string {
    let text = '';
    if (columns === undefined) {
      columns = columnsFor(items);
      text = head(columns);
    }
    for (const item of items) text += row(item, columns);
    return text;
  }
  return {
    page: (items) => (items.length === 0 ? '' : page(items)),
    end: () => (columns === undefined ? page([]) : ''),
  };
}

const field = (kind: Field['kind']): Field => ({ kind, description: '' });

/**
 * The shape of all the values: an object with every field that one of them has, in the order of first appearance; a
 * list; or a plain value. Mixtures are `any`.
 */
export function shapeOf(values: readonly unknown[]): Field {
  const present = values.filter((value) => value !== null && value !== undefined);
  const [first] = present;
  if (first === undefined) return field('any');
  if (present.every(isObject)) return { ...field('object'), fields: fieldsOf(present) };
  if (present.every((value) => Array.isArray(value))) return { ...field('list'), of: shapeOf(present.flat()) };
  const kind = typeof first;
  if (present.some((value) => typeof value !== kind)) return field('any');
  return field(kind === 'string' ? 'text' : kind === 'number' ? 'number' : kind === 'boolean' ? 'boolean' : 'any');
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
