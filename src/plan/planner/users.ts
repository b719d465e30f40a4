/** Plans users, their names, roles and organizations. */
import type { ActualUser, Named } from '../actual.js';
import { type Draft, type Fields, neededBy, type PlanOptions, type Ref, type Section } from '../steps.js';
import type { Want, WantedUser } from '../want.js';
import { findNamed, type KnownOrganization, type Lookup, sectionOf } from './lookup.js';

interface Planning {
  readonly lookup: Lookup;
  readonly draft: Draft;
  readonly options: PlanOptions;
}

/** A role, without an ID if its organization does not exist yet. */
type Role = Partial<Pick<Named, 'id'>> & Pick<Named, 'name'>;

const organizationField = ({ ref, type }: KnownOrganization): Fields => ({ ...ref, type });

/** Finds roles of an organization by name or ID. */
function rolesOf(texts: readonly string[], { roles }: KnownOrganization, at: string, draft: Draft): readonly Role[] {
  return texts.flatMap((text): readonly Role[] => {
    // The service creates the roles of a new organization, so their IDs are unknown until then.
    if (roles === undefined) return [{ name: text }];
    const role = findNamed(text, roles, 'role');
    if (typeof role !== 'string') return [{ id: role.id, name: role.name }];
    draft.fault(at, role);
    return [];
  });
}

const sorted = (roles: readonly Role[]): readonly Role[] =>
  [...roles].sort((a, b) => ((a.id ?? a.name) < (b.id ?? b.name) ? -1 : 1));

/** Finds the user of a row by ID or e-mail address. @returns undefined if there is none, a message for an error */
function present(wanted: WantedUser, { lookup }: Planning): ActualUser | string | undefined {
  const { id, email = '' } = wanted;
  if (id !== undefined) return lookup.user(id) ?? `no user with the ID ${id} is in the organizations that were read`;
  const found = lookup.userByEmail(email);
  const [first, ...others] = found;
  if (others.length === 0) return first;
  return `${found.length} users have the address ${email}: add a column id (${found.map((one) => one.id).join(', ')})`;
}

function create(wanted: WantedUser, target: KnownOrganization, { lookup, draft }: Planning): void {
  const { at, email = '', firstName, lastName, language = lookup.actual.language } = wanted;
  const section = sectionOf(target);
  const id = lookup.actual.elsewhere.get(email.toLowerCase());
  if (id !== undefined) {
    const why = 'the address belongs to a user outside of your organizations';
    draft.conflict({ resource: 'users', key: email, id, section, why });
    return;
  }
  const missing = Object.entries({ firstName, lastName }).flatMap(([name, value]) =>
    value === undefined ? [name] : [],
  );
  if (missing.length > 0) {
    draft.fault(at, `${email} does not exist, and to create the user ${missing.join(' and ')} must be given`);
    return;
  }
  const roles = sorted(rolesOf(wanted.roles ?? [], target, at, draft));
  const after = { firstName, lastName, email, language, organization: organizationField(target), roles };
  const ref = draft.add({
    verb: 'create',
    resource: 'users',
    key: email,
    section,
    before: null,
    after,
    needs: neededBy(target.ref),
    reversible: false,
    mails: true,
  });
  lookup.addUser(email, ref);
}

/** The roles of a user after the update. */
function wantedRoles(
  wanted: WantedUser,
  user: ActualUser,
  target: KnownOrganization,
  isMoved: boolean,
  { draft, options }: Planning,
): readonly Role[] {
  const { at, roles, managedRoles } = wanted;
  const kept: readonly Role[] = isMoved
    ? user.roles.flatMap(({ name }) => (target.roles ?? []).filter((role) => role.name === name))
    : user.roles;
  if (roles === undefined) return kept;
  // A user may have roles that are not in the organization's list.
  const known =
    isMoved || target.roles === undefined
      ? target
      : {
          ...target,
          roles: [...user.roles, ...target.roles.filter(({ id }) => !user.roles.some((role) => role.id === id))],
        };
  const asked = rolesOf(roles, known, at, draft);
  const mayGo = (role: Role): boolean =>
    options.prune.has('roles') || (managedRoles ?? []).some((text) => text === role.id || text === role.name);
  const has = (list: readonly Role[], role: Role): boolean =>
    list.some((one) => (one.id === undefined ? one.name === role.name : one.id === role.id));
  const staying = kept.filter((role) => has(asked, role) || !mayGo(role));
  return [...staying, ...asked.filter((role) => !has(staying, role))];
}

function update(wanted: WantedUser, user: ActualUser, target: KnownOrganization | undefined, planning: Planning): void {
  const { lookup, draft } = planning;
  const current = lookup.organizationById(user.organization.id);
  const organization = target ??
    current ?? { ref: { id: user.organization.id }, type: user.organization.type, name: '', roles: user.roles };
  const isMoved = !('id' in organization.ref) || organization.ref.id !== user.organization.id;
  const section = sectionOf(current ?? organization);
  const key = user.email ?? user.id;
  addConflicts(wanted, user, section, draft);
  const roles = sorted(wantedRoles(wanted, user, organization, isMoved, planning));
  const before: Fields = {
    firstName: user.firstName,
    lastName: user.lastName,
    organization: user.organization,
    roles: sorted(user.roles),
  };
  const after: Fields = {
    firstName: wanted.firstName ?? user.firstName,
    lastName: wanted.lastName ?? user.lastName,
    organization: organizationField(organization),
    roles,
  };
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  const lost = isMoved ? user.roles.filter(({ name }) => !roles.some((role) => role.name === name)) : [];
  draft.add({
    verb: 'update',
    resource: 'users',
    key,
    id: user.id,
    section,
    before,
    after,
    needs: neededBy(organization.ref),
    reversible: true,
    ...(lost.length === 0
      ? {}
      : { why: `loses ${lost.map(({ name }) => name).join(', ')}, which the new organization does not have` }),
  });
}

/** Adds conflicts for fields that the service cannot change. */
function addConflicts({ email, language }: WantedUser, user: ActualUser, section: Section, draft: Draft): void {
  const conflict = (why: string): void =>
    draft.conflict({
      resource: 'users',
      key: email === undefined || user.email === email ? (user.email ?? user.id) : user.id,
      id: user.id,
      section,
      why,
    });
  if (email !== undefined && email.toLowerCase() !== (user.email ?? '').toLowerCase())
    conflict(`e-mail ${user.email ?? 'none'} → ${email}: the service cannot change it`);
  if (language !== undefined && language.toUpperCase() !== (user.language ?? '').toUpperCase())
    conflict(`language ${user.language} → ${language}: the service cannot change it`);
}

function planOne(wanted: WantedUser, planning: Planning): void {
  const { lookup, draft, options } = planning;
  const user = present(wanted, planning);
  if (typeof user === 'string') {
    draft.fault(wanted.at, user);
    return;
  }
  const named = wanted.organization === undefined ? undefined : lookup.organization(wanted.organization);
  if (typeof named === 'string') {
    draft.fault(wanted.at, named);
    return;
  }
  if (user !== undefined) {
    update(wanted, user, named, planning);
    return;
  }
  // A leaver without an account does not get one.
  if (wanted.leaves) return;
  const target = named ?? lookup.organizationById(options.organization.id);
  if (target === undefined) {
    draft.fault(wanted.at, `no organization has the ID ${options.organization.id}`);
    return;
  }
  create(wanted, target, planning);
}

/** Plans the users of a wanted state. */
export function planUsers({ users }: Want, lookup: Lookup, draft: Draft, options: PlanOptions): void {
  const planning = { lookup, draft, options };
  if (users.length > 0) {
    const counts = new Map<string, number>();
    for (const { organization } of lookup.actual.users)
      counts.set(organization.id, (counts.get(organization.id) ?? 0) + 1);
    for (const [id, count] of counts) draft.manages('users', lookup.section(id), count);
  }
  for (const wanted of users) planOne(wanted, planning);
}

/** Users who leave all their classes: marked leavers, and users of complete organizations who are not wanted. */
export function leavers({ users }: Want, lookup: Lookup, options: PlanOptions): ReadonlySet<string> {
  const [left, staying] = [new Set<string>(), new Set<string>()];
  for (const { id, email, leaves } of users) {
    const ref = lookup.person(id ?? email ?? '');
    if (ref !== undefined && 'id' in ref) (leaves ? left : staying).add(ref.id);
  }
  const organizations = new Set(
    options.complete.flatMap((text) => {
      const found = lookup.organization(text);
      return typeof found === 'string' ? [] : idOf(found.ref);
    }),
  );
  for (const { id, organization } of lookup.actual.users)
    if (organizations.has(organization.id) && !staying.has(id)) left.add(id);
  for (const id of untouchedUsers(lookup, options)) left.delete(id);
  return left;
}

/** IDs of users who stay in their classes. */
export const untouchedUsers = (lookup: Lookup, { untouched }: PlanOptions): ReadonlySet<string> =>
  new Set(untouched?.users.flatMap((text) => idOf(lookup.person(text))));

const idOf = (ref: Ref | undefined): readonly string[] => (ref !== undefined && 'id' in ref ? [ref.id] : []);
