/** Finds what references mean: one by its ID first, many by lists where these need fewer requests. */
import { isSegment, type Resource } from '../../contract/resource.js';
import type { Referent } from '../../contract/vocabulary.js';
import { EduError, ignoringUnreadable, isKind, UNREADABLE } from '../../core/errors.js';
import { forEachConcurrently } from '../../core/for-each.js';
import { isObject } from '../../core/json.js';
import { grouped } from '../../core/maps.js';
import { type Found, one, oneOf, type Scope, scopeKey, type Wanted } from './found.js';
import { getById, getByKey, getUnseen } from './get-item.js';
import type { ItemIndex, Match } from './item-index.js';
import {
  type ItemLists,
  type ListHost,
  onlyOrganization,
  ownOrganization,
  readIndex,
  resourcesOf,
} from './item-lists.js';
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
  const isAnyId = (only === undefined || only === 'id') && !resources.some((each) => isSegment(each, text));
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
  // An ID that the caller may not read, and one in lists alone that the caller may not read.
  const isInListsAlone = resources.every(({ endpoints }) => endpoints.list && !endpoints.get);
  if (denied !== undefined || (isAnyId && index === undefined && isInListsAlone)) {
    const nouns = resources.map(({ noun }) => noun[1]).join(', ');
    if (only === undefined && index === undefined)
      await host.warn(`Cannot list ${nouns}: ${JSON.stringify(text)} is used as an ID.`);
    return one(denied ?? { id: text, label: text, names: [] });
  }
  for (const resource of isAnyId ? resources : []) {
    // The endpoint may accept any text, also an address, which was looked up, and a name of several words.
    const isWritten = resource.written.some(({ key, form = key === undefined ? /\s/ : undefined }) => form?.test(text));
    if (only === undefined && isWritten) continue;
    const match = await getUnseen(resource, reference, host);
    if (match !== undefined) return one(match);
  }
  const isRead = index !== undefined || !isListed || resources.every(({ endpoints }) => endpoints.list === undefined);
  const [first] = resources;
  const organization = index && first && (await onlyOrganization(first, scope, host));
  return {
    is: 'none',
    closest: index?.closest(reference) ?? [],
    isRead,
    ...(index && { unread: index.unread }),
    ...(organization && { organization }),
    ...(exact instanceof EduError && { cause: exact }),
  };
}

/** References looked up concurrently. */
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
  return wanted.filter((each) => {
    const reference = readReference(each.text, resources);
    const byId = index.byId(reference);
    const matches = byId !== undefined ? [byId] : isWhole ? index.find(reference) : index.byKey(reference);
    const found = index.isCut && byId === undefined ? undefined : oneOf(matches);
    if (found !== undefined) each.found = found;
    return found === undefined;
  });
}

/** Looks up a reference by itself. Sets its `found`, and `error` if the response prevents only that. */
async function settleOne(refersTo: Referent, each: Wanted, lists: ItemLists, host: ListHost): Promise<Found> {
  each.found = await findOne(refersTo, each.text, each.scope, lists, host).catch((error): Found => {
    if (!isKind(error, ...UNREADABLE)) throw error;
    each.error = error;
    return { is: 'hidden' };
  });
  return each.found;
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
    const found = await settleOne(refersTo, first, lists, host);
    const match = found.is === 'one' ? found.match : undefined;
    const isKnown = match === undefined || match.organization !== undefined;
    const got = isKnown ? match : await getById(resource, match.id, host).catch(ignoringUnreadable);
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
 * Sets `found` of each, and `error` of those that a response of their own prevents.
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
    await forEachConcurrently(left, CONCURRENCY, async (each) => void (await settleOne(refersTo, each, lists, host)));
  }
}
