/** The caller of a request, and which records a caller may see and change (service-api-v1.md, "Authentication", "What the service does"). */

import type { OrganizationReference, OrganizationType } from '../contract/shared.js';
import type { Headers } from '../core/http.js';
import { badField, forbidden, Refusal, requireFound, requireNamed } from './error-answer.js';
import { secretId } from './identifiers.js';
import { vocabularyOf } from './names/vocabulary.js';
import type { ServiceContext } from './service-context.js';
import type { Organization, Permission, Role, User } from './store/records.js';
import type { Store } from './store/store.js';

export interface Caller {
  readonly user: User;
  readonly organization: Organization;
  readonly roles: readonly Role[];
  /** The permissions of all roles, without repetitions. */
  readonly permissions: readonly Permission[];
}

export function permissionsOf(roles: readonly Role[]): Permission[] {
  const found = new Map<string, Permission>();
  for (const { permissions } of roles) {
    for (const permission of permissions) found.set(`${permission.resource} ${permission.operation}`, permission);
  }
  return [...found.values()];
}

/** The access token of a request. */
export const tokenIn = (headers: Headers): string | undefined =>
  /^Bearer +([^\s]+) *$/i.exec(headers.authorization ?? '')?.[1];

/** The user whom the name of a persona, an ID or an e-mail address means. To be called inside a transaction. */
export const userNamed = ({ users, personas }: Store, name: string): User | undefined =>
  users.get(personas.get(name)?.userId ?? name) ?? users.first({ email: name });

/** Whether a user may log in. End users belong to no organization. */
export const mayLogIn = ({ anonymized, organizationId }: User): boolean => !anonymized && organizationId !== null;

/** To be called inside a transaction. @throws Refusal without a token, or with one that is not or no longer valid */
export function callerOf({ store, now, variants }: ServiceContext, headers: Headers): Caller {
  const token = tokenIn(headers);
  // "Requests that need authentication and lack it are answered with 403."
  if (token === undefined)
    throw new Refusal(variants.noTokenStatus, 'this needs an access token: Authorization: Bearer <ACCESS_TOKEN>');
  const grant = store.accessTokens.get(secretId(token));
  const user = grant && store.users.get(grant.userId);
  const organization = store.organizations.get(user?.organizationId ?? '');
  const isOver = (grant?.expiresAt ?? Number.POSITIVE_INFINITY) <= now();
  if (user === undefined || user.anonymized || organization === undefined || isOver)
    throw new Refusal(variants.badTokenStatus, 'the access token is not valid, or no longer valid');
  const known = store.roles.many(user.roleIds);
  const roles = user.roleIds.flatMap((id) => known.get(id) ?? []);
  return { user, organization, roles, permissions: permissionsOf(roles) };
}

/** @throws Refusal 403 unless one of the caller's roles has the permission */
export function requirePermission(
  { store }: ServiceContext,
  caller: Caller,
  resource: string,
  operation: string,
): void {
  if (vocabularyOf(store).guarded?.includes(resource) === false) return;
  const permitted = caller.permissions.some((one) => one.resource === resource && one.operation === operation);
  if (!permitted) throw forbidden(`your roles do not permit ${operation} on ${resource}`);
}

/** Returns true if the caller's organization created this one: a distributor owns what it creates. */
export const owns = (caller: Caller, organization: Organization): boolean =>
  organization.ownerId === caller.organization.id;

/** The API document's rule for lists: the caller's own organization, or one that it owns. */
export function mayUse({ store }: ServiceContext, caller: Caller, organizationId: string): boolean {
  if (organizationId === caller.organization.id) return true;
  const organization = store.organizations.get(organizationId);
  return organization !== undefined && owns(caller, organization);
}

/** @throws Refusal 403 for an item that `mayUse` hides */
export function requireInSight(core: ServiceContext, caller: Caller, what: string, item: Owned): void {
  if (item.organizationId === null || !mayUse(core, caller, item.organizationId))
    throw forbidden(`the ${what} ${item.id} belongs neither to your organization nor to one that it owns`);
}

/**
 * Users of the caller's organization or of one that it owns may be managed; end users, who have none, if it created them.
 * @throws Refusal 403 for others
 */
export function requireManageable(core: ServiceContext, caller: Caller, user: User): void {
  const mayManage =
    user.organizationId === null
      ? user.creatorId === caller.organization.id
      : mayUse(core, caller, user.organizationId);
  if (!mayManage) throw forbidden(`the user ${user.id} does not belong to an organization that you may manage`);
}

interface Owned {
  readonly id: string;
  readonly organizationId: string | null;
}

/** @throws Refusal 403 for an item of another organization, also of one that the caller's organization owns */
export function requireOwn({ organization }: Caller, what: string, { id, organizationId }: Owned): void {
  if (organizationId !== organization.id) throw forbidden(`the ${what} ${id} does not belong to your organization`);
}

/** "The caller may only view books [readers, subscriptions] of its own organization." @throws Refusal, also 404 */
export function findOwn<R extends Owned>(
  collection: { get(id: string): R | undefined },
  caller: Caller,
  what: string,
  id: string,
): R {
  const found = requireFound(collection.get(id), what, id);
  requireOwn(caller, what, found);
  return found;
}

/** @throws Refusal 403 for an organization, also an unknown one, that is neither the caller's own nor owned */
export function requireUsable(core: ServiceContext, caller: Caller, id: string): void {
  if (!mayUse(core, caller, id)) throw forbidden(`the organization ${id} is neither yours nor owned by yours`);
}

const typeMismatch = (field: string, { id, type }: Organization): Error =>
  badField(field, `does not fit: the organization ${id} is a ${type}`);

/** @throws Refusal 403 also for an unknown ID, because the API document lists no 404; 400 when the type is another */
export function organizationOfQuery(
  core: ServiceContext,
  caller: Caller,
  { organization: id, type }: { readonly organization: string; readonly type: OrganizationType },
): Organization {
  requireUsable(core, caller, id);
  const organization = requireFound(core.store.organizations.get(id), 'organization', id);
  if (organization.type !== type) throw typeMismatch('type', organization);
  return organization;
}

/**
 * The organization that an item is created for: the given one, or by default the caller's. Either part may be left out.
 * @throws Refusal 400 for an unknown ID or another type, 403 when it is neither the caller's own nor owned
 */
export function organizationToCreateFor(
  core: ServiceContext,
  caller: Caller,
  { id = caller.organization.id, type }: Partial<OrganizationReference> = {},
): Organization {
  const organization = requireNamed(core.store.organizations.get(id), 'organization.id', 'organization', id);
  requireUsable(core, caller, id);
  if (type !== undefined && organization.type !== type) throw typeMismatch('organization.type', organization);
  return organization;
}

export const referenceTo = ({ id, type }: OrganizationReference) => ({ id, type });

/** `{id, type}` of an organization that was looked up; the fallback is for imported ids with lone surrogates. */
export const referenceIn = (
  organizations: ReadonlyMap<string, Organization>,
  id: string,
): ReturnType<typeof referenceTo> => referenceTo(organizations.get(id) ?? { id, type: 'Distributor' });
