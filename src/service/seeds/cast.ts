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
import { secretId } from '../identifiers.js';
import { defaultRoles } from '../permissions.js';
import { type PersonaName, personaToken } from '../personas.js';
import type { Organization, PersonaRecord, Role, User } from '../store/records.js';
import type { Store } from '../store/store.js';
import cast from './cast.json' with { type: 'json' };

export const CLIENT_ID = 'edu-offline';
/** A suspended application, for trying out a rejected login. */
const SUSPENDED_CLIENT_ID = 'edu-suspended';
/** Public, because it only gives access to sample data. Contains characters that clients must encode. */
export const CLIENT_SECRET = 'practice+secret&100%=safe';
/** The default callback of `edu auth login`. */
export const CALLBACK_URL = 'http://127.0.0.1:8976/callback';

const APPLICATION = { id: CLIENT_ID, secret: CLIENT_SECRET, name: 'edu', callbackUrl: CALLBACK_URL, suspended: false };

export const ORGANIZATIONS = cast.organizations as readonly Organization[];

export const OUR_SCHOOLS: readonly string[] = ['s1', 's2', 's3', 's4', 's5'];

export const ROLES: readonly Role[] = ORGANIZATIONS.flatMap(({ id: organizationId, type }) =>
  defaultRoles(type).map((role) => ({ id: `${organizationId}-${role.name.toLowerCase()}`, organizationId, ...role })),
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

/** Adds the personas with their tokens, and the bundled application. @param now milliseconds since 1970 */
export function addPersonas(store: Store, personas: readonly PersonaRecord[], now: number): void {
  store.personas.insertMany(personas);
  for (const { id, userId } of personas) {
    const token = secretId(personaToken(id as PersonaName));
    store.accessTokens.insert({ id: token, userId, clientId: null, createdAt: now, expiresAt: null });
  }
  store.oauthClients.insert(APPLICATION);
}

/** @param now milliseconds since 1970 */
export function addCast(store: Store, now: number): void {
  store.organizations.insertMany(ORGANIZATIONS);
  store.roles.insertMany(ROLES);
  const users = [...cast.personas.map(({ user }) => user), ...cast.unseenUsers];
  store.users.insertMany((users as Parameters<typeof sampleUser>[0][]).map(sampleUser));
  const personas = cast.personas.map(({ persona: id, user, about }) => ({ id, userId: user.id, about }));
  addPersonas(store, personas, now);
  store.oauthClients.insert({ ...APPLICATION, id: SUSPENDED_CLIENT_ID, name: 'old', suspended: true });
}
