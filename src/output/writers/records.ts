/** Flattens items into records of text, for tsv and csv. */
import type { Field } from '../../contract/vocabulary.js';
import { exactJson } from '../../core/exact-json.js';
import { fieldAt, leaves, type Path, valueAt } from '../select/fields.js';
import { shapeOf } from '../select/infer.js';

export interface RecordColumn {
  /** Dotted name; empty when the item itself is the value. */
  readonly name: string;
  readonly read: (item: unknown) => unknown;
}

const column = (path: Path): RecordColumn => ({ name: path.join('.'), read: (item) => valueAt(item, path) });

/**
 * The columns of a shape: all of it in the API's order, or the fields asked for in the order given (an object stands
 * for its parts). They follow from the contract alone, so that the same command always has the same columns.
 */
export function recordColumns(shape: Field, names?: readonly string[]): RecordColumn[] {
  const paths = names?.flatMap((name) => {
    const path = name.split('.');
    const field = fieldAt(shape, path);
    return field === undefined ? [path] : leaves(field, path);
  });
  return (paths ?? leaves(shape)).map(column);
}

/** The contract's shape, or where there is none, the one inferred from the items. */
export function printableShape(shape: Field, items: readonly unknown[]): Field {
  return shape.kind === 'any' ? shapeOf(items) : shape;
}

const SEPARATOR = /[;\\]/;

/** An element of a list that is one cell: `;` and `\` have a `\` before them, so that the list can be read back. */
function elementText(value: unknown): string {
  const text = cellText(value);
  return SEPARATOR.test(text) ? text.replace(/[;\\]/g, '\\$&') : text;
}

/** Text of a value in a cell: empty for null, lists joined by `;`, unexpected objects as JSON. */
export function cellText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.length === 1 ? elementText(value[0]) : value.map(elementText).join(';');
  return typeof value === 'object' ? exactJson(value) : String(value);
}
