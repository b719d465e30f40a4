/** Users (service-api-v1.md, "Users"). End users are in end-users.ts. */
import { isOwnOrOwned, mayManage, mayUse, organizationOfQuery, referenceTo } from '../access.js';
import type { Caller } from '../caller.js';
import { dayBefore, timestamp } from '../dates.js';
import { badField, forbidden, notFound, Refusal } from '../error-answer.js';
import type { Handlers } from '../handler-types.js';
import { newId } from '../identifiers.js';
import { differenceAbout } from '../import-overrides.js';
import type { ServiceContext } from '../service-context.js';
import type { Organization, User } from '../store/records.js';
import { createEndUser, requireEmail, requireFreeEmail, updateEndUser } from './end-users.js';
import { addUser, changeUser, forgetValues, modificationAnswer } from './modifications.js';
import { hasRole } from './organizations.js';
import { usersAnswer } from './people.js';

/** What an anonymized person is called. */
const NOBODY = { firstName: 'Anonymous', lastName: 'Anonymous' } as const;

function userAnswer(core: ServiceContext, user: User) {
  const [answer] = usersAnswer(core, [user]);
  return answer as NonNullable<typeof answer>;
}

/** Users and end users alike. */
function findPerson({ store }: ServiceContext, id: string): User {
  const user = store.users.get(id);
  if (user === undefined) throw notFound('user', id);
  return user;
}

/** End users are shown by no GET: for those endpoints they do not exist. */
function findUser(core: ServiceContext, id: string): User {
  const user = findPerson(core, id);
  if (user.kind !== 'user') throw notFound('user', id);
  return user;
}

function requireManageable(core: ServiceContext, caller: Caller, user: User): void {
  if (!mayManage(core, caller, user))
    throw forbidden(`the user ${user.id} is not of an organization that you may manage`);
}

/** "Only for users created by the caller's organization", said of the last login; ours for modifications as well. */
function requireCreator(caller: Caller, { id, creatorId }: User): void {
  if (creatorId !== caller.organization.id) throw forbidden(`the user ${id} was not created by your organization`);
}

/** The organization that a user shall belong to: own or owned, else 403; the type must be its type. */
function organizationFor(
  { store }: ServiceContext,
  caller: Caller,
  { id, type }: { readonly id: string; readonly type: string },
  unknown: () => Error,
): Organization {
  const organization = store.organizations.get(id);
  if (organization === undefined) throw unknown();
  if (!isOwnOrOwned(caller, organization))
    throw forbidden(`the organization ${id} is neither yours nor owned by yours`);
  if (organization.type !== type)
    throw badField('organization.type', `does not fit: the organization ${id} is a ${organization.type}`);
  return organization;
}

/** "A user can only receive roles of the user's own organization." Roles that the caller may not see are forbidden. */
function rolesFor(
  core: ServiceContext,
  caller: Caller,
  organization: Organization,
  ids: readonly string[],
): readonly string[] {
  const wanted = [...new Set(ids)];
  const known = core.store.roles.many(wanted);
  const strange = wanted.filter((id) => {
    const role = known.get(id);
    return role === undefined || !hasRole(core, organization.id, role);
  });
  for (const id of strange) {
    const role = known.get(id);
    if (role !== undefined && !mayUse(core, caller, role.organizationId)) {
      throw forbidden(`the role ${id} is of an organization that is neither yours nor owned by yours`);
    }
  }
  if (strange.length > 0)
    throw badField('roles', `contain IDs that organization ${organization.id} does not have: ${strange.join(', ')}`);
  return wanted;
}

export const users: Handlers<'users'> = {
  list: {
    pages: 'users',
    run({ core, caller, query, page }) {
      const organization = organizationOfQuery(core, caller, query);
      const { items, next } = core.store.users.page(
        { organizationId: organization.id, unlisted: null },
        page.after,
        page.limit,
      );
      return { items: usersAnswer(core, items), next };
    },
  },
  get: {
    run({ core, caller, params }) {
      const user = findUser(core, params.id);
      requireManageable(core, caller, user);
      const answer = userAnswer(core, user);
      // Callers learn here what their organization is, also where an export said nothing of it.
      return user.id === caller.user.id ? { ...answer, organization: referenceTo(caller.organization) } : answer;
    },
  },
  findByEmail: {
    // No access rule is shown, so every caller may ask. An address that is not verified is not yet that person's.
    run({ core, params }) {
      const user = core.store.users.first({ email: params.email });
      if (user === undefined || !user.verified) {
        throw new Refusal(404, `no user has the e-mail address ${JSON.stringify(params.email)}`);
      }
      const { userId } = core.variants;
      return userId === 'text' ? user.id : { [userId]: user.id };
    },
  },
  create: {
    needs: ['User', 'Create'],
    run({ core, caller, body }) {
      const unknown = (): Error =>
        badField('organization.id', `is unknown: no organization has the ID ${body.organization.id}`);
      const organization = organizationFor(core, caller, body.organization, unknown);
      requireEmail(body.email);
      requireFreeEmail(core, body.email);
      const user: User = {
        id: newId(core.random),
        kind: 'user',
        email: body.email,
        verified: true,
        firstName: body.firstName,
        lastName: body.lastName,
        language: body.language,
        avatarUrl: null,
        organizationId: organization.id,
        creatorId: caller.organization.id,
        roleIds: rolesFor(core, caller, organization, body.roles),
        anonymized: false,
      };
      addUser(core, caller, user);
      return userAnswer(core, user);
    },
  },
  createEndUser,
  update: {
    needs: ['User', 'Update'],
    run({ core, caller, params, body }) {
      const user = findUser(core, params.id);
      requireManageable(core, caller, user);
      // "404 when the user or the organization is not found."
      const unknown = (): Error => notFound('organization', body.organization.id);
      const organization = organizationFor(core, caller, body.organization, unknown);
      if (user.anonymized) throw new Refusal(400, `the user ${user.id} was anonymized`);
      const roleIds = rolesFor(core, caller, organization, body.roles);
      const { firstName, lastName } = body;
      const updated: User = { ...user, firstName, lastName, organizationId: organization.id, roleIds };
      changeUser(core, caller, user, updated);
      // Who moves to another organization has left the list of the old one.
      if (organization.id !== user.organizationId) core.store.noteRemoval('users');
      return userAnswer(core, updated);
    },
  },
  updateEndUser,
  anonymize: {
    needs: ['User', 'Delete'],
    // The person stays in lists, classes and licences, without a name, an address or a way in. Again: nothing more.
    run({ core, caller, params }) {
      const user = findPerson(core, params.id);
      requireManageable(core, caller, user);
      if (user.anonymized) return undefined;
      const email = user.kind === 'user' ? `${user.id}@anonymized.invalid` : null;
      const { shown, shownAsAccount, ...rest } = user;
      // What else an export showed of the person goes as well.
      const kept = differenceAbout(shown, ['language', 'organization', 'roles']);
      const nobody: User = { ...rest, ...NOBODY, email, avatarUrl: null, anonymized: true };
      changeUser(core, caller, user, kept === undefined ? nobody : { ...nobody, shown: kept });
      forgetValues(core, user.id);
      core.store.accessTokens.removeAll({ userId: user.id });
      core.store.logins.removeAll({ userId: user.id });
      return undefined;
    },
  },
  checkModified: {
    // "Covers only users created by the caller's organization." Default: yesterday.
    run({ core, caller, query }) {
      const day = query.dateToCheck ?? dayBefore(core.now());
      const found = core.store.modifications.all({ creatorId: caller.organization.id, day });
      return [...new Set(found.map(({ userId }) => userId))];
    },
  },
  modifications: {
    run({ core, caller, params, query }) {
      const user = findPerson(core, params.id);
      requireCreator(caller, user);
      const day = query.dateToCheck ?? dayBefore(core.now());
      return core.store.modifications.all({ userId: user.id, day }).map(modificationAnswer);
    },
  },
  lastLogin: {
    run({ core, caller, params }) {
      const user = findPerson(core, params.id);
      requireCreator(caller, user);
      const logins = core.store.logins.all({ userId: user.id });
      const last = (device?: 'iPad' | 'web'): string | null => {
        const times = logins.filter((login) => device === undefined || login.device === device).map(({ at }) => at);
        return times.length === 0 ? null : timestamp(Math.max(...times));
      };
      // "iPad, web, overall"; the shape is not shown.
      return { iPad: last('iPad'), web: last('web'), overall: last() };
    },
  },
};
