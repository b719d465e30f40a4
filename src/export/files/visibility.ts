/** The lists that an export could read, and the list of each item. */

import type { Resource } from '../collect/resources.js';
import type { OrganizationFacts, ResourceFacts } from './manifest.js';

type Item = Readonly<Record<string, unknown>>;

/** What decides about visibility, of a manifest or of an export that is still running. */
export interface Scope {
  readonly organizations: readonly OrganizationFacts[];
  readonly resources: Readonly<Partial<Record<Resource, Pick<ResourceFacts, 'file' | 'changes' | 'unseen'>>>>;
}

const BY_ORGANIZATION: ReadonlySet<Resource> = new Set(['roles', 'users', 'classes', 'books']);

/** The name of an organization's list. */
export const organizationList = ({ id, type }: OrganizationFacts): string => `${type} ${id}`;

/** How the list of a licence's activations is named. */
const ONE_LICENCE = 'licence ';

const listsOf = ({ organizations }: Scope, resource: Resource): readonly string[] =>
  BY_ORGANIZATION.has(resource)
    ? organizations.filter(({ type }) => resource !== 'classes' || type === 'School').map(organizationList)
    : [];

/** True if the resource was exported and at least one of its lists could be read. */
const isHeld = (facts: Scope['resources'][Resource]): boolean =>
  facts !== undefined && (facts.file !== null || facts.changes !== undefined);

const unseenIn = ({ resources }: Scope, resource: Resource): ReadonlySet<string> =>
  new Set(resources[resource]?.unseen.map(({ list }) => list));

/**
 * The lists of a resource that one export read and another could not.
 * @param isEarlier true if the other one is the earlier: an organization that is new was no list of it
 * @returns their names; an organization that the later one no longer lists counts as one
 */
export function lostLists(holder: Scope, other: Scope, resource: Resource, isEarlier = false): readonly string[] {
  if (!isHeld(holder.resources[resource])) return [];
  const held = unseenIn(holder, resource);
  const known = listsOf(holder, resource);
  const asked = new Set(listsOf(other, resource));
  const gone = isEarlier ? [] : known.filter((list) => !held.has(list) && !asked.has(list));
  // The list of an organization that is new to the later export was never seen; all other lists always exist.
  const refused = [...unseenIn(other, resource)].filter((list) => {
    // A licence that does not say how many have activated it may not have been activated yet.
    if (held.has(list) || list.startsWith(ONE_LICENCE)) return false;
    return isEarlier || known.includes(list) || !asked.has(list);
  });
  return [...new Set([...gone, ...refused])].sort();
}

/** The id of the organization that an item belongs to; nested, or in a column of a csv. */
function organizationOf(resource: Resource, item: Item): unknown {
  if (resource === 'classes') return item.schoolId;
  const { organization } = item;
  return typeof organization === 'object' && organization !== null && 'id' in organization
    ? organization.id
    : item['organization.id'];
}

/** The list that an item belongs to; undefined when the item does not say it. */
function listOf(scope: Scope, resource: Resource, item: Item): string | undefined {
  switch (resource) {
    case 'users':
    case 'books':
    case 'classes': {
      const id = organizationOf(resource, item);
      const organization = scope.organizations.find((one) => one.id === id);
      return organization === undefined ? undefined : organizationList(organization);
    }
    case 'licenses':
      return typeof item.type === 'string' ? item.type.toUpperCase() : undefined;
    case 'activations':
      return `${ONE_LICENCE}${String(item.licenseId)}`;
    case 'subjects':
    case 'types':
      return typeof item.language === 'string' ? item.language : '';
    case 'roles':
      return undefined;
    default:
      return '';
  }
}

/**
 * Tells whether an item that only one export holds would have been seen by the other.
 * @param holder the export that holds the item
 * @param other the one that does not
 * @param isEarlier true if the other one is the earlier
 */
export function visibilityIn(
  holder: Scope,
  other: Scope,
  resource: Resource,
  isEarlier: boolean,
): (item: Item) => boolean {
  if (!isHeld(other.resources[resource])) return () => false;
  const unseen = unseenIn(other, resource);
  const asked = new Set(listsOf(other, resource));
  const isAllSeen = lostLists(holder, other, resource, isEarlier).length === 0;
  // `all schools`: which organizations there were is not known either.
  const knowsOrganizations = [...unseen].every((list) => asked.has(list));
  return (item) => {
    const list = listOf(holder, resource, item);
    if (list === undefined) return isAllSeen;
    if (unseen.has(list)) return false;
    return !BY_ORGANIZATION.has(resource) || asked.has(list) || (isEarlier && knowsOrganizations);
  };
}
