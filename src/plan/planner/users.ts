/** Plans users, their names, roles and organizations. */
import { nameForm } from '../../client/references/spelling.js';
import { fold } from '../../core/fold.js';
import { isObject } from '../../core/json.js';
import { getOrSet } from '../../core/maps.js';
import { type Actual, type ActualUser, type Named, stateOf, unlistedIn } from '../actual.js';
import { isEqual } from '../items.js';
import type { Fields, Ref, Step, Untouched } from '../steps.js';
import type { Want, WantedUser } from '../want.js';
import type { Draft } from './draft.js';
import { ambiguous, assignable, findRole, idIn, idOf, type KnownOrganization, notTheSame } from './want-references.js';

/** A role, without an ID if its organization does not exist yet. */
type Role = Partial<Pick<Named, 'id'>> & Pick<Named, 'name'>;

const organizationField = ({ ref, type }: KnownOrganization): Fields => ({ id: ref, type });

/** Roles of an organization by name or ID. The service creates those of a new one, so their IDs are unknown until then. */
function rolesOf(texts: readonly string[], roles: readonly Named[] | undefined, at: string, draft: Draft) {
  if (roles === undefined) return texts.map((name): Role => ({ name }));
  return texts.flatMap((text): Role | readonly Role[] => draft.found(at, findRole(text, roles)) ?? []);
}

/** Roles as a request contains them, each once: by ID, or by name until the organization exists. */
const sent = (roles: readonly Role[]): readonly unknown[] =>
  [...new Map(roles.map(({ id, name }) => [id ?? name, id ?? { name }]))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, role]) => role);

/** Finds the user of a row by ID or e-mail address. @returns undefined if there is none, a message for an error */
function present({ id, email = '', isMapped }: WantedUser, { lookup }: Draft): ActualUser | string | undefined {
  const found = lookup.usersWith(email);
  if (id !== undefined) {
    const [other] = isMapped ? [] : found;
    if (other !== undefined && found.every((one) => one.id !== id)) return notTheSame('user', id, email, other.id);
    const unknown = `no user with the ID ${id} is in the organizations that were read`;
    return lookup.users.get(id) ?? unknown + unlistedIn(lookup.actual, 'users');
  }
  return found.length < 2 ? found[0] : ambiguous(found, `users have the address ${email}`);
}

function create(wanted: WantedUser, target: KnownOrganization, draft: Draft): undefined {
  const { lookup } = draft;
  const { at, email = '', firstName, lastName } = wanted;
  const language = wanted.language ?? lookup.actual.language;
  const id = lookup.actual.elsewhere.get(email);
  // Any other unknown text may be the ID of an end user.
  if (id !== undefined && id !== email) {
    const why = 'the address belongs to a user outside of your organizations';
    return draft.conflict({ resource: 'users', key: email, id, of: target.ref, why });
  }
  if (wanted.knownOnly) {
    const why = 'does not exist, and the roster has no first and last name to create it';
    return draft.conflict({ resource: 'users', key: email, of: target.ref, why });
  }
  if (draft.lacks(at, email, { firstName, lastName })) return;
  const roles = sent(rolesOf(wanted.roles ?? [], target.roles, at, draft));
  const after = { firstName, lastName, email, language, organization: organizationField(target), roles };
  lookup.addUser(email, draft.add({ verb: 'create', resource: 'users', after }));
}

function wantedRoles(
  { at, roles, managedRoles = [] }: WantedUser,
  user: ActualUser,
  target: KnownOrganization,
  isMoved: boolean,
  draft: Draft,
): readonly Role[] {
  const kept: readonly Role[] = isMoved
    ? user.roles.flatMap(({ name }) => (target.roles ?? [{ name }]).filter((role) => role.name === name))
    : user.roles;
  if (roles === undefined) return kept;
  const known = isMoved ? target.roles : target.roles && assignable(user.roles, target.roles);
  const asked = rolesOf(roles, known, at, draft);
  const mayGo = ({ id = '', name }: Role): boolean =>
    draft.options.prune.has('roles') || managedRoles.includes(id) || managedRoles.includes(name);
  const has = (list: readonly Role[], role: Role): boolean =>
    list.some((one) => (one.id === undefined ? nameForm(one.name) === nameForm(role.name) : one.id === role.id));
  const staying = kept.filter((role) => has(asked, role) || !mayGo(role));
  return [...staying, ...asked.filter((role) => !has(staying, role))];
}

function update(wanted: WantedUser, user: ActualUser, target: KnownOrganization | undefined, draft: Draft): undefined {
  const { id, type } = user.organization;
  const current = draft.lookup.organizations.get(id) ?? { ref: id, type, name: '', roles: user.roles };
  const organization = target ?? current;
  const isMoved = organization.ref !== id;
  addConflicts(wanted, user, current.ref, draft);
  const roles = sent(wantedRoles(wanted, user, organization, isMoved, draft));
  const before = { ...stateOf('users', user), roles: sent(user.roles) };
  const { firstName = user.firstName, lastName = user.lastName } = wanted;
  const after: Fields = { firstName, lastName, organization: organizationField(organization), roles };
  if (isEqual(before, after)) return;
  const key = user.email ?? user.id;
  draft.update({ resource: 'users', key, id: user.id, of: current.ref, before, after });
}

/** Adds conflicts for fields that the service cannot change. */
function addConflicts({ email, language }: WantedUser, user: ActualUser, of: Ref, draft: Draft): void {
  const { id } = user;
  const key = email === undefined || user.email === email ? (user.email ?? id) : id;
  for (const [what, before, after] of [
    ['e-mail', user.email ?? 'none', email],
    ['language', user.language, language],
  ] as const) {
    if (after === undefined || after.toLowerCase() === before.trim().toLowerCase()) continue;
    const why = `${what} ${before} → ${after}: the service cannot change it`;
    draft.conflict({ resource: 'users', key, id, of, why });
  }
}

function planOne(wanted: WantedUser, draft: Draft): undefined {
  const { lookup, options } = draft;
  const { at } = wanted;
  const user = present(wanted, draft);
  if (typeof user === 'string') return draft.fault(at, user);
  const named = wanted.organization === undefined ? undefined : lookup.organization(wanted.organization);
  if (typeof named === 'string') return draft.fault(at, named);
  const owner = named ?? (user && lookup.organizations.get(user.organization.id));
  // A leaver is not changed, and one without an account does not get one.
  if (wanted.leaves) return;
  if (user !== undefined && draft.repeats(at, 'users', user.id)) return;
  draft.check('users', wanted, user, owner?.roles && assignable(user?.roles ?? [], owner.roles));
  if (user !== undefined) return update(wanted, user, named, draft);
  const target = draft.found(at, named ?? lookup.organization(options.organization.id));
  if (target !== undefined) create(wanted, target, draft);
}

export function planUsers({ users }: Want, draft: Draft): void {
  for (const wanted of users) planOne(wanted, draft);
}

/**
 * @returns IDs of users who leave all their classes (`gone`): marked leavers, and users of complete organizations, who are
 *   not wanted; of those who are not removed from any (`untouched`); of wanted ones without leavers (`staying`), and all
 *   by the organization that the wanted state gives them; and of complete organizations
 */
export function leavers({ users }: Pick<Want, 'users'>, draft: Draft) {
  const { lookup, options } = draft;
  const left = new Set<string>();
  const staying = new Set<string>();
  const wantedUsers = new Map<string | undefined, Set<string>>();
  for (const { id, email, leaves, organization = options.organization.id } of users) {
    const found = idOf(lookup.person(id ?? email ?? ''));
    if (found === undefined) continue;
    (leaves ? left : staying).add(found);
    getOrSet(wantedUsers, idIn(lookup.organization(organization)), () => new Set()).add(found);
  }
  const untouched = untouchedUsers(new Set([...left, ...staying]), draft);
  const organizations = new Set(options.complete.map((text) => idIn(lookup.organization(text))));
  for (const { id, organization } of lookup.actual.users)
    if (organizations.has(organization.id) && !staying.has(id)) left.add(id);
  // Another system may replace a record by one with a new ID, and mark the old one for deletion.
  for (const id of [...untouched, ...staying]) left.delete(id);
  return { gone: left, untouched, staying, organizations, wantedUsers };
}

const personKey = (organization: unknown, firstName: unknown, lastName: unknown): string =>
  JSON.stringify([organization, fold(String(firstName)), fold(String(lastName))]);

/**
 * New users with the name of a user of their organization whom the wanted state does not know: a changed address would
 * give that person a second account.
 */
export function namesakes({ users }: Pick<Want, 'users'>, steps: readonly Step[], actual: Actual, known?: Untouched) {
  const texts = [...users.flatMap(({ id, email }) => [id, email]), ...(known?.users ?? [])];
  const taken = new Set(texts.map((one) => nameForm(one ?? '')));
  const free = actual.users.filter(
    ({ id, email }) => !taken.has(nameForm(id)) && !(email && taken.has(nameForm(email))),
  );
  const byName = new Map(free.map((one) => [personKey(one.organization.id, one.firstName, one.lastName), one]));
  return steps.flatMap(({ verb, resource, after }) => {
    if (verb !== 'create' || resource !== 'users' || !isObject(after?.organization)) return [];
    const user = byName.get(personKey(after.organization.id, after.firstName, after.lastName));
    return user === undefined ? [] : [{ email: String(after.email), user }];
  });
}

/** IDs of users who stay in their classes. @param named IDs of those in the wanted state */
function untouchedUsers(named: ReadonlySet<string>, { lookup, options }: Draft): ReadonlySet<string> {
  const { untouched } = options;
  const found = new Set(untouched?.users.flatMap((text) => idOf(lookup.person(text)) ?? []));
  if (untouched === undefined || untouched.people.length === 0) return found;
  const names = new Set(
    untouched.people.map(({ organization, firstName, lastName }) => {
      const known = organization === undefined ? '' : lookup.organization(organization);
      return personKey(typeof known === 'string' ? undefined : known.id, firstName, lastName);
    }),
  );
  for (const { id, organization, firstName, lastName } of lookup.actual.users)
    if (!named.has(id) && [organization.id, undefined].some((of) => names.has(personKey(of, firstName, lastName))))
      found.add(id);
  return found;
}
