/** Reads fields by dotted names (`organization.id`), also in lists: `books.title` is the titles of all books. */

import type { Column } from '../../contract/columns.js';
import type { Field } from '../../contract/vocabulary.js';
import { type EduError, usageError } from '../../core/errors.js';
import { keepToken } from '../../core/exact-json.js';
import { isObject } from '../../core/json.js';
import { didYouMean } from '../../core/suggest.js';

export type Path = readonly string[];

/** A field without properties. */
export const fieldOf = (kind: Field['kind']): Field => ({ kind, description: '' });

const inner = (field: Field): Field['fields'] => (field.kind === 'list' && field.of ? inner(field.of) : field.fields);

/** Returns false for responses whose fields the API document does not show. */
export const isKnown = (shape: Field): boolean => inner(shape) !== undefined;

/** The names that `--fields` and `--sort` accept, parents first, in the API's order. */
export function fieldNames(shape: Field): string[] {
  return Object.entries(inner(shape) ?? {}).flatMap(([name, field]) => [
    name,
    ...fieldNames(field).map((part) => `${name}.${part}`),
  ]);
}

export function fieldAt(shape: Field, path: Path): Field | undefined {
  let field: Field | undefined = shape;
  for (const name of path) {
    const fields: Field['fields'] = field && inner(field);
    field = fields && Object.hasOwn(fields, name) ? fields[name] : undefined;
  }
  return field;
}

/** The paths of values that are not objects, in the API's order: the columns of CSV and TSV. */
export function leaves(field: Field, path: Path = []): Path[] {
  const fields = inner(field);
  if (fields === undefined) return [path];
  return Object.entries(fields).flatMap(([name, part]) => leaves(part, [...path, name]));
}

const SEPARATOR = /\b[-. ]\b/g;
/** Makes spellings equal: `maximum-activations`, that of flags, and `Maximum activations`, that of headings. */
const plain = (name: string): string => name.replace(SEPARATOR, '').toLowerCase().replaceAll('licence', 'license');

/** The fields that a column shows. */
export const sourcesOf = ({ from }: Column): readonly string[] => (typeof from === 'string' ? [from] : from);

const headed = (title: string, shape: Field): Column | undefined =>
  shape.columns?.find(
    (column) =>
      plain(column.title) === plain(title) &&
      sourcesOf(column).every((name) => fieldAt(shape, name.split('.')) !== undefined),
  );

/** The fields that a name of `knownField` stands for: itself, or those that a column combines. */
export function fieldsBehind(name: string, shape: Field): readonly string[] {
  const column = fieldAt(shape, name.split('.')) === undefined ? headed(name, shape) : undefined;
  return column === undefined ? [name] : sourcesOf(column);
}

/** The fields to sort by for a name of `knownField`. */
export function sortFields(name: string, shape: Field): readonly string[] {
  const column = shape.columns?.find(({ from, title }) => from === name || title === name);
  return column?.sortBy === undefined ? fieldsBehind(name, shape) : [column.sortBy];
}

/**
 * Returns the shape's spelling of a name that the user typed: a field, or the heading of a column that combines fields.
 * @param flag for the message
 * @throws EduError `usage` for an unknown name. Undocumented fields are only accessible with `--query`, because they are
 *   not known before the request.
 */
export function knownField(name: string, shape: Field, flag: string): string {
  if (!isKnown(shape)) return name;
  const names = fieldNames(shape);
  const found = names.find((known) => known === name) ?? names.find((known) => plain(known) === plain(name));
  if (found !== undefined) return found;
  const column = headed(name, shape);
  if (column !== undefined) return typeof column.from === 'string' ? column.from : column.title;
  throw unknownField(name, names, flag);
}

const unknownField = (name: string, names: readonly string[], flag: string, where = ''): EduError =>
  usageError(
    `${flag}: there is no field "${name}"${where}.`,
    didYouMean(name, names) ?? (names.length === 0 ? undefined : `Use one of ${names.join(', ')}.`),
  );

/**
 * Substitutes for a missing `id`: a plain ID itself, or the ID of the user that the item refers to (`users modified`,
 * whose items are not documented).
 */
function idOf(item: unknown): unknown {
  if (typeof item === 'string' || typeof item === 'number') return item;
  if (typeof item !== 'object' || item === null) return undefined;
  const { id, userId, user } = item as Readonly<Record<string, unknown>>;
  if (id !== undefined) return id;
  return userId === undefined ? idOf(user) : userId;
}

/** Returns a function that reads the value at a path: for a list, the values of its items; undefined if there is none. */
export function valueReader([name, ...below]: Path): (value: unknown) => unknown {
  if (name === undefined) return (value) => value;
  const isId = name === 'id' && below.length === 0;
  const inner = below.length === 0 ? undefined : valueReader(below);
  const read = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.length === 0 ? value : value.map(read);
    if (isId) return idOf(value);
    if (typeof value !== 'object' || value === null) return undefined;
    const member = (value as Readonly<Record<string, unknown>>)[name];
    // Inherited members are no fields. Parsed JSON contains no functions, so they and __proto__ must be inherited.
    if (typeof member === 'function' || (name === '__proto__' && !Object.hasOwn(value, name))) return undefined;
    return inner === undefined ? member : inner(member);
  };
  return read;
}

type Tree = Map<string, Tree | undefined>;

/** `[a, b.c, b.d]` as a tree. A leaf selects everything below it. */
function treeOf(names: readonly string[]): Tree {
  const root: Tree = new Map();
  for (const name of names) {
    const path = name.split('.');
    const last = path.pop() ?? '';
    let tree: Tree | undefined = root;
    for (const part of path) {
      if (tree !== undefined && !tree.has(part)) tree.set(part, new Map());
      tree = tree?.get(part);
    }
    tree?.set(last, undefined);
  }
  return root;
}

const memberOf = (value: object, name: string): unknown => {
  if (Object.hasOwn(value, name)) return (value as Readonly<Record<string, unknown>>)[name];
  return name === 'id' ? idOf(value) : undefined;
};

function take(value: unknown, tree: Tree | undefined): unknown {
  if (tree === undefined || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => take(item, tree));
  const entries = [...tree].map(([name, below]): [string, unknown] => [
    name,
    take(memberOf(value, name), below) ?? null,
  ]);
  const taken = Object.fromEntries(entries);
  for (const name of tree.keys()) keepToken(value, taken, name);
  return taken;
}

/**
 * Returns a function that selects the named fields of a value, nested as they are, in this order. A missing field is
 * null, so that all objects have the same keys.
 */
export function picker(names: readonly string[]): (value: unknown) => unknown {
  const tree = treeOf(names);
  return (value) => take(value, tree);
}

/** False if a value has no such field; true if it cannot be known, because a parent is null or an empty list. */
function mayHave(value: unknown, [name, ...below]: Path): boolean {
  if (name === undefined || value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0 || value.some((item) => mayHave(item, [name, ...below]));
  if (typeof value !== 'object') return false;
  const member = memberOf(value, name);
  return member !== undefined && mayHave(member, below);
}

/**
 * Checks names against rows whose shape the contract does not describe, such as the results of a query.
 * @param rows at least one
 * @throws EduError `usage` for a name that no row has
 */
export function requireFields(rows: readonly unknown[], names: readonly string[], flag: string): void {
  const objects = rows.flat().filter(isObject);
  const known = [...new Set(objects.flatMap((row) => Object.keys(row)))];
  for (const name of names) {
    if (objects.some((row) => mayHave(row, name.split('.')))) continue;
    throw unknownField(name, known, flag, objects.length === 0 ? ' in rows that are not objects' : ' in the result');
  }
}
