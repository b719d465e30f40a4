/** Prints one ID per line, for `xargs`: the ID of each item, or the item itself if it is a plain ID. */
import type { Field } from '../../contract/vocabulary.js';
import { EduError, usageError } from '../../core/errors.js';
import { JsonText } from '../../core/json-text.js';
import { escapedExcerpt, forRecord } from '../sanitize.js';
import { fieldAt, isKnown, type Path, valueAt } from '../select/fields.js';
import type { Writer } from './writer.js';

/** Paths of the ID in responses without a known shape, in order of preference. */
const ID_PATHS: readonly Path[] = [['id'], ['classId'], ['userId'], ['user', 'id'], ['user'], ['type']];

function idPaths(shape: Field): readonly Path[] {
  const path = shape.prints ?? shape.id;
  if (path !== undefined) return [path.split('.')];
  return isKnown(shape) ? ID_PATHS.filter((one) => fieldAt(shape, one) !== undefined).slice(0, 1) : ID_PATHS;
}

const isId = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

function line(item: unknown, paths: readonly Path[], { kind }: Field): string {
  if (item instanceof JsonText) return `${item.text}\n`;
  const id = [item, ...paths.map((path) => valueAt(item, path))].find(isId);
  if (id !== undefined) return `${forRecord(String(id))}\n`;
  // A result of unknown shape may be that of a query, which dropped the ID.
  const what = kind === 'any' ? 'The result has an item' : 'The service returned an item';
  const message = `${what} without an ID: ${escapedExcerpt(JSON.stringify(item), 200)}`;
  throw new EduError('invalid_response', message, { hint: 'Print it with --json instead.' });
}

function checkIds(shape: Field): void {
  if (idPaths(shape).length > 0) return;
  throw usageError('This command prints no IDs.', 'Use another --output, such as json or tsv.');
}

/**
 * @param names the fields that a query selects; undefined if not known
 * @throws EduError `usage` if none of them can hold an ID
 */
export function checkNames(names: readonly string[] | undefined): void {
  if (names === undefined || ID_PATHS.some(([name = '']) => names.includes(name))) return;
  throw usageError(
    `--query: the result has no ID to print, only ${names.join(', ')}.`,
    'Select the ID, as in [].id, or print the result with --json.',
  );
}

export const ids: Writer = {
  check: checkIds,
  list(shape) {
    const paths = idPaths(shape);
    return { page: (items) => items.map((item) => line(item, paths, shape)).join(''), end: () => '' };
  },
  item: (value, shape) => line(value, idPaths(shape), shape),
};
