/** `--on-existing update`: plans the update that brings an existing item to a row's values. */
import { resourceOf } from '../../contract/resource.js';
import type { Field } from '../../contract/vocabulary.js';
import { getPath, isObject, type JsonObject } from '../../core/json.js';
import type { Call } from '../row-command.js';

/** Converts the dotted names of a multipart body to the nested objects of a JSON body. */
function nested(body: JsonObject): JsonObject {
  const whole: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    const [first = '', inner] = name.split(/\.(.*)/s, 2);
    if (inner === undefined) whole[first] = value;
    else whole[first] = { ...(isObject(whole[first]) ? whole[first] : {}), [inner]: value };
  }
  return whole;
}

/** The current value of a field in the form of a request; undefined if the service does not return it. */
function present(name: string, field: Field, found: JsonObject): unknown {
  if (field.readBack === false) return undefined;
  const value = getPath(found, field.readAs ?? name);
  if (value === null || value === undefined) return undefined;
  if (field.kind !== 'list' || !Array.isArray(value)) return value;
  return value.map((entry: unknown) => (isObject(entry) ? entry.id : entry));
}

/**
 * The call that updates the existing item of a create to the row's values.
 * @param found the item as the service returns it
 * @returns undefined if the create has no update
 */
export function updateOf(create: Call, found: JsonObject): Call | undefined {
  const { update } = resourceOf(create.endpoint)?.endpoints ?? {};
  const id = update?.returns && getPath(found, update.returns.id ?? 'id');
  if (update === undefined || typeof id !== 'string') return undefined;
  const sent = nested(create.input.body ?? {});
  const body: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(update.body ?? {})) {
    const value = sent[name] ?? present(name, field, found);
    if (value !== undefined) body[name] = value;
  }
  const { query } = create.input;
  return { endpoint: update, input: { params: { id }, body, ...(query === undefined ? {} : { query }) } };
}
