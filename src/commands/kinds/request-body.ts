/**
 * Builds request bodies, and merges updates: PUT replaces the item, so fields that the user did not give are read and
 * sent unchanged (PRODUCT.md section 2).
 */

import type { Flag, Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { problemsError } from '../../cli/parser.js';
import type { Endpoint } from '../../contract/vocabulary.js';
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
    if (value !== undefined && place.part === part) setPath(result, place.path, value);
  }
  return result;
}

/**
 * The IDs in a list from a response, where a blank list is null.
 * @returns undefined if one of them is not known, because sending back the others would remove it
 */
export function idsOf(value: unknown): readonly string[] | undefined {
  if (value === null) return [];
  if (!Array.isArray(value)) return undefined;
  const ids = value.map((entry: unknown) => (isObject(entry) ? getPath(entry, 'id') : entry));
  const known = ids.filter((id): id is string | number => typeof id === 'string' || typeof id === 'number');
  return known.length === ids.length ? known.map(String) : undefined;
}

/** The problem of a required field that neither the user nor the service gave. */
export const notReturned = (flag: string, description: string): Problem => ({
  where: `--${flag}`,
  message: `is missing, and the service does not return it: ${description}`,
});

export function changedList(
  present: readonly string[],
  replace: readonly string[] | undefined,
  add: readonly string[],
  remove: readonly string[],
): readonly string[] {
  const base = replace ?? present;
  return [...new Set([...base, ...add])].filter((id) => !remove.includes(id));
}

/**
 * @param flags flags without a `target` in the body are left to the caller
 * @param present the item as the service returned it
 * @param required names of flags whose field the endpoint requires
 */
export function merged(flags: readonly Flag[], values: Values, present: unknown, required: ReadonlySet<string>) {
  const body: Json = {};
  const problems: Problem[] = [];
  for (const { flag, part, path } of placesOf(flags)) {
    if (part !== 'body') continue;
    const given = values[flag.name];
    const read = getPath(present, flag.readAs ?? path.slice(1).join('.'));
    const value = given ?? (flag.many ? (read === undefined || read === null ? undefined : idsOf(read)) : read);
    // A blank field is returned as null; omitting it from the request keeps it blank.
    if (value !== undefined && value !== null) setPath(body, path, value);
    else if (required.has(flag.name)) problems.push(notReturned(flag.name, flag.description));
  }
  return { body, problems };
}

interface UpdatePlan {
  readonly flags: readonly Flag[];
  /** The flags to merge field by field; default: all. */
  readonly merging?: readonly Flag[];
  readonly endpoint: Endpoint;
  readonly values: Values;
  readonly read: () => Promise<unknown>;
}

const requiredFlags = ({ body = {} }: Endpoint, flags: readonly Flag[]): ReadonlySet<string> =>
  new Set(flags.filter((flag) => body[flag.target?.split('.')[1] ?? '']?.required).map(({ name }) => name));

export const NOTHING_TO_CHANGE = 'No changes given.';

export const isChange = (flags: readonly Flag[], values: Values): boolean =>
  flags.some((flag) => flag.narrows !== true && values[flag.name] !== undefined);

/** @returns the body to send, and the item that was read @throws EduError `usage` when no flag changes anything */
export async function planUpdate(
  { flags, merging = flags, endpoint, values, read }: UpdatePlan,
  context: Context,
): Promise<{ body: Json; present: unknown }> {
  if (!isChange(flags, values)) {
    const names = flags.map((flag) => `--${flag.name}`);
    throw usageError(NOTHING_TO_CHANGE, `Give at least one of ${names.join(', ')}.`);
  }
  const present = await read();
  const { body, problems } = merged(merging, values, present, requiredFlags(endpoint, merging));
  if (problems.length > 0) throw problemsError(problems, context.path);
  return { body, present };
}
