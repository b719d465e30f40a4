/** Resolves the unknown outcome of a create: looks up its natural key and compares the item with the sent values. */

import { type Recognised, type Resource, resourceOf } from '../../contract/resource.js';
import type { Endpoint, Field } from '../../contract/vocabulary.js';
import { isKind } from '../../core/errors.js';
import { isObject, type JsonObject } from '../../core/json.js';
import { idIn } from '../references/id-in.js';
import type { CallOptions } from '../request/client.js';
import type { Values } from '../request/request.js';
import { differences, sameKey } from './compare.js';
import { listOfCreated, type Reader } from './list-of-created.js';

export type { Reader } from './list-of-created.js';

export type Finding =
  /** It exists with all the sent values. `found` has the shape of the create's response. */
  | { readonly is: 'ours'; readonly found: JsonObject }
  | { readonly is: 'absent' }
  /** Another item has the key. */
  | { readonly is: 'different'; readonly found: JsonObject; readonly differences: readonly string[] }
  /** An item has the key, but the caller may not see it. */
  | { readonly is: 'invisible' };

/** The response; `absent` for 404, `invisible` for 403. Other errors are thrown. */
async function seek<T>(call: Promise<T>): Promise<T | 'absent' | 'invisible'> {
  try {
    return await call;
  } catch (error) {
    if (isKind(error, 'not_found')) return 'absent';
    if (isKind(error, 'forbidden')) return 'invisible';
    throw error;
  }
}

async function filter(
  pages: AsyncIterable<readonly unknown[]>,
  matches: (item: JsonObject) => boolean,
): Promise<JsonObject[]> {
  const found: JsonObject[] = [];
  for await (const page of pages) for (const item of page) if (isObject(item) && matches(item)) found.push(item);
  return found;
}

/** Calls an endpoint that finds by one value. */
async function seekThrough(client: Reader, endpoint: Endpoint, value: string, options: CallOptions) {
  const [param = ''] = Object.keys(endpoint.params ?? {});
  return seek(client.call(endpoint, { params: { [param]: value } }, options));
}

/** Looks up a key through endpoints: the first takes the key, each other one the ID that the previous one returns. */
async function findThrough(
  client: Reader,
  endpoints: readonly (Endpoint | undefined)[],
  key: string,
  options: CallOptions,
): Promise<readonly JsonObject[] | 'invisible'> {
  let value = key;
  for (const [index, endpoint] of endpoints.entries()) {
    if (endpoint === undefined) throw new TypeError('A resource names an endpoint that it does not have.');
    const answer: unknown = await seekThrough(client, endpoint, value, options);
    if (answer === 'invisible') return answer;
    // The first endpoint returned an ID, so the item exists even if it cannot be read.
    if (answer === 'absent') return index === 0 ? [] : 'invisible';
    if (index === endpoints.length - 1) return isObject(answer) ? [answer] : [];
    const id = idIn(answer);
    if (id === undefined) return [];
    value = id;
  }
  return [];
}

/** All listed items that have the key. */
async function findInLists(
  client: Reader,
  create: Endpoint,
  field: string,
  key: string,
  input: Values,
  options: CallOptions,
): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = [];
  for (const call of (await listOfCreated(client, create, input, options)) ?? []) {
    const pages = client.pages(call.endpoint, call.input, options);
    found.push(...(await filter(pages, (item) => sameKey(key, item[field], false))));
  }
  return found;
}

type ByKey = Extract<Recognised, { by: 'key' }>;

/** All items that have the key; `invisible` if one has it that the caller may not see. */
async function find(
  client: Reader,
  create: Endpoint,
  { endpoints }: Resource,
  { field, through, orListed }: ByKey,
  key: string,
  input: Values,
  options: CallOptions,
): Promise<readonly JsonObject[] | 'invisible'> {
  if (through === undefined) return findInLists(client, create, field, key, input, options);
  const path = through.map((name) => endpoints[name]);
  const found = await findThrough(client, path, key, options);
  if (found !== 'invisible' || orListed !== true) return found;
  try {
    const listed = await findInLists(client, create, field, key, input, options);
    return listed.length > 0 ? listed : 'invisible';
  } catch (error) {
    if (isKind(error, 'forbidden', 'not_found', 'refused', 'conflict', 'invalid_response')) return 'invisible';
    throw error;
  }
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

/** The natural key of a create: its field and value, and the noun for its item. */
export interface Key {
  readonly noun: string;
  readonly field: string;
  readonly value: string;
  /** Whether the service rejects a second item with the same key. */
  readonly unique: boolean;
}

/** The key of a create; undefined if the endpoint is not keyed, or the field was left out. */
export function keyOf(endpoint: Endpoint, input: Values): Key | undefined {
  const { noun: [noun] = [''], recognised } = resourceOf(endpoint) ?? {};
  if (endpoint.repeat !== 'keyed' || recognised?.by !== 'key') return undefined;
  const { field, unique } = recognised;
  const value = input.body?.[field];
  return typeof value === 'string' && value !== '' ? { noun, field, value, unique } : undefined;
}

/**
 * Looks up the item of a create by its natural key. Only reads.
 * @param endpoint a create whose resource is recognised by a key
 * @param input the values that were sent
 * @throws TypeError for a create without a key; the client's errors if the look-up itself fails
 */
export async function lookUp(
  client: Reader,
  endpoint: Endpoint,
  input: Values,
  options: CallOptions = {},
): Promise<Finding> {
  const key = keyOf(endpoint, input);
  const resource = resourceOf(endpoint);
  if (key === undefined || resource?.recognised?.by !== 'key')
    throw new TypeError(`${endpoint.method} ${endpoint.path} has no key to look up`);
  const { signal, retries } = options;
  const found = await find(client, endpoint, resource, resource.recognised, key.value, input, { signal, retries });
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
