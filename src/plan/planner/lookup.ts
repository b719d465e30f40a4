/** Finds organizations, users and classes by ID, name or e-mail address. */
import type { OrganizationType } from '../../contract/shared.js';
import { getOrSet, grouped } from '../../core/maps.js';
import { didYouMean } from '../../core/suggest.js';
import { type Actual, type ActualClass, type ActualUser, type Named, shownPeople } from '../actual.js';
import type { Ref, Section } from '../steps.js';

/** An organization that exists, or that an earlier step creates. */
export interface KnownOrganization {
  readonly ref: Ref;
  readonly type: OrganizationType;
  readonly name: string;
  readonly roles: readonly Named[] | undefined;
}

/** The ID of an existing item; undefined for one that a step creates. */
export const idOf = (ref: Ref | undefined): string | undefined => (typeof ref === 'string' ? ref : undefined);

/** The ID of an existing organization; undefined for the message of a failed search, too. */
export const idIn = (found: KnownOrganization | string): string | undefined =>
  typeof found === 'string' ? undefined : idOf(found.ref);

/** The message for several items where one is meant. @param what what they have in common */
export const ambiguous = (items: readonly { readonly id: string }[], what: string): string =>
  `${items.length} ${what}: add a column id (${items.map(({ id }) => id).join(', ')})`;

export const sectionOf = ({ ref, name }: KnownOrganization): Section => ({ id: idOf(ref) ?? null, name });

/** One form for texts that look equal: macOS writes ü as u with a combining mark. */
const composed = (text: string): string => text.normalize('NFC');

/** Equal for names that differ only in case. */
export const lower = (text: string): string => composed(text).toLowerCase();

/** Whether two names look equal. */
export const isSameName = (a: string, b: string): boolean => composed(a) === composed(b);

/**
 * Chooses the item with exactly this name, else the one whose name differs only in case.
 * @param near items whose names are equal but for case
 * @param all the items that a message suggests
 * @returns a message if none or several match
 */
function choose<T extends { readonly name: string }>(
  text: string,
  near: readonly T[],
  noun: string,
  all: readonly { readonly name: string }[],
  idIn: (item: T) => string,
): T | string {
  const exact = near.filter(({ name }) => isSameName(name, text));
  const found = exact.length > 0 ? exact : near;
  const [first, ...others] = found;
  if (first === undefined) {
    const names = all.map(({ name }) => name);
    return `no ${noun} is called ${JSON.stringify(text)}. ${didYouMean(text, names) ?? ''}`.trim();
  }
  if (others.length === 0) return first;
  return `${found.length} of the ${noun} names are ${JSON.stringify(text)}: give one of the IDs ${found.map(idIn).join(', ')}`;
}

/** Finds by ID, by exact name, then by name ignoring case. @returns a message if none or several match */
export const findNamed = <T extends Named>(text: string, items: readonly T[], noun: string): T | string =>
  items.find(({ id }) => id === text) ??
  choose(
    text,
    items.filter(({ name }) => lower(name) === lower(text)),
    noun,
    items,
    ({ id }) => id,
  );

/** A spreadsheet that takes an ID for a number drops its leading zeros. */
const unpadded = (id: string): string => id.replace(/^0+(?=.)/, '');

const classKey = (schoolId: string, name: string): string => `${schoolId}\u0000${composed(name)}`;

export type Lookup = ReturnType<typeof createLookup>;

export function createLookup(actual: Actual) {
  const organizations = new Map<string, KnownOrganization>();
  const organizationNames = new Map<string, KnownOrganization[]>();
  const users: ReadonlyMap<string, ActualUser> = new Map(actual.users.map((user) => [user.id, user]));
  const usersByEmail = grouped(actual.users, ({ email }) => [lower(email ?? '')]);
  const newUsers = new Map<string, Ref>();
  const classes: ReadonlyMap<string, ActualClass> = new Map(actual.classes.map((one) => [one.id, one]));
  const classesByName = grouped(actual.classes, ({ schoolId, name }) => [classKey(schoolId, name)]);
  let shownIds: ReadonlySet<string> | undefined;
  const shown = (): ReadonlySet<string> => (shownIds ??= new Set(shownPeople(actual)));
  let withoutZeros: ReadonlyMap<string, readonly string[]> | undefined;
  let classesOfUser: ReadonlyMap<string, readonly ActualClass[]> | undefined;

  function addOrganization(organization: KnownOrganization): void {
    const { ref, name } = organization;
    if (typeof ref === 'string') organizations.set(ref, organization);
    getOrSet(organizationNames, lower(name), () => []).push(organization);
  }
  for (const { id, type, name, roles } of actual.organizations) addOrganization({ ref: id, type, name, roles });

  const usersWith = (email: string): readonly ActualUser[] => usersByEmail.get(lower(email)) ?? [];

  return {
    actual,
    /** By ID. */
    organizations: organizations as ReadonlyMap<string, KnownOrganization>,
    users,
    classes,
    addOrganization,

    /** The organization with an ID or name. @returns a message if none or several match */
    organization(text: string, type?: OrganizationType): KnownOrganization | string {
      const isWanted = (one: KnownOrganization): boolean => type === undefined || one.type === type;
      const byId = organizations.get(text);
      if (byId !== undefined && isWanted(byId)) return byId;
      const near = (organizationNames.get(lower(text)) ?? []).filter(isWanted);
      const noun = lower(type ?? 'organization');
      return choose(text, near, noun, actual.organizations, ({ ref }) => idOf(ref) ?? 'one that is to be created');
    },

    /** The section of an organization, even if no list contains it. */
    section: (id: string): Section => ({ id, name: organizations.get(id)?.name ?? '' }),

    usersWith,

    addUser: (email: string, ref: Ref) => newUsers.set(lower(email), ref),

    /** A user by ID or e-mail address; undefined for one that nobody has. */
    person(text: string): Ref | undefined {
      const id = text.replace(/^id:/, '');
      if (users.has(id)) return id;
      const [found] = text === '' ? [] : usersWith(text);
      if (found !== undefined) return found.id;
      const created = newUsers.get(lower(text));
      if (created !== undefined) return created;
      const asked = actual.elsewhere.get(id) ?? actual.elsewhere.get(lower(text));
      if (asked !== undefined) return asked;
      return shown().has(id) ? id : undefined;
    },

    /** Why `person` finds no one. */
    whyUnknown(text: string): string {
      if (text.includes('@')) return 'no user has this e-mail address';
      const id = text.replace(/^id:/, '');
      withoutZeros ??= grouped(shown(), (one) => [unpadded(one)]);
      const meant = withoutZeros.get(unpadded(id)) ?? [];
      return `no user has this ID${meant.length === 0 ? '' : `; ${id} is ${meant.join(' or ')} without its zeros`}`;
    },

    /** The e-mail address of a user, or the given text if it is unknown. */
    personName: (ref: Ref, text: string): string => users.get(idOf(ref) ?? '')?.email ?? text,

    classesNamed: (schoolId: string, name: string): readonly ActualClass[] =>
      classesByName.get(classKey(schoolId, name)) ?? [],

    classesOf(userId: string): readonly ActualClass[] {
      classesOfUser ??= grouped(actual.classes, (one) => one.users);
      return classesOfUser.get(userId) ?? [];
    },
  };
}
