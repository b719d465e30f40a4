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
  /** The union of the roles' permissions, without repetitions. */
  readonly permissions: readonly Permission[];
  /** Milliseconds since the epoch, null: never. */
  readonly tokenExpiresAt: number | null;
}

/** Finds the caller of a request, inside a transaction. Remembers callers as long as the data does not change. */
export type Callers = (headers: Headers) => Caller;

/** More tokens than any test uses at once. */
const MOST_REMEMBERED = 1000;

const invalidToken = ({ badTokenStatus }: Variants): Refusal =>
  new Refusal(badTokenStatus, 'the access token is not or no longer valid');

/** "Requests that need authentication and lack it are answered with 403." */
const lacking = ({ noTokenStatus }: Variants): Refusal =>
  new Refusal(noTokenStatus, 'this needs an access token: Authorization: Bearer <ACCESS_TOKEN>');

/** The permissions of several roles, without repetitions. */
export function union(roles: readonly Role[]): Permission[] {
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
  return { user, organization, roles, permissions: union(roles), tokenExpiresAt: grant.expiresAt };
}

export function callersOf(core: ServiceContext): Callers {
  const remembered = new Map<string, Caller>();
  let version = '';
  return (headers) => {
    const token = /^Bearer +([^\s]+) *$/i.exec(headers.authorization ?? '')?.[1];
    if (token === undefined) throw lacking(core.variants);
    const now = core.store.version();
    if (now !== version || remembered.size > MOST_REMEMBERED) {
      remembered.clear();
      version = now;
    }
    const caller = remembered.get(token) ?? callerOf(core, token);
    if (caller === undefined || (caller.tokenExpiresAt ?? Number.POSITIVE_INFINITY) <= core.now())
      throw invalidToken(core.variants);
    remembered.set(token, caller);
    return caller;
  };
}

/** Ends the request with 403 unless the caller's roles permit it. */
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
