/**
 * Resolves an access token to its user, organization and permissions (service-api-v1.md, "Authentication").
 */
import type { Headers } from '../core/http.js';
import { forbidden, Refusal } from './error-answer.js';
import { vocabularyOf } from './names/vocabulary.js';
import type { ServiceContext } from './service-context.js';
import type { Organization, Permission, Role, User } from './store/records.js';
import { secretId } from './store/store.js';
import type { Variants } from './variants.js';

export interface Caller {
  readonly user: User;
  readonly organization: Organization;
  readonly roles: readonly Role[];
  /** The permissions of all roles, without repetitions. */
  readonly permissions: readonly Permission[];
  /** Milliseconds since the epoch; null if the token never expires. */
  readonly tokenExpiresAt: number | null;
}

/** Finds the caller of a request, inside a transaction. Caches callers until the data changes. */
export type Callers = (headers: Headers) => Caller;

/** More tokens than any test uses at once. */
const MAX_CACHED = 1000;

const invalidToken = ({ badTokenStatus }: Variants): Refusal =>
  new Refusal(badTokenStatus, 'the access token is not or no longer valid');

/** "Requests that need authentication and lack it are answered with 403." */
const missingToken = ({ noTokenStatus }: Variants): Refusal =>
  new Refusal(noTokenStatus, 'this needs an access token: Authorization: Bearer <ACCESS_TOKEN>');

export function permissionsOf(roles: readonly Role[]): Permission[] {
  const found = new Map<string, Permission>();
  for (const { permissions } of roles) {
    for (const permission of permissions) found.set(`${permission.resource} ${permission.operation}`, permission);
  }
  return [...found.values()];
}

function callerOf({ store }: ServiceContext, token: string): Caller | undefined {
  const grant = store.accessTokens.get(secretId(token));
  const user = grant === undefined ? undefined : store.users.get(grant.userId);
  if (grant === undefined || user === undefined || user.anonymized) return undefined;
  const organization = user.organizationId === null ? undefined : store.organizations.get(user.organizationId);
  if (organization === undefined) return undefined;
  const known = store.roles.many(user.roleIds);
  const roles = user.roleIds.flatMap((id) => known.get(id) ?? []);
  return { user, organization, roles, permissions: permissionsOf(roles), tokenExpiresAt: grant.expiresAt };
}

export function callersOf(core: ServiceContext): Callers {
  const cached = new Map<string, Caller>();
  let version = '';
  return (headers) => {
    const token = /^Bearer +([^\s]+) *$/i.exec(headers.authorization ?? '')?.[1];
    if (token === undefined) throw missingToken(core.variants);
    const currentVersion = core.store.version();
    if (currentVersion !== version || cached.size > MAX_CACHED) {
      cached.clear();
      version = currentVersion;
    }
    const caller = cached.get(token) ?? callerOf(core, token);
    if (caller === undefined || (caller.tokenExpiresAt ?? Number.POSITIVE_INFINITY) <= core.now())
      throw invalidToken(core.variants);
    cached.set(token, caller);
    return caller;
  };
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
