/**
 * The common parts of publishers and schools: names, owners, default roles (service-api-v1.md, "Publishers",
 * "Schools").
 */
import { owns } from '../access.js';
import type { Caller } from '../caller.js';
import { badField, forbidden, notFound } from '../error-answer.js';
import { newId } from '../identifiers.js';
import { valueAt, vocabularyOf } from '../names/vocabulary.js';
import { defaultRoles } from '../permissions.js';
import type { ServiceContext } from '../service-context.js';
import type { Page } from '../store/collection.js';
import type { Organization, Role } from '../store/records.js';
import { roleReferences } from './people.js';

type Kind = 'Publisher' | 'School';

/** The organizations of a kind that the caller's one owns, "filtered by the caller's organization". */
export const ownedPage = (
  { store }: ServiceContext,
  caller: Caller,
  type: Kind,
  page: { readonly after: number; readonly limit: number },
): Page<Organization> => store.organizations.page({ ownerId: caller.organization.id, type }, page.after, page.limit);

/** "The caller must own it. 404 when the id is unknown. 403 when not allowed." */
export function findOwned({ store }: ServiceContext, caller: Caller, type: Kind, id: string): Organization {
  const organization = store.organizations.get(id);
  if (organization?.type !== type) throw notFound(type.toLowerCase(), id);
  if (!owns(caller, organization)) throw forbidden(`the ${type.toLowerCase()} ${id} is not owned by your organization`);
  return organization;
}

/** "400 when the name exists": over all of the kind, compared exactly. Its own name is no obstacle. */
export function requireFreeName({ store }: ServiceContext, type: Kind, name: string, ownId?: string): void {
  const other = store.organizations.first({ type, name });
  if (other !== undefined && other.id !== ownId) throw badField('name', `exists already: ${JSON.stringify(name)}`);
}

/**
 * "Only callers connected to a distributor may create one, and that distributor becomes the owner." "A new organization
 * receives a default set of roles."
 */
export function insertOwned(
  { store, random }: ServiceContext,
  caller: Caller,
  data: Pick<Organization, 'name' | 'country' | 'city'> & { readonly type: Kind },
): Organization {
  const organization: Organization = { id: newId(random), ...data, ownerId: caller.organization.id };
  store.organizations.insert(organization);
  store.roles.insertMany(
    defaultRoles(data.type).map((role) => ({ id: newId(random), organizationId: organization.id, ...role })),
  );
  return organization;
}

export function requireDistributor(caller: Caller): void {
  if (caller.organization.type !== 'Distributor') throw forbidden('only callers of a distributor may do this');
}

/** The roles that an organization has: its own, and those that an export showed it to share with another. */
export function rolesOf({ store }: Pick<ServiceContext, 'store'>, organizationId: string): readonly Role[] {
  const shared = valueAt(vocabularyOf(store).sharedRoles, organizationId) ?? [];
  return [...store.roles.all({ organizationId }), ...store.roles.many(shared).values()];
}

/** Whether an organization has a role, by the role's id. */
export const hasRole = ({ store }: ServiceContext, organizationId: string, role: Role): boolean =>
  role.organizationId === organizationId ||
  valueAt(vocabularyOf(store).sharedRoles, organizationId)?.includes(role.id) === true;

/** References to the roles of several organizations, by the organization's id. */
export function roleReferencesOf(
  core: Pick<ServiceContext, 'store'>,
  organizations: readonly Organization[],
): (organization: Organization) => { id: string; name: string }[] {
  const { store } = core;
  if (vocabularyOf(store).sharedRoles !== undefined) return ({ id }) => roleReferences(rolesOf(core, id));
  const all = store.roles.allIn(
    'organizationId',
    organizations.map(({ id }) => id),
  );
  return ({ id }) => roleReferences(all.filter(({ organizationId }) => organizationId === id));
}
