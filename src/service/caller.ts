/** Resolves an access token to its user, organization and permissions (service-api-v1.md, "Authentication"). */
import type { Headers } from '../core/http.js';
import { forbidden, Refusal } from './error-answer.js';
import { vocabularyOf } from './names/vocabulary.js';
import type { ServiceContext } from './service-context.js';
import type { Organization, Permission, Role, User } from './store/records.js';
import { secretId } from './store/store.js';

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

/** To be called inside a transaction. @throws Refusal without a token, or with one that is not or no longer valid */
export function callerOf({ store, now, variants }: ServiceContext, headers: Headers): Caller {
  const token = /^Bearer +([^\s]+) *$/i.exec(headers.authorization ?? '')?.[1];
  // "Requests that need authentication and lack it are answered with 403."
  if (token === undefined)
    throw new Refusal(variants.noTokenStatus, 'this needs an access token: Authorization: Bearer <ACCESS_TOKEN>');
  const grant = store.accessTokens.get(secretId(token));
  const user = grant && store.users.get(grant.userId);
  const organization = store.organizations.get(user?.organizationId ?? '');
  const isOver = (grant?.expiresAt ?? Number.POSITIVE_INFINITY) <= now();
  if (user === undefined || user.anonymized || organization === undefined || isOver)
    throw new Refusal(variants.badTokenStatus, 'the access token is not or no longer valid');
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
