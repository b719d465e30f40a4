/** Prints one ID per line, for `xargs`: the ID of each item, or the item itself if it is a plain ID. */
import type { Field } from '../../contract/vocabulary.js';
import { EduError, usageError } from '../../core/errors.js';
import { asId } from '../../core/json.js';
import { escapedExcerpt, forRecord } from '../sanitize.js';
import { fieldAt, isKnown, type Path, valueReader } from '../select/fields.js';
import { shapeOf } from './records.js';
import { tsv } from './tsv.js';
import type { Layout, Text, Writer } from './writer.js';

/** Paths of the ID in responses without a known shape, in order of preference. */
const ID_PATHS: readonly Path[] = [['id'], ['classId'], ['userId'], ['user', 'id'], ['user'], ['type']];

function idPaths(shape: Field): readonly Path[] {
  const path = shape.prints ?? shape.id;
  if (path !== undefined) return [path.split('.')];
  return isKnown(shape) ? ID_PATHS.filter((one) => fieldAt(shape, one) !== undefined).slice(0, 1) : ID_PATHS;
}

function line(item: unknown, read: readonly ReturnType<typeof valueReader>[], shape: Field, layout: Layout): Text {
  const values = [item, ...read.map((one) => one(item))];
  const [id] = values.flatMap((value) => asId(value) ?? []);
  if (id !== undefined) return `${forRecord(id)}\n`;
  if (values.includes(null) && idPaths(shape).some((path) => fieldAt(shape, path)?.nullable === true)) return '';
  if (layout.idsIfAny && (!hasIds(shape, layout.fields) || !isKnown(shape)))
    return tsv.list(isKnown(shape) ? shape : shapeOf([item]), layout).page([item]);
  const row = escapedExcerpt(JSON.stringify(item), 200);
  const hint = 'Print it with --json instead.';
  // Of a row whose shape is not known, the query may have dropped the ID.
  if (!isKnown(shape)) throw usageError(`--output ids: a row of the result has no ID: ${row}`, hint);
  throw new EduError('invalid_response', `The service returned an item without an ID: ${row}`, { hint });
}

/**
 * @param names the fields that a query or `--fields` selects; undefined for all, or if they are not known
 * @returns false if none of them can hold an ID
 */
export function hasIds(shape: Field, names: readonly string[] | undefined): boolean {
  const paths = idPaths(shape).map((path) => path.join('.'));
  return names === undefined
    ? paths.length > 0
    : paths.some((path) => names.some((name) => path === name || path.startsWith(`${name}.`)));
}

export const ids: Writer = {
  list(shape, layout) {
    const read = idPaths(shape).map(valueReader);
    return { page: (items) => items.map((item) => line(item, read, shape, layout)).join(''), end: () => '' };
  },
};
