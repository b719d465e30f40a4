/** Parses `--sort` and sorts in memory: numbers by value, text by code point, missing values last. */
import type { Field } from '../../contract/vocabulary.js';
import { usageError } from '../../core/errors.js';
import { tokenAt } from '../../core/exact-json.js';
import { compareText } from '../../core/sort/compare-text.js';
import { cellText } from '../writers/records.js';
import { knownField, valueAt } from './fields.js';

export interface Sorting {
  readonly field: string;
  readonly descending: boolean;
}

/** @throws EduError `usage` unless the text is `FIELD`, `FIELD:asc` or `FIELD:desc` */
export function readSort(text: string): Sorting {
  const [field = '', direction = 'asc', ...rest] = text.split(':');
  if (field === '' || rest.length > 0 || (direction !== 'asc' && direction !== 'desc')) {
    throw usageError(`--sort: "${text}" is not a field.`, 'Write it as FIELD, or FIELD:desc for the largest first.');
  }
  return { field, descending: direction === 'desc' };
}

/** Replaces the field by the shape's spelling. @throws EduError `usage` for an unknown field */
export const checkSort = (sorting: Sorting, shape: Field): Sorting => ({
  ...sorting,
  field: knownField(sorting.field, shape, '--sort'),
});

/** A whole number that JavaScript cannot represent is a bigint. */
type Key = number | bigint | string | undefined;

/** A number, or any other value as text; undefined if there is no value. */
export function keyOf(item: unknown, path: readonly string[]): Key {
  const value = valueAt(item, path);
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'string') {
    // A whole number that JavaScript cannot represent is a string in memory.
    const holder = valueAt(item, path.slice(0, -1));
    const isNumber = typeof holder === 'object' && holder !== null && tokenAt(holder, path.at(-1) ?? '') !== undefined;
    return isNumber && /^-?\d+$/.test(value) ? BigInt(value) : value;
  }
  return typeof value === 'number' ? value : cellText(value);
}

function compare(a: number | bigint | string, b: number | bigint | string): number {
  if (typeof a === 'string') return typeof b === 'string' ? compareText(a, b) : 1;
  if (typeof b === 'string') return -1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Equal items keep their order; items without the field come last, in both directions. */
export function sorted(items: readonly unknown[], { field, descending }: Sorting): unknown[] {
  const path = field.split('.');
  const keyed = items.map((item) => ({ item, key: keyOf(item, path) }));
  const sign = descending ? -1 : 1;
  keyed.sort((a, b) => {
    if (a.key === undefined || b.key === undefined) return Number(a.key === undefined) - Number(b.key === undefined);
    return sign * compare(a.key, b.key);
  });
  return keyed.map(({ item }) => item);
}
