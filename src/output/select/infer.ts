/** Infers the shape of values without a contract: results of `--query` and undocumented responses. */
import type { Field, Fields } from '../../contract/vocabulary.js';
import { isObject } from '../../core/json.js';

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
