/** Users and end users in responses, and the rules for assigning to them. */
import type { Language } from '../../contract/shared.js';
import { mayManage, referenceIn } from '../access.js';
import type { Caller } from '../caller.js';
import { badField, forbidden } from '../error-answer.js';
import { asShown, blankIsNull } from '../import-overrides.js';
import type { ServiceContext } from '../service-context.js';
import type { Role, User } from '../store/records.js';

/** "Outside the role listing, roles appear as `{id, name}`." */
export const roleReferences = (roles: readonly Role[]): { id: string; name: string }[] =>
  roles.map(({ id, name }) => ({ id, name: blankIsNull(name) }));

/** "`email` is null until the user is verified." Users of organizations are verified from the start. */
export const shownEmail = ({ email, verified }: User): string | null => (verified ? email : null);

/** A person in the answers of assign endpoints, and in a licence's `endUsers` where the language is shown. */
// A type alias: answers have an index signature in places, which interfaces do not fit.
export type Person = {
  id: string;
  email: string | null;
  firstName: string;
  lastName: string;
  language: Language;
};

export const personOf = (user: User): Person => ({
  id: user.id,
  email: shownEmail(user),
  firstName: blankIsNull(user.firstName),
  lastName: blankIsNull(user.lastName),
  language: user.language,
});

/** Users of one page share organizations and roles: each is looked up once. */
export function usersAnswer({ store }: Pick<ServiceContext, 'store'>, users: readonly User[]) {
  const organizations = store.organizations.many([...new Set(users.map((user) => user.organizationId ?? ''))]);
  const roles = store.roles.many([...new Set(users.flatMap((user) => user.roleIds))]);
  return users.map((user) => {
    const answer = {
      id: user.id,
      email: blankIsNull(user.email),
      firstName: blankIsNull(user.firstName),
      lastName: blankIsNull(user.lastName),
      language: user.language,
      avatarUrl: user.avatarUrl,
      organization: referenceIn(organizations, user.organizationId ?? ''),
      roles: roleReferences(user.roleIds.flatMap((id) => roles.get(id) ?? [])),
    };
    return asShown(answer, user.shown);
  });
}

/**
 * The person that a body names in `userId`. Unknown: invalid input (400). Of another organization: 403.
 * Someone anonymized can't be given anything: 400.
 */
export function personToAssign(core: ServiceContext, caller: Caller, userId: string): User {
  const user = core.store.users.get(userId);
  if (user === undefined) throw badField('userId', `is unknown: no user has the ID ${userId}`);
  if (!mayManage(core, caller, user))
    throw forbidden(`the user ${userId} is not of an organization that you may manage`);
  if (user.anonymized) throw badField('userId', `is the ID of an anonymized user: ${userId}`);
  return user;
}
