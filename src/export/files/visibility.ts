/** The lists that an export could read, and the list of each item. */

import { isObject, type JsonObject } from '../../core/json.js';
import type { Resource } from '../collect/resources.js';
import type { OrganizationFacts, ResourceFacts } from './manifest.js';

/** The lists of a manifest, or of an export that is still running. */
export interface Scope {
  readonly organizations: readonly OrganizationFacts[];
  readonly resources: Readonly<Partial<Record<Resource, Pick<ResourceFacts, 'file' | 'changes' | 'unseen'>>>>;
}

const BY_ORGANIZATION: ReadonlySet<Resource> = new Set(['roles', 'users', 'classes', 'books']);

/** The name of an organization's list. */
export const organizationList = ({ id, type }: OrganizationFacts): string => `${type} ${id}`;

const ONE_LICENCE = 'licence ';

const listsOf = ({ organizations }: Scope, resource: Resource): readonly string[] =>
  BY_ORGANIZATION.has(resource)
    ? organizations.filter(({ type }) => resource !== 'classes' || type === 'School').map(organizationList)
    : [];

const isHeld = (facts: Scope['resources'][Resource]): boolean =>
  facts !== undefined && (facts.file !== null || facts.changes !== undefined);

const unseenIn = ({ resources }: Scope, resource: Resource): ReadonlySet<string> =>
  new Set(resources[resource]?.unseen.map(({ list }) => list));

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

/** The ID of an item's organization, from a nested object or a column of a csv. */
function organizationOf(resource: Resource, item: JsonObject): unknown {
  if (resource === 'classes') return item.schoolId;
  return isObject(item.organization) ? item.organization.id : item['organization.id'];
}

/** The list of an item; undefined if the item does not determine it. */
function listOf(scope: Scope, resource: Resource, item: JsonObject): string | undefined {
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
 * Returns a function that tells whether an item of one export would have been visible to the other.
 * @param holder the export that contains the item
 * @param other the other export
 * @param isEarlier whether the other export is the earlier one
 */
export function visibilityIn(
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
    if (list === undefined) return isAllSeen;
    if (unseen.has(list)) return false;
    return !BY_ORGANIZATION.has(resource) || asked.has(list) || (isEarlier && knowsOrganizations);
  };
}
