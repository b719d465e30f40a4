/** Users and end users in responses, and the rules for assigning to them. */
import { type Caller, referenceIn, requireManageable } from '../access.js';
import { badField, requireNamed } from '../error-answer.js';
import { asShown, blankIsNull } from '../import-overrides.js';
import type { ServiceContext, StoreContext } from '../service-context.js';
import type { Role, User } from '../store/records.js';

/** The first of the answers, for functions that make those of several items. */
export const only = <A>(answers: readonly A[]): A => answers[0] as A;

/** "Outside the role listing, roles appear as `{id, name}`." */
export const roleReferences = (roles: readonly Role[]): { id: string; name: string }[] =>
  roles.map(({ id, name }) => ({ id, name: blankIsNull(name) }));

/** The fields that the responses of account and users share. */
export const personFields = ({ id, email, firstName, lastName }: User) => ({
  id,
  email: blankIsNull(email),
  firstName: blankIsNull(firstName),
  lastName: blankIsNull(lastName),
});

export type Person = ReturnType<typeof personOf>;

/** A user in responses of assign endpoints, and in a licence's `endUsers`, of which a page has many: no spread. */
export const personOf = ({ id, email, verified, firstName, lastName, language }: User) => ({
  id,
  // "`email` is null until the user is verified." Users of organizations are verified from the start.
  email: verified ? email : null,
  firstName: blankIsNull(firstName),
  lastName: blankIsNull(lastName),
  language,
});

/** Looks up each organization and role once. */
export function usersAnswer({ store }: StoreContext, users: readonly User[]) {
  const organizations = store.organizations.many(users.map((user) => user.organizationId ?? ''));
  const roles = store.roles.many(users.flatMap((user) => user.roleIds));
  return users.map((user) => {
    const answer = {
      ...personFields(user),
      language: user.language,
      avatarUrl: user.avatarUrl,
      organization: referenceIn(organizations, user.organizationId ?? ''),
      roles: roleReferences(user.roleIds.flatMap((id) => roles.get(id) ?? [])),
    };
    return asShown(answer, user.shown);
  });
}

/** @throws Refusal 400 when the user is unknown or anonymized, 403 when the caller may not manage it */
export function personToAssign(core: ServiceContext, caller: Caller, userId: string): User {
  const user = requireNamed(core.store.users.get(userId), 'userId', 'user', userId);
  requireManageable(core, caller, user);
  if (user.anonymized) throw badField('userId', `is the ID of an anonymized user: ${userId}`);
  return user;
}
