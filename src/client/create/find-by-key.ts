/** Resolves the unknown outcome of a create: looks up its natural key and compares the item with the sent values. */
import { type Recognised, resourceOf } from '../../contract/resource.js';
import type { Endpoint, Field } from '../../contract/vocabulary.js';
import { ignoringUnreadable, isKind } from '../../core/errors.js';
import { isObject, type JsonObject } from '../../core/json.js';
import type { CallOptions } from '../request/client.js';
import type { Values } from '../request/request.js';
import { type Difference, differences, sameKey } from './compare.js';
import { filterItems, listOfCreated, type Reader } from './list-of-created.js';

export type { Reader } from './list-of-created.js';

export type Finding =
  /** It exists with all the sent values. `found` has the shape of the create's response. */
  | { readonly is: 'ours'; readonly found: JsonObject }
  | { readonly is: 'absent' }
  /** Another item has the key. */
  | { readonly is: 'different'; readonly found: JsonObject; readonly differences: readonly Difference[] }
  /** An item has the key, but the caller may not see it. */
  | { readonly is: 'invisible' };

/**
 * Looks up a key through endpoints: the first takes the key, each other one the ID that the previous one returns.
 * @returns `invisible` if an item has the key that the caller may not see
 * @throws EduError, also for a response without an ID: the item may exist
 */
async function findThrough(
  client: Reader,
  endpoints: readonly Endpoint[],
  { noun, value: key }: Key,
  options: CallOptions,
): Promise<readonly JsonObject[] | 'invisible'> {
  let answer: unknown;
  let value = key;
  for (const [index, endpoint] of endpoints.entries()) {
    const [param = ''] = Object.keys(endpoint.params ?? {});
    try {
      answer = await client.call(endpoint, { params: { [param]: value } }, options);
      if (index === endpoints.length - 1) break;
      const { idFound } = await import('../references/get-item.js');
      value = idFound(answer, endpoint, noun, key);
    } catch (error) {
      if (!isKind(error, 'not_found', 'forbidden')) throw error;
      // After the first endpoint returned an ID, the item exists even if it cannot be read.
      return index === 0 && error.kind === 'not_found' ? [] : 'invisible';
    }
  }
  return isObject(answer) ? [answer] : [];
}

async function findInLists(
  client: Reader,
  create: Endpoint,
  { field, value }: Key,
  input: Values,
  options: CallOptions,
) {
  const found: JsonObject[] = [];
  for (const call of (await listOfCreated(client, create, input, options)) ?? []) {
    const pages = client.pages(call.endpoint, call.input, options);
    found.push(...(await filterItems(pages, (item) => sameKey(value, item[field], false))));
  }
  return found;
}

/** Renames fields of an item to those of the create's response: the books of a licence have a `title` or a `name`. */
function asWritten({ fields = {} }: Field, item: JsonObject): JsonObject {
  const renamed = Object.entries(fields).flatMap(([name, { of }]) => {
    const value = item[name];
    const others = Object.entries(of?.fields ?? {}).filter(([, { readAs }]) => readAs !== undefined);
    if (others.length === 0 || !Array.isArray(value)) return [];
    return [[name, value.map((entry: unknown) => others.reduce(withName, entry))] as const];
  });
  return { ...item, ...Object.fromEntries(renamed) };
}

function withName(entry: unknown, [name, { readAs = name }]: readonly [string, Field]): unknown {
  if (!isObject(entry) || !(readAs in entry)) return entry;
  const { [readAs]: value, ...rest } = entry;
  return { ...rest, [name]: value };
}

/** The natural key of a create: its value, how it is looked up, and the noun for its item. */
export interface Key extends Extract<Recognised, { by: 'key' }> {
  readonly noun: string;
  readonly value: string;
}

/** The key of a create; undefined if the endpoint is not keyed, or the field was left out. */
export function keyOf(endpoint: Endpoint, input: Values): Key | undefined {
  const { noun: [noun] = [''], recognised } = resourceOf(endpoint) ?? {};
  if (endpoint.repeat !== 'keyed' || recognised?.by !== 'key') return undefined;
  const value = input.body?.[recognised.field];
  return typeof value === 'string' && value !== '' ? { noun, value, ...recognised } : undefined;
}

/**
 * Looks up the item of a create by its natural key. Only reads.
 * @param endpoint a create that `keyOf` has a key for
 * @param input the values that were sent
 * @throws the client's errors if the look-up itself fails
 */
export async function lookUp(
  client: Reader,
  endpoint: Endpoint,
  key: Key,
  input: Values,
  { signal, retries }: CallOptions = {},
): Promise<Finding> {
  const { through, orListed } = key;
  const inLists = () => findInLists(client, endpoint, key, input, { signal, retries });
  const path = through?.flatMap((name) => resourceOf(endpoint)?.endpoints[name] ?? []);
  let found = path ? await findThrough(client, path, key, { signal, retries }) : await inLists();
  if (found === 'invisible' && orListed === true) {
    const listed = await inLists().catch(ignoringUnreadable);
    if (listed !== undefined && listed.length > 0) found = listed;
  }
  if (found === 'invisible') return { is: 'invisible' };
  const [first] = found;
  if (first === undefined) return { is: 'absent' };
  const { body: fields = {} } = endpoint;
  // The key was already compared, more leniently than `differences` does.
  const { [key.field]: _, ...others } = fields;
  for (const item of found) {
    if (differences(others, input.body ?? {}, item).length === 0)
      return { is: 'ours', found: endpoint.returns === undefined ? item : asWritten(endpoint.returns, item) };
  }
  return { is: 'different', found: first, differences: differences(others, input.body ?? {}, first) };
}
