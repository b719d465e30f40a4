/** Finds what many references mean, by lists where these need fewer requests than single items. */
import type { Resource } from '../../contract/resource.js';
import type { Referent } from '../../contract/vocabulary.js';
import { EduError } from '../../core/errors.js';
import { forEachConcurrently } from '../../core/for-each.js';
import { isObject } from '../../core/json.js';
import { grouped } from '../../core/maps.js';
import { findOne } from './find-one.js';
import { oneOf, scopeKey, type Wanted } from './found.js';
import { getById } from './get-item.js';
import type { ItemIndex } from './item-index.js';
import { type ItemLists, resourcesOf } from './item-lists.js';
import { type ListHost, readIndex } from './read-index.js';
import { readReference } from './spelling.js';

const CONCURRENCY = 8;
/** Up to this number of references, lists of many pages are not read to save look-ups. */
const FEW = 20;
/** After this many lists with fewer matches than pages, references are looked up one by one. */
const MAX_MISSES = 3;

/** Settles references by lists. @param isWhole whether the lists contain all items that keys and names can mean */
function settle<W extends Wanted>(
  wanted: readonly W[],
  index: ItemIndex | undefined,
  resources: readonly Resource[],
  isWhole: boolean,
): W[] {
  if (index === undefined) return [...wanted];
  return wanted.filter((one) => {
    const reference = readReference(one.text, resources);
    const byId = index.byId(reference);
    const matches = byId !== undefined ? [byId] : isWhole ? index.find(reference) : index.byKey(reference);
    const found = index.isCut && byId === undefined ? undefined : oneOf(matches);
    if (found !== undefined) one.found = found;
    return found === undefined;
  });
}

/** Settles references by the lists of the organizations that the first ones are found in. @returns the others */
async function settleElsewhere<W extends Wanted>(
  refersTo: Referent,
  resource: Resource,
  wanted: readonly W[],
  lists: ItemLists,
  host: ListHost,
): Promise<readonly W[]> {
  const read = new Set<string>();
  let left = wanted;
  for (let misses = 0; left.length > FEW && misses < MAX_MISSES; ) {
    const [first, ...others] = left as readonly [W, ...W[]];
    first.found = await findOne(refersTo, first.text, first.scope, lists, host);
    const match = first.found.is === 'one' ? first.found.match : undefined;
    const got = match === undefined || match.organization ? match : await getById(resource, match.id, host);
    const organization = got instanceof EduError ? undefined : got?.organization;
    left = others;
    if (organization === undefined || read.has(organization.id)) misses++;
    else {
      read.add(organization.id);
      const index = await readIndex(resource, [organization], host, { pages: left.length });
      left = settle(left, index, [resource], false);
      if (left.length === others.length) misses++;
    }
  }
  return left;
}

/**
 * Finds what many references of one kind mean. Lists are read instead of single items where this needs fewer requests.
 * Sets `found` of each.
 * @throws EduError if the service is not available
 */
export async function findMany<W extends Wanted>(
  refersTo: Referent,
  wanted: readonly W[],
  lists: ItemLists,
  host: ListHost,
): Promise<void> {
  for (const some of grouped(wanted, ({ scope }) => [scopeKey(scope)]).values()) {
    const scope = some[0]?.scope ?? {};
    const resources = await resourcesOf(refersTo, scope);
    // One list without pages is one request; those of all schools may be many.
    const isOneList = resources.every(({ endpoints, within }) => {
      const isPaged = endpoints.list?.list?.paged === true;
      return !isPaged && (within?.owned === undefined || scope.organization !== undefined);
    });
    let left: readonly W[] = some;
    if (left.length > (isOneList ? 1 : FEW)) {
      const whole = await lists.read(refersTo, scope, { pages: left.length });
      if (whole?.isCut === false) lists.keep(refersTo, scope, whole);
      left = settle(left, whole, resources, true);
      const [resource] = resources;
      const isOfOrganization = isObject(resource?.endpoints.get?.returns?.fields?.organization);
      if (resource?.within !== undefined && isOfOrganization)
        left = await settleElsewhere(refersTo, resource, left, lists, host);
    }
    await forEachConcurrently(left, CONCURRENCY, async (one) => {
      one.found = await findOne(refersTo, one.text, scope, lists, host);
    });
  }
}
