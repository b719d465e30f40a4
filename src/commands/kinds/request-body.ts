/**
 * Builds request bodies, and merges updates: PUT replaces the item, so fields that the user did not give are read and
 * sent unchanged.
 */

import { type Flag, textsOf, type Values } from '../../cli/command.js';
import { idsOf } from '../../client/references/id-in.js';
import type { Field, Fields } from '../../contract/vocabulary.js';
import { type Problem, usageError } from '../../core/errors.js';
import { getPath, isObject } from '../../core/json.js';
import { getOrSet } from '../../core/maps.js';

type Json = Record<string, unknown>;

/** The first segment, `body` or `query`, stands for `into` itself. */
function setPath(into: Json, path: readonly string[], value: unknown): void {
  let parent = into;
  const last = path.length - 1;
  for (let at = 1; at < last; at++) {
    const name = path[at] ?? '';
    const inner = parent[name];
    const next: Json = typeof inner === 'object' && inner !== null ? (inner as Json) : {};
    parent[name] = next;
    parent = next;
  }
  parent[path[last] ?? ''] = value;
}

type Part = 'body' | 'query';

interface Place {
  readonly flag: Flag;
  readonly name: string;
  readonly part: string | undefined;
  /** Begins with the part. */
  readonly path: readonly string[];
}

/** Cached because a bulk job needs them for each row. */
const places = new WeakMap<readonly Flag[], readonly Place[]>();

/** The places of flags in the request, of those that have one. */
const placesOf = (flags: readonly Flag[]): readonly Place[] =>
  getOrSet(places, flags, () =>
    flags
      .map((flag) => ({ flag, name: flag.name, path: (flag.target ?? '').split('.') }))
      .filter(({ path }) => path.length > 1)
      .map((place) => ({ ...place, part: place.path[0] })),
  );

/** The members of a body or query that the given values set. */
export function filled(part: Part, flags: readonly Flag[], values: Values): Json {
  const result: Json = {};
  for (const place of placesOf(flags)) {
    const value = values[place.name];
    if (value === undefined || place.part !== part) continue;
    // One item can be given by ID and by name.
    setPath(result, place.path, Array.isArray(value) ? [...new Set(value)] : value);
  }
  return result;
}

/** The problem of a required field that neither the user nor the service gave. */
export const notReturned = (flag: string): Problem => ({
  where: `--${flag}`,
  message: 'is missing, and the service does not return the present value',
});

/**
 * The IDs of a list after the update; undefined if the present ones are needed and not known.
 * @throws EduError `usage` if one is to be there and to be removed
 */
function changedList({ name }: Flag, values: Values, present: readonly string[] | undefined) {
  const base = values[name] === undefined ? present : textsOf(values, name);
  const added = textsOf(values, `add-${name}`);
  const removed = textsOf(values, `remove-${name}`);
  const both = [...textsOf(values, name), ...added].find((id) => removed.includes(id));
  if (both !== undefined)
    throw usageError(`--remove-${name} ${both} contradicts --${added.includes(both) ? 'add-' : ''}${name} ${both}.`);
  return base && [...new Set([...base, ...added])].filter((id) => !removed.includes(id));
}

const isRequired = ({ required, requiredWhen }: Field, body: Json): boolean =>
  required === true || (requiredWhen !== undefined && getPath(body, requiredWhen.field) === requiredWhen.is);

/** True if an item contains a path, or something blank on the way to it. */
function isShown(item: unknown, path: string): boolean {
  let inner = item;
  for (const name of path.split('.')) {
    if (inner === null) return true;
    if (!isObject(inner) || !Object.hasOwn(inner, name)) return false;
    inner = inner[name];
  }
  return true;
}

/**
 * Merges the given values with the present item. Flags without a `target` in the body are left to the caller.
 * @returns the body, a problem for each required field that has a flag and no value, and the flags of optional fields
 *   that the item does not show, which the update may clear
 */
export function merged(flags: readonly Flag[], fields: Fields, values: Values, present: unknown) {
  const body: Json = {};
  const flagOf = new Map<string, Flag>();
  const unseen: string[] = [];
  for (const { flag, part, path } of placesOf(flags)) {
    const [, name = ''] = path;
    const field = fields[name];
    if (part !== 'body' || field === undefined) continue;
    getOrSet(flagOf, name, () => flag);
    const readAs = flag.readAs ?? path.slice(1).join('.');
    const read = field.readBack === false ? undefined : getPath(present, readAs);
    const { required, requiredWhen, readBack } = field;
    const isKept = required === true || requiredWhen !== undefined || readBack === false || isShown(present, readAs);
    if (!isKept && values[flag.name] === undefined) unseen.push(flag.name);
    const shown = field.kind === 'text' && typeof read === 'number' ? String(read) : read;
    // A list that some items need is never blank in them, so null means that the service does not return it.
    const isHidden = shown === undefined || (shown === null && field.requiredWhen !== undefined);
    const value = flag.many
      ? changedList(flag, values, isHidden ? undefined : idsOf(shown))
      : (values[flag.name] ?? shown);
    // A blank field is returned as null or an empty list; omitting it from the request keeps it blank.
    const isBlank = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
    if (!isBlank || (value !== undefined && value !== null && isRequired(field, body))) setPath(body, path, value);
  }
  const problems = [...flagOf]
    .filter(([name]) => body[name] === undefined && isRequired(fields[name] as Field, body))
    .map(([, flag]) => notReturned(flag.name));
  return { body, problems, unseen };
}

/** The flags of an update of which one at least is needed. */
export const changing = (flags: readonly Flag[] = []): readonly Flag[] =>
  flags.filter((flag) => flag.changesNothing !== true);

export const isChange = (flags: readonly Flag[], values: Values): boolean =>
  changing(flags).some(({ name }) => values[name] !== undefined);

/** @throws EduError `usage` when no flag changes anything */
export function requireChange(flags: readonly Flag[], values: Values): void {
  if (isChange(flags, values)) return;
  const names = changing(flags).map((flag) => `--${flag.name}`);
  throw usageError('No changes given.', `Give at least one of ${names.join(', ')}.`);
}

/** A text that is equal for bodies of the same effect: IDs in another order or twice, blanks around a name, a number as text. */
export function comparable(value: unknown): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map(comparable))].sort().join()}]`;
  if (!isObject(value)) return JSON.stringify(String(value).trim().normalize('NFC').replace(/\r\n?/g, '\n'));
  const members = Object.entries(value).flatMap(([name, inner]) =>
    inner === undefined ? [] : `${JSON.stringify(name)}:${comparable(inner)}`,
  );
  return `{${members.sort().join()}}`;
}
