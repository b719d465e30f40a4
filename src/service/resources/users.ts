/** Users and end users (service-api-v1.md, "Users"). */
import {
  type Caller,
  organizationOfQuery,
  organizationToCreateFor,
  referenceTo,
  requireInSight,
  requireManageable,
} from '../access.js';
import { dayBefore, timestamp } from '../dates.js';
import { badField, forbidden, notFound, Refusal, requireFound } from '../error-answer.js';
import type { Handlers } from '../handler-types.js';
import type { ServiceContext } from '../service-context.js';
import type { Organization, User } from '../store/records.js';
import { addUser, changeUser, eraseModifiedValues, modificationAnswer } from './modifications.js';
import { only, personOf, usersAnswer } from './person-answers.js';

/** Addresses must be unique, because users are looked up by address. The API document has no such rule. */
function requireFreeEmail({ store }: ServiceContext, email: string, ownId?: string): void {
  const other = store.users.first({ email });
  if (other !== undefined && other.id !== ownId) throw badField('email', `belongs to another user: ${email}`);
}

const ANONYMOUS = { firstName: 'Anonymous', lastName: 'Anonymous' } as const;

const userAnswer = (core: ServiceContext, user: User) => only(usersAnswer(core, [user]));

const findPerson = ({ store }: ServiceContext, id: string): User => requireFound(store.users.get(id), 'user', id);

/** No GET endpoint returns end users, so for these endpoints they do not exist. */
function findUser(core: ServiceContext, id: string): User {
  const user = findPerson(core, id);
  if (user.kind !== 'user') throw notFound('user', id);
  return user;
}

/** "Only for users created by the caller's organization": stated for the last login, used for modifications too. */
function findCreated(core: ServiceContext, caller: Caller, id: string): User {
  const user = findPerson(core, id);
  if (user.creatorId !== caller.organization.id) throw forbidden(`the user ${id} was not created by your organization`);
  return user;
}

/** "A user can only receive roles of the user's own organization": 400, or 403 for a role the caller may not see. */
function rolesFor(
  core: ServiceContext,
  caller: Caller,
  organization: Organization,
  ids: readonly string[],
): readonly string[] {
  const wanted = [...new Set(ids)];
  const known = core.store.roles.many(wanted);
  for (const role of known.values()) requireInSight(core, caller, 'role', role);
  const foreign = wanted.filter((id) => known.get(id)?.organizationId !== organization.id);
  if (foreign.length > 0)
    throw badField('roles', `contain IDs that organization ${organization.id} does not have: ${foreign.join(', ')}`);
  return wanted;
}

export const users: Handlers<'users'> = {
  list: {
    run({ core, caller, query, page }) {
      const organization = organizationOfQuery(core, caller, query);
      const where = { organizationId: organization.id, unlisted: null };
      const found = core.store.users.page(where, page.after, page.limit);
      return { ...found, items: usersAnswer(core, found.items) };
    },
  },
  get: {
    run({ core, caller, params }) {
      const user = findUser(core, params.id);
      requireManageable(core, caller, user);
      const answer = userAnswer(core, user);
      // `edu` reads the caller's organization here, so an imported user that has none gets it too.
      return user.id === caller.user.id ? { ...answer, organization: referenceTo(caller.organization) } : answer;
    },
  },
  findByEmail: {
    // The API document shows no access rule, so every caller may search. Unverified addresses are not found.
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
      const organization = organizationToCreateFor(core, caller, body.organization);
      requireFreeEmail(core, body.email);
      const { email, firstName, lastName, language, roles } = body;
      const roleIds = rolesFor(core, caller, organization, roles);
      const name = { firstName, lastName, language };
      const state = { kind: 'user', verified: true, organizationId: organization.id, roleIds } as const;
      return userAnswer(core, addUser(core, caller, { email, ...name, ...state }));
    },
  },
  createEndUser: {
    needs: ['User', 'Create'],
    run({ core, caller, body: { firstName, lastName, email, language } }) {
      requireFreeEmail(core, email);
      const name = { firstName, lastName, language };
      const state = { kind: 'endUser', verified: false, organizationId: null, roleIds: [] } as const;
      return personOf(addUser(core, caller, { email, ...name, ...state }));
    },
  },
  update: {
    needs: ['User', 'Update'],
    run({ core, caller, params, body }) {
      const user = findUser(core, params.id);
      requireManageable(core, caller, user);
      // "404 when the user or the organization is not found."
      requireFound(core.store.organizations.get(body.organization.id), 'organization', body.organization.id);
      const organization = organizationToCreateFor(core, caller, body.organization);
      if (user.anonymized) throw new Refusal(400, `the user ${user.id} was anonymized`);
      const roleIds = rolesFor(core, caller, organization, body.roles);
      const { firstName, lastName } = body;
      const updated: User = { ...user, firstName, lastName, organizationId: organization.id, roleIds };
      changeUser(core, caller, user, updated);
      return userAnswer(core, updated);
    },
  },
  updateEndUser: {
    needs: ['User', 'Update'],
    run({ core, caller, params, body }) {
      const user = requireFound(core.store.users.get(params.id), 'end user', params.id);
      if (user.kind !== 'endUser') throw notFound('end user', user.id);
      requireManageable(core, caller, user);
      if (user.anonymized) throw badField('id', `is the ID of an anonymized end user: ${user.id}`);
      const { firstName, lastName, email = user.email } = body;
      if (email !== null) requireFreeEmail(core, email, user.id);
      // A new address is unverified.
      const updated: User = { ...user, firstName, lastName, email, verified: user.verified && email === user.email };
      changeUser(core, caller, user, updated);
      return { ...personOf(updated), avatarUrl: updated.avatarUrl };
    },
  },
  anonymize: {
    needs: ['User', 'Delete'],
    // The user stays in lists, classes and licences, without name, address and tokens. A second time changes nothing.
    run({ core, caller, params }) {
      const user = findPerson(core, params.id);
      requireManageable(core, caller, user);
      if (user.anonymized) return undefined;
      const email = user.kind === 'user' ? `${user.id}@anonymized.invalid` : null;
      // Imported values could identify the person.
      const { shown, shownAsAccount, ...rest } = user;
      changeUser(core, caller, user, { ...rest, ...ANONYMOUS, email, avatarUrl: null, anonymized: true });
      eraseModifiedValues(core, user.id);
      core.store.accessTokens.removeAll({ userId: user.id });
      core.store.logins.removeAll({ userId: user.id });
      return undefined;
    },
  },
  checkModified: {
    // "Covers only users created by the caller's organization."
    run({ core, caller, query }) {
      const day = query.dateToCheck ?? dayBefore(core.now());
      const found = core.store.modifications.all({ creatorId: caller.organization.id, day });
      return [...new Set(found.map(({ userId }) => userId))];
    },
  },
  modifications: {
    run({ core, caller, params, query }) {
      const user = findCreated(core, caller, params.id);
      const day = query.dateToCheck ?? dayBefore(core.now());
      return core.store.modifications.all({ userId: user.id, day }).map(modificationAnswer);
    },
  },
  lastLogin: {
    run({ core, caller, params }) {
      const user = findCreated(core, caller, params.id);
      const logins = core.store.logins.all({ userId: user.id });
      const last = (device?: 'iPad' | 'web'): string | null => {
        const times = logins.filter((login) => device === undefined || login.device === device).map(({ at }) => at);
        return times.length === 0 ? null : timestamp(Math.max(...times));
      };
      // The API document names the three values but not the shape.
      return { iPad: last('iPad'), web: last('web'), overall: last() };
    },
  },
};
