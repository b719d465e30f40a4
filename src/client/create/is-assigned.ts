/** Resolves the unknown outcome of an assignment: looks for the user in the item. */
import { fieldFor, resourceOf } from '../../contract/resource.js';
import type { Endpoint } from '../../contract/vocabulary.js';
import { getPath } from '../../core/json.js';
import { idsOf } from '../references/id-in.js';
import type { CallOptions } from '../request/client.js';
import type { Values } from '../request/request.js';
import type { Reader } from './list-of-created.js';

/**
 * True if the item shows that an assignment, or its opposite, was carried out. Only reads.
 * @throws the client's errors if the item cannot be read
 */
export async function isAssigned(
  client: Reader,
  endpoint: Endpoint,
  { body = {} }: Values,
  options: CallOptions,
): Promise<boolean> {
  const { assigns } = endpoint;
  const resource = resourceOf(endpoint);
  const get = resource?.endpoints.get;
  if (assigns === undefined || resource === undefined || get === undefined) return false;
  const item: unknown = await client.call(get, { params: { id: body[fieldFor(endpoint, resource)] } }, options);
  return idsOf(getPath(item, assigns.in))?.includes(String(body.userId)) === assigns.is;
}
