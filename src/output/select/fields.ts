/** Reads fields by dotted names (`organization.id`), also through lists: `books.title` is the titles of all books. */
import type { Field } from '../../contract/vocabulary.js';
import { usageError } from '../../core/errors.js';
import { didYouMean } from '../../core/suggest.js';

export type Path = readonly string[];

/** The fields of an object, or of the objects in a list. */
const inner = (field: Field): Field['fields'] => (field.kind === 'list' && field.of ? inner(field.of) : field.fields);

/** Returns true if the contract describes the fields: the API document does not show all answers. */
export const isKnown = (shape: Field): boolean => inner(shape) !== undefined;

/** Returns every name that `--fields` and `--sort` accept for a shape, parents first, in the API's order. */
export function fieldNames(shape: Field): string[] {
  return Object.entries(inner(shape) ?? {}).flatMap(([name, field]) => [
    name,
    ...fieldNames(field).map((part) => `${name}.${part}`),
  ]);
}

/** The field at a path, or undefined when the shape has none there. */
export function fieldAt(shape: Field, path: Path): Field | undefined {
  let field: Field | undefined = shape;
  for (const name of path) {
    const fields: Field['fields'] = field && inner(field);
    field = fields && Object.hasOwn(fields, name) ? fields[name] : undefined;
  }
  return field;
}

/** Returns the paths of the values that are no objects, in the API's order: the columns of csv and tsv. */
export function leaves(field: Field, path: Path = []): Path[] {
  const fields = inner(field);
  if (fields === undefined) return [path];
  return Object.entries(fields).flatMap(([name, part]) => leaves(part, [...path, name]));
}

/** `maximum-activations` and `MaximumActivations` are `maximumActivations`: flags are written so. */
const plain = (name: string): string => name.replaceAll('-', '').toLowerCase();

/**
 * The field's own spelling of a name that a user typed.
 * @param flag the flag that it was given to, for the message
 * @throws usage error for a name that the shape does not have. Fields that the service sends without documenting them
 *   can't be known before it is asked, and a wrong name must not cost a request: `--query` reaches them.
 */
export function knownField(name: string, shape: Field, flag: string): string {
  if (!isKnown(shape)) return name;
  const names = fieldNames(shape);
  const found = names.find((known) => known === name) ?? names.find((known) => plain(known) === plain(name));
  if (found !== undefined) return found;
  const what = shape.name === undefined ? 'here' : `in a ${shape.name}`;
  throw usageError(
    `${flag}: there is no field "${name}" ${what}.`,
    didYouMean(name, names) ?? `Use one of ${names.join(', ')}.`,
  );
}

/**
 * What stands for the `id` of a thing that has none of that name: a plain id in its place, or the user it is about
 * (`users modified`: the shape of its items is not documented).
 */
function idOf(thing: unknown): unknown {
  if (typeof thing === 'string' || typeof thing === 'number') return thing;
  if (typeof thing !== 'object' || thing === null) return undefined;
  if ('id' in thing) return thing.id;
  return 'userId' in thing ? thing.userId : 'user' in thing ? idOf(thing.user) : undefined;
}

/** The value at a path. Through a list: the values of its items. Undefined where there is nothing. */
export function valueAt(value: unknown, path: Path, from = 0): unknown {
  let current = value;
  for (let index = from; index < path.length; index++) {
    if (Array.isArray(current)) return current.map((item) => valueAt(item, path, index));
    const name = path[index] ?? '';
    if (name === 'id' && index === path.length - 1) return idOf(current);
    if (typeof current !== 'object' || current === null) return undefined;
    const holder = current as Readonly<Record<string, unknown>>;
    current = holder[name];
    // What an object inherits is no field. JSON holds no functions: only these, and __proto__, are inherited.
    if (typeof current === 'function' || (name === '__proto__' && !Object.hasOwn(holder, name))) return undefined;
  }
  return current;
}

type Tree = Map<string, Tree | undefined>;

/** `[a, b.c, b.d]` as a tree; a name without parts takes everything below it. */
function treeOf(names: readonly string[]): Tree {
  const root: Tree = new Map();
  for (const name of names) {
    let tree: Tree | undefined = root;
    const path = name.split('.');
    for (const [index, part] of path.entries()) {
      if (tree === undefined) break;
      const whole = index === path.length - 1;
      if (whole) tree.set(part, undefined);
      else if (!tree.has(part)) tree.set(part, new Map());
      tree = tree.get(part);
    }
  }
  return root;
}

function take(value: unknown, tree: Tree | undefined): unknown {
  if (tree === undefined || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => take(item, tree));
  const entries = [...tree].map(([name, below]): [string, unknown] => [
    name,
    Object.hasOwn(value, name) ? take((value as Readonly<Record<string, unknown>>)[name], below) : null,
  ]);
  return Object.fromEntries(entries);
}

/**
 * A function that keeps the named fields of a value, nested as they are, in the order given. A field that the value
 * does not have is null, so that every object has the same keys.
 */
export function picker(names: readonly string[]): (value: unknown) => unknown {
  const tree = treeOf(names);
  return (value) => take(value, tree);
}
