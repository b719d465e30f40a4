/**
 * Visibility and ownership: which records a caller may see and change (service-api-v1.md, "What the service does").
 */
import type { OrganizationType } from '../contract/shared.js';
import type { Caller } from './caller.js';
import { badField, forbidden } from './error-answer.js';
import type { ServiceContext } from './service-context.js';
import type { Organization, User } from './store/records.js';

/** The organization was created by the caller's one. A distributor owns what it creates; no organization owns itself. */
export const owns = (caller: Caller, organization: Organization): boolean =>
  organization.ownerId === caller.organization.id;

/** "The caller's own organization or owned by the caller's organization." */
export const isOwnOrOwned = (caller: Caller, organization: Organization): boolean =>
  organization.id === caller.organization.id || owns(caller, organization);

/** The same by id. */
export function mayUse({ store }: ServiceContext, caller: Caller, organizationId: string): boolean {
  if (organizationId === caller.organization.id) return true;
  const organization = store.organizations.get(organizationId);
  return organization !== undefined && owns(caller, organization);
}

/**
 * The rule for users: of the own or an owned organization. End users belong to no organization; ours is that they are
 * for the one that created them.
 */
export const mayManage = (core: ServiceContext, caller: Caller, user: User): boolean =>
  user.organizationId === null ? user.creatorId === caller.organization.id : mayUse(core, caller, user.organizationId);

interface OrganizationReference {
  readonly id?: string;
  readonly type?: OrganizationType;
}

const typeMismatch = (field: string, { id, type }: Organization): Error =>
  badField(field, `does not fit: the organization ${id} is a ${type}`);

/**
 * The organization that a query names in `organization` and `type`, when the caller may look at its things.
 * An unknown id is answered like one that the caller may not see: no 404 is listed.
 */
export function organizationOfQuery(
  { store }: ServiceContext,
  caller: Caller,
  query: { readonly organization: string; readonly type: OrganizationType },
): Organization {
  const organization = store.organizations.get(query.organization);
  if (organization === undefined || !isOwnOrOwned(caller, organization)) {
    throw forbidden(`the organization ${query.organization} is neither yours nor owned by yours`);
  }
  if (organization.type !== query.type) throw typeMismatch('type', organization);
  return organization;
}

/**
 * The organization that something is created for: the given one, or "defaults to the creator's organization".
 * Either part may be left out. An unknown id is invalid input (400), another's organization is forbidden (403).
 */
export function organizationToCreateFor(
  { store }: ServiceContext,
  caller: Caller,
  { id = caller.organization.id, type }: OrganizationReference = {},
): Organization {
  const organization = store.organizations.get(id);
  if (organization === undefined) throw badField('organization.id', `is unknown: no organization has the ID ${id}`);
  if (!isOwnOrOwned(caller, organization)) {
    throw forbidden(`the organization ${id} is neither yours nor owned by yours`);
  }
  if (type !== undefined && organization.type !== type) throw typeMismatch('organization.type', organization);
  return organization;
}

/** `{id, type}` */
export const referenceTo = ({
  id,
  type,
}: Pick<Organization, 'id' | 'type'>): { id: string; type: OrganizationType } => ({ id, type });

/**
 * `{id, type}` of one of those that were looked up. An import may bring an id of characters that no database gives back as
 * they were: nothing is found under it then.
 */
export const referenceIn = (
  organizations: ReadonlyMap<string, Organization>,
  id: string,
): { id: string; type: OrganizationType } =>
  referenceTo(organizations.get(id) ?? ({ id, type: 'Distributor' } as const));
