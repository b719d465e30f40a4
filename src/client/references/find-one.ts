/** Finds what one reference means, by its ID first (PRODUCT.md section 2). */
import type { Resource } from '../../contract/resource.js';
import type { Referent } from '../../contract/vocabulary.js';
import { EduError } from '../../core/errors.js';
import { type Found, one, oneOf, type Scope } from './found.js';
import { getById, getByKey, getUnseen } from './get-item.js';
import type { Match } from './item-index.js';
import { type ItemLists, onlyOrganization, ownOrganization, resourcesOf } from './item-lists.js';
import type { ListHost } from './read-index.js';
import { readReference } from './spelling.js';

/** The item with an ID, or the error for an unknown ID. An item that the caller may not read exists nevertheless. */
async function findId(
  refersTo: Referent,
  id: string,
  scope: Scope,
  resources: readonly Resource[],
  host: ListHost,
): Promise<Match | EduError | undefined> {
  let hidden: Match | undefined;
  let unknown: EduError | undefined;
  for (const resource of resources) {
    const found = await getById(resource, id, host);
    if (found instanceof EduError) unknown = found;
    else if (found?.item !== undefined) return found;
    else hidden ??= found;
  }
  const own = await ownOrganization(refersTo, scope, host);
  return own?.id === id ? own : (hidden ?? unknown);
}

/** @throws EduError if the service is not available */
export async function findOne(
  refersTo: Referent,
  typed: string,
  scope: Scope,
  lists: ItemLists,
  host: ListHost,
): Promise<Found> {
  const resources = await resourcesOf(refersTo, scope);
  const reference = readReference(typed, resources);
  const { only, text } = reference;
  if (text === '') return { is: 'none', closest: [], isRead: true };
  const isAnyId = only === undefined || only === 'id';
  const exact = isAnyId ? await findId(refersTo, text, scope, resources, host) : undefined;
  // 403 may be the response to an unknown ID, so that keys and names count before an item that the caller may not read.
  const denied = exact !== undefined && !(exact instanceof EduError) && exact.denied !== undefined ? exact : undefined;
  if (exact !== undefined && !(exact instanceof EduError) && (denied === undefined || only === 'id')) return one(exact);
  // Files and licence categories are in no list, nor are organizations of the type of the caller's own.
  if (resources.length === 0) return one({ id: text, label: text, names: [], ...(scope.type && { type: scope.type }) });
  for (const resource of only === undefined || only === 'key' ? resources : [])
    for (const written of resource.written) {
      const found = await getByKey(resource, written, reference, host);
      if (found !== undefined && (denied === undefined || found.is !== 'hidden')) return found;
    }
  const isListed = only !== 'id' || resources.every(({ endpoints }) => endpoints.get === undefined);
  const index = isListed ? await lists.indexOf(refersTo, scope) : undefined;
  const found = index && oneOf(index.find(reference));
  if (found !== undefined) return found;
  if (denied !== undefined) return one(denied);
  for (const resource of isAnyId ? resources : []) {
    // The endpoint may accept any text, also an address, which was looked up, and a name of several words.
    const isWritten = resource.written.some(({ key, form = key === undefined ? /\s/ : undefined }) => form?.test(text));
    if (only === undefined && isWritten) continue;
    const match = await getUnseen(resource, text, host);
    if (match !== undefined) return one(match);
  }
  const isRead = index !== undefined || !isListed || resources.every(({ endpoints }) => endpoints.list === undefined);
  const [first] = resources;
  const organization = index && first && (await onlyOrganization(first, scope, host));
  const closest = index?.closest(text) ?? [];
  return {
    is: 'none',
    closest,
    isRead,
    ...(organization && { organization }),
    ...(exact instanceof EduError && { cause: exact }),
  };
}
