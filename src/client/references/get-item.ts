/** Reads single items by ID or key. */
import type { Resource, Written } from '../../contract/resource.js';
import type { Endpoint } from '../../contract/vocabulary.js';
import { EduError, isKind } from '../../core/errors.js';
import { findListed } from './find-listed.js';
import { type Found, one } from './found.js';
import { idIn } from './id-in.js';
import { type Match, matchOf } from './item-index.js';
import type { ListHost } from './item-lists.js';
import { keyForm, type Reference } from './spelling.js';

/** Calls an endpoint that has one path parameter. */
async function call(endpoint: Endpoint, value: string, host: ListHost): Promise<unknown> {
  const [name = ''] = Object.keys(endpoint.params ?? {});
  const query = endpoint.query?.language === undefined ? {} : { query: { language: host.language() } };
  const client = await host.client();
  return client.call(endpoint, { params: { [name]: value }, ...query } as never, { signal: host.signal });
}

/**
 * The item with an ID, by a request. One that the caller may not read exists nevertheless.
 * @returns the error for an unknown ID; undefined if no endpoint returns single items
 */
export async function getById(resource: Resource, id: string, host: ListHost): Promise<Match | EduError | undefined> {
  const { get } = resource.endpoints;
  if (get === undefined) return undefined;
  try {
    const item = await call(get, id, host);
    const match = matchOf(resource, item, id);
    return match && { ...match, item };
  } catch (error) {
    const match = isKind(error, 'forbidden') ? matchOf(resource, {}, id) : undefined;
    if (match !== undefined && isKind(error, 'forbidden')) return { ...match, denied: error };
    // 400: the ID has no valid form, or the API document has no 404 (`GET classes/:id`).
    if (error instanceof EduError && error.status === 400)
      return get.errors.includes(404) ? error : error.with({ kind: 'not_found' });
    if (isKind(error, 'not_found')) return error;
    throw error;
  }
}

/** The ID in the response of an endpoint that looks up a key. @throws EduError `invalid_response` */
export function idFound(answer: unknown, { method, path }: Endpoint, noun: string, key: string): string {
  const id = idIn(answer);
  if (id !== undefined) return id;
  throw new EduError('invalid_response', `the response contains no ID of the ${noun} ${key}`, {
    isReason: true,
    method,
    path: path.replace(/\{\w+\}/, encodeURIComponent(key)),
    hint: `Give the ${noun} by ID.`,
  });
}

/** Looks up a key that has its own endpoint. */
export async function getByKey(
  resource: Resource,
  { key, through = '', form, field }: Written,
  { text, only }: Reference,
  host: ListHost,
): Promise<Found | undefined> {
  const endpoint = resource.endpoints[through];
  // Codes are sent in lowercase; whether addresses differ by case is up to the service.
  const sent = key === 'address' ? text : keyForm(key, text);
  if (endpoint === undefined || (only === undefined && form?.test(sent) === false)) return undefined;
  try {
    const answer = await call(endpoint, sent, host);
    const match = matchOf(resource, answer);
    if (match !== undefined && endpoint.returns?.fields !== undefined) return one({ ...match, item: answer });
    return one({ id: idFound(answer, endpoint, resource.noun[0], text), label: text, names: [text] });
  } catch (error) {
    // 400: the key has no valid form.
    if (isKind(error, 'not_found') || (error instanceof EduError && error.status === 400)) return undefined;
    if (!isKind(error, 'forbidden')) throw error;
    const listed = await findListed(await host.client(), resource, String(field), sent, { signal: host.signal });
    const match = listed && matchOf(resource, listed);
    return match === undefined ? { is: 'hidden' } : one(match);
  }
}

/** An item that `get` does not return: an end user, who may be in classes. No endpoint proves an ID that is called one. */
export async function getUnseen(
  { takesAnyId, endpoints }: Resource,
  { text: id, only }: Reference,
  host: ListHost,
): Promise<Match | undefined> {
  const match = { id, label: id, names: [] };
  if (takesAnyId === undefined) return endpoints.list || endpoints.get ? undefined : match;
  const [name = ''] = Object.keys(takesAnyId.params ?? {});
  try {
    const { pages } = await host.client();
    const input = { params: { [name]: id } } as never;
    let isProven = false;
    for await (const page of pages(takesAnyId, input, { signal: host.signal })) isProven ||= page.length > 0;
    return isProven ? match : { ...match, isUnseen: true };
  } catch (error) {
    if (isKind(error, 'forbidden')) return match;
    if (!isKind(error, 'not_found', 'refused', 'invalid_response')) throw error;
    return only === 'id' ? { ...match, isUnseen: true } : undefined;
  }
}
