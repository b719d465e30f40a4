/** `--on-existing update`: the update that brings what exists to what a row says. Sends nothing. */
import { books } from '../../contract/books.js';
import { licenses } from '../../contract/licenses.js';
import { publishers } from '../../contract/publishers.js';
import { schools } from '../../contract/schools.js';
import { users } from '../../contract/users.js';
import type { Endpoint, Field } from '../../contract/vocabulary.js';
import { isObject } from '../../core/json.js';
import type { Call } from '../row-command.js';

type Json = Readonly<Record<string, unknown>>;

const PAIRS: readonly (readonly [Endpoint, Endpoint])[] = [
  [licenses.create, licenses.update],
  [publishers.create, publishers.update],
  [schools.create, schools.update],
  [users.create, users.update],
  [books.create, books.update],
];

const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value);

/** Dotted names of a multipart body as the objects of a JSON body. */
function nested(body: Json): Json {
  const whole: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    const [first = '', inner] = name.split(/\.(.*)/s, 2);
    if (inner === undefined) whole[first] = value;
    else whole[first] = { ...(isObject(whole[first]) ? whole[first] : {}), [inner]: value };
  }
  return whole;
}

/** What is there now, in the form in which a request takes it; undefined when that can't be told. */
function present(name: string, field: Field, found: Json): unknown {
  // Shown as a name, taken as an id.
  if (name === 'licenseCategory') return undefined;
  const value = at(found, field.readAs ?? name);
  if (value === null || value === undefined) return undefined;
  if (field.kind !== 'list' || !Array.isArray(value)) return value;
  return value.map((entry: unknown) => (isObject(entry) ? entry.id : entry));
}

/**
 * The call that updates what a create found in its place.
 * @param found as the service shows it
 * @returns undefined when the create has no update
 */
export function updateOf(create: Call, found: Json): Call | undefined {
  const update = PAIRS.find(([one]) => one.path === create.endpoint.path && one.method === create.endpoint.method)?.[1];
  if (update === undefined || typeof found.id !== 'string') return undefined;
  const sent = nested(create.input.body ?? {});
  const body: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(update.body ?? {})) {
    const value = sent[name] ?? present(name, field, found);
    if (value !== undefined) body[name] = value;
  }
  const { query } = create.input;
  return { endpoint: update, input: { params: { id: found.id }, body, ...(query === undefined ? {} : { query }) } };
}
