/**
 * Builds request bodies from values, and merges updates: PUT replaces, so fields that the user did not give are read
 * and sent unchanged (PRODUCT.md section 2).
 */
import type { Flag, Values } from '../../cli/command.js';
import type { Problem } from '../../core/errors.js';

type Json = Record<string, unknown>;

/** The value at a dotted path, or undefined. */
export function at(value: unknown, path: string): unknown {
  let here: unknown = value;
  for (const name of path.split('.')) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, name)) return undefined;
    here = (here as Json)[name];
  }
  return here;
}

/** Sets what a path names; its first part is `body` or `query`, and stands for `into` itself. */
function put(into: Json, path: readonly string[], value: unknown): void {
  let here = into;
  for (let place = 1; place < path.length - 1; place++) {
    const name = path[place] ?? '';
    const inner = here[name];
    const next: Json = typeof inner === 'object' && inner !== null ? (inner as Json) : {};
    here[name] = next;
    here = next;
  }
  here[path.at(-1) ?? ''] = value;
}

/** What flags fill, taken apart once: a bulk job asks for every row. */
const targets = new WeakMap<Flag, readonly string[]>();

/** The path inside one part (`body` or `query`) that a flag fills, or undefined when it fills another part. */
function pathIn(part: string, flag: Flag): readonly string[] | undefined {
  let target = targets.get(flag);
  if (target === undefined) {
    target = (flag.target ?? '').split('.');
    targets.set(flag, target);
  }
  return target[0] === part && target.length > 1 ? target : undefined;
}

/** The members of a body or query that the given values fill. */
export function filled(part: 'body' | 'query', flags: readonly Flag[], values: Values): Json {
  const result: Json = {};
  for (const flag of flags) {
    const path = pathIn(part, flag);
    const value = values[flag.name];
    if (path !== undefined && value !== undefined) put(result, path, value);
  }
  return result;
}

/**
 * A list of things as an answer shows them → their ids, as a request wants them. A blank list is null in answers.
 * @returns undefined when they are not known, each of them: what was written back then would lose some
 */
export function idsOf(value: unknown): readonly string[] | undefined {
  if (value === null) return [];
  if (!Array.isArray(value)) return undefined;
  const ids = value.map((entry: unknown) => (typeof entry === 'object' && entry !== null ? at(entry, 'id') : entry));
  const known = ids.filter((id): id is string | number => typeof id === 'string' || typeof id === 'number');
  return known.length === ids.length ? known.map(String) : undefined;
}

/** The problem of a required field that neither the user nor the service gave. */
export const notSaid = (flag: string, description: string): Problem => ({
  where: `--${flag}`,
  message: `is missing, and the service does not return it: ${description}`,
});

/** Replaces, adds to or removes from a list: `--role`, `--add-role`, `--remove-role`. */
export function changedList(
  present: readonly string[],
  replace: readonly string[] | undefined,
  add: readonly string[],
  remove: readonly string[],
): readonly string[] {
  const base = replace ?? present;
  return [...new Set([...base, ...add])].filter((id) => !remove.includes(id));
}

export interface Merged {
  readonly body: Json;
  /** Required fields that neither the user nor the service gave. */
  readonly problems: readonly Problem[];
}

/**
 * The body of an update.
 * @param flags the update's flags; a flag without `target` in the body is left to the caller
 * @param present the thing as the service shows it now
 * @param required names of flags whose field the endpoint requires
 */
export function merged(
  flags: readonly Flag[],
  values: Values,
  present: unknown,
  required: ReadonlySet<string>,
): Merged {
  const body: Json = {};
  const problems: Problem[] = [];
  for (const flag of flags) {
    const path = pathIn('body', flag);
    if (path === undefined) continue;
    const given = values[flag.name];
    const read = at(present, flag.readAs ?? path.slice(1).join('.'));
    const value = given ?? (flag.many ? (read === undefined || read === null ? undefined : idsOf(read)) : read);
    // A blank field is shown as null; leaving it out of the request keeps it blank.
    if (value !== undefined && value !== null) put(body, path, value);
    else if (required.has(flag.name)) {
      problems.push(notSaid(flag.name, flag.description));
    }
  }
  return { body, problems };
}
