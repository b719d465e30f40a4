/**
 * The common items of every seed: organizations, their roles, personas, the registered applications. Ids are short and
 * never change, so that examples in the documentation can use them:
 *
 *   d1 distributor · p1 p2 p3 its publishers · s1 … s5 its schools · d2 p9 s9 organizations it has no access to
 *   u1 distributor · u2 publisher · u3 school · u4 viewer: the users behind the personas
 *   d1-administrator, s1-viewer, …: roles, by organization
 *
 * The demo and large seeds add: B1 … B60 books (B91 … B93 of p9) · 00000001 … 00000250 licences, the first ones with the
 * codes welcome1, 0012345 and 007 (taken01 is a code of d2) · r1 … readers · sub1 … subscriptions · c1 … classes.
 */
import { defaultRoles } from '../permissions.js';
import { type PersonaName, personaToken } from '../personas.js';
import type { Organization, Role, User } from '../store/records.js';
import { type Store, secretId } from '../store/store.js';
import cast from './cast.json' with { type: 'json' };

export const CLIENT_ID = 'edu-offline';
/** A suspended application, for trying out a rejected login. */
export const SUSPENDED_CLIENT_ID = 'edu-suspended';
/** Public, because it only gives access to sample data. Contains characters that clients must encode. */
export const CLIENT_SECRET = 'practice+secret&100%=safe';
/** The default callback of `edu auth login`. */
export const CALLBACK_URL = 'http://127.0.0.1:8976/callback';

export const ORGANIZATIONS = cast.organizations as readonly Organization[];

export const OUR_SCHOOLS: readonly string[] = ['s1', 's2', 's3', 's4', 's5'];

const roleId = (organizationId: string, name: string): string => `${organizationId}-${name.toLowerCase()}`;

export const ROLES: readonly Role[] = ORGANIZATIONS.flatMap(({ id, type }) =>
  defaultRoles(type).map(({ name, permissions }) => ({ id: roleId(id, name), organizationId: id, name, permissions })),
);

/** Adds the values that most sample users share. */
export const sampleUser = (
  user: Pick<User, 'id' | 'email' | 'firstName' | 'lastName' | 'organizationId'> & Partial<User>,
): User => ({
  kind: 'user',
  verified: true,
  language: 'EN',
  avatarUrl: null,
  creatorId: 'd1',
  roleIds: [],
  anonymized: false,
  ...user,
});

const PERSONAS = cast.personas.map(({ persona, about, user }) => ({
  persona: persona as PersonaName,
  about,
  user: sampleUser(user),
}));

/** Administrators of organizations that the personas cannot see. */
const UNSEEN_USERS = (cast.unseenUsers as readonly Parameters<typeof sampleUser>[0][]).map(sampleUser);

/** @param now milliseconds since 1970 */
export function addCast(store: Store, now: number): void {
  store.organizations.insertMany(ORGANIZATIONS);
  store.roles.insertMany(ROLES);
  store.users.insertMany([...PERSONAS.map(({ user }) => user), ...UNSEEN_USERS]);
  store.personas.insertMany(PERSONAS.map(({ persona: id, user, about }) => ({ id, userId: user.id, about })));
  store.accessTokens.insertMany(
    PERSONAS.map(({ persona: name, user }) => ({
      id: secretId(personaToken(name)),
      userId: user.id,
      clientId: null,
      createdAt: now,
      expiresAt: null,
    })),
  );
  const client = { id: CLIENT_ID, secret: CLIENT_SECRET, name: 'edu', callbackUrl: CALLBACK_URL, suspended: false };
  store.oauthClients.insertMany([client, { ...client, id: SUSPENDED_CLIENT_ID, name: 'old', suspended: true }]);
}
