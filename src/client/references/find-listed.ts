/**
 * Finds items in the caller's lists that it may not read by ID or key: `GET licenses` shows the licences that the caller
 * created for a school, which only the school may read, and only the creator may change (service-api-v1.md, "Licences").
 */
import { listInputs } from '../../contract/list-inputs.js';
import type { Resource } from '../../contract/resource.js';
import { ignoringUnreadable } from '../../core/errors.js';
import { isObject, type JsonObject } from '../../core/json.js';
import { loadOnce } from '../../core/maps.js';
import type { Reader } from '../create/list-of-created.js';
import type { CallOptions } from '../request/client.js';

/** Max number of items held in memory; a longer list is read each time. */
const MAX_ITEMS = 200_000;

type Index = ReadonlyMap<string, JsonObject>;

/** The items of each client's lists, by `field value`. */
const indexes = new WeakMap<Reader, Map<string, Promise<Index | undefined>>>();

async function* listedItems({ endpoints: { list } }: Resource, client: Reader, options: CallOptions) {
  if (list === undefined) return;
  for (const { of: _, ...input } of listInputs(list, { languages: [], organizations: [] }))
    for await (const page of client.pages(list, input, options))
      for (const item of page as readonly unknown[]) if (isObject(item)) yield item;
}

/** The items by each of the fields; undefined if there are too many. */
async function indexOf(resource: Resource, fields: readonly string[], client: Reader, options: CallOptions) {
  const index = new Map<string, JsonObject>();
  for await (const item of listedItems(resource, client, options)) {
    if (index.size > fields.length * MAX_ITEMS) return undefined;
    for (const field of fields) index.set(`${field} ${item[field]}`, item);
  }
  return index;
}

/**
 * Finds an item that the service did not show.
 * @param field `id`, or the natural key of the resource
 * @returns undefined if no list shows the item
 * @throws EduError if the list cannot be read for a temporary reason
 */
export async function findListed(
  client: Reader,
  resource: Resource,
  field: string,
  value: string,
  options: CallOptions = {},
): Promise<JsonObject | undefined> {
  const { recognised, name } = resource;
  if (recognised?.by !== 'key' || recognised.orListed !== true) return undefined;
  const kept = indexes.get(client) ?? new Map<string, Promise<Index | undefined>>();
  indexes.set(client, kept);
  try {
    const index = await loadOnce(kept, name, () => indexOf(resource, ['id', recognised.field], client, options));
    if (index !== undefined) return index.get(`${field} ${value}`);
    for await (const item of listedItems(resource, client, options)) if (item[field] === value) return item;
    return undefined;
  } catch (error) {
    return ignoringUnreadable(error);
  }
}
