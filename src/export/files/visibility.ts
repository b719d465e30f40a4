/** Decides which items of one export the other could not have seen, by the lists that each could read. */
import { listInputs } from '../../contract/list-inputs.js';
import { isText } from '../../core/checks.js';
import { isObject, type JsonObject } from '../../core/json.js';
import { EXPORTED, isByOrganization, type Resource } from '../collect/resources.js';
import type { Pair } from '../diff/join-files.js';
import type { Change, OrganizationFacts, ResourceFacts } from './manifest.js';

/** The lists of a manifest, or of an export that is still running. */
export interface Scope {
  readonly organizations: readonly OrganizationFacts[];
  readonly resources: Readonly<Partial<Record<Resource, Pick<ResourceFacts, 'file' | 'changes' | 'unseen'>>>>;
}

/** The name of an organization's list. */
export const organizationList = ({ id, type }: OrganizationFacts): string => `${type} ${id}`;

const ONE_LICENCE = 'licence ';

/** The lists of a resource that has one per organization. */
function listsOf({ organizations }: Scope, resource: Resource): readonly string[] {
  const { list } = EXPORTED[resource];
  if (list === undefined || !isByOrganization(resource)) return [];
  return listInputs(list, { languages: [''], organizations }).map(({ of }) => of);
}

const isHeld = (facts: Scope['resources'][Resource]): boolean =>
  facts !== undefined && (facts.file !== null || facts.changes !== undefined);

/** Activations of licences that are not seen are not seen, either, also if the manifest does not say so. */
const unseenIn = ({ resources }: Scope, resource: Resource): ReadonlySet<string> => {
  const facts = [resources[resource], resource === 'activations' ? resources.licenses : undefined];
  return new Set(facts.flatMap((one) => one?.unseen ?? []).map(({ list }) => list));
};

/**
 * The lists of a resource that one export read and another could not.
 * @param isEarlier whether the other export is the earlier one, which did not have the lists of new organizations
 * @returns the names of the lists, including those of organizations that the later export no longer lists
 */
export function lostLists(holder: Scope, other: Scope, resource: Resource, isEarlier = false): readonly string[] {
  if (!isHeld(holder.resources[resource])) return [];
  const held = unseenIn(holder, resource);
  const known = listsOf(holder, resource);
  const asked = new Set(listsOf(other, resource));
  const gone = isEarlier ? [] : known.filter((list) => !held.has(list) && !asked.has(list));
  // The list of a new organization was never readable before; all other lists always exist.
  const refused = [...unseenIn(other, resource)].filter((list) => {
    // A 403 may only mean that the licence has not been activated yet.
    if (held.has(list) || list.startsWith(ONE_LICENCE)) return false;
    return isEarlier || known.includes(list) || !asked.has(list);
  });
  return [...new Set([...gone, ...refused])].sort();
}

/** The lists of a resource that neither of two exports could read. */
export function unseenByBoth(one: Scope, other: Scope, resource: Resource): readonly string[] {
  const unseen = unseenIn(one, resource);
  return [...unseenIn(other, resource)].filter((list) => unseen.has(list) && !list.startsWith(ONE_LICENCE));
}

/** The list of an item; undefined if the item does not determine it. */
function listOf({ organizations }: Scope, resource: Resource, item: JsonObject): string | undefined {
  if (isByOrganization(resource)) {
    // A csv has a column for the ID in a nested object.
    const { schoolId, organization, 'organization.id': cell } = item;
    const id = resource === 'classes' ? schoolId : isObject(organization) ? organization.id : cell;
    const owner = organizations.find((one) => one.id === id);
    return owner && organizationList(owner);
  }
  if (resource === 'licenses') return isText(item.type) ? item.type.toUpperCase() : undefined;
  if (resource === 'activations') return `${ONE_LICENCE}${String(item.licenseId)}`;
  return EXPORTED[resource].addition === 'language' && isText(item.language) ? item.language : '';
}

/** Returns a function that tells whether an item of one export would have been visible to the other. */
function visibilityIn(
  holder: Scope,
  other: Scope,
  resource: Resource,
  isEarlier: boolean,
): (item: JsonObject) => boolean {
  if (!isHeld(other.resources[resource])) return () => false;
  const unseen = unseenIn(other, resource);
  const asked = new Set(listsOf(other, resource));
  const isAllSeen = lostLists(holder, other, resource, isEarlier).length === 0;
  // With an unseen list such as `all schools`, the set of organizations is unknown too.
  const knowsOrganizations = [...unseen].every((list) => asked.has(list));
  return (item) => {
    const list = listOf(holder, resource, item);
    if (list !== undefined && unseen.has(list)) return false;
    // An activation does not tell whether its licence is of a list that is not seen.
    if (list === undefined || resource === 'activations') return isAllSeen;
    return !isByOrganization(resource) || asked.has(list) || (isEarlier && knowsOrganizations);
  };
}

/** Returns a function that classifies the items of a resource that differ between two exports. */
export function changesBetween(before: Scope, after: Scope, resource: Resource): (pair: Pair) => Change {
  const wasVisible = visibilityIn(after, before, resource, true);
  const isVisible = visibilityIn(before, after, resource, false);
  return (pair) => {
    if (pair.before === undefined)
      return pair.after !== undefined && wasVisible(pair.after.item) ? 'added' : 'not_visible';
    if (pair.after === undefined) return isVisible(pair.before.item) ? 'removed' : 'not_visible';
    return 'changed';
  };
}
