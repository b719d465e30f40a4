/** Finds organizations, users and classes by ID, name or e-mail address. */
import type { OrganizationType } from '../../contract/shared.js';
import { grouped } from '../../core/maps.js';
import { didYouMean } from '../../core/suggest.js';
import type { Actual, ActualClass, ActualUser, Named } from '../actual.js';
import type { Ref, Section } from '../steps.js';

/** An organization that exists, or that an earlier step creates. */
export interface KnownOrganization {
  readonly ref: Ref;
  readonly type: OrganizationType;
  readonly name: string;
  readonly roles: readonly Named[] | undefined;
}

/** The ID of an existing item; undefined for one that a step creates. */
export const idOf = (ref: Ref | undefined): string | undefined =>
  ref !== undefined && 'id' in ref ? ref.id : undefined;

export const sectionOf = ({ ref, name }: KnownOrganization): Section => ({ id: idOf(ref) ?? null, name });

const lower = (text: string): string => text.toLowerCase();

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
  const exact = near.filter(({ name }) => name === text);
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

const classKey = (schoolId: string, name: string): string => `${schoolId}\u0000${name}`;

export class Lookup {
  readonly actual: Actual;
  readonly #organizations = new Map<string, KnownOrganization>();
  readonly #organizationNames = new Map<string, KnownOrganization[]>();
  readonly #usersById: ReadonlyMap<string, ActualUser>;
  readonly #usersByEmail: ReadonlyMap<string, readonly ActualUser[]>;
  readonly #newUsers = new Map<string, Ref>();
  readonly #classesById: ReadonlyMap<string, ActualClass>;
  readonly #classes: ReadonlyMap<string, readonly ActualClass[]>;
  #classesOfUser: ReadonlyMap<string, readonly ActualClass[]> | undefined;

  constructor(actual: Actual) {
    this.actual = actual;
    for (const { id, type, name, roles } of actual.organizations)
      this.addOrganization({ ref: { id }, type, name, roles });
    this.#usersById = new Map(actual.users.map((user) => [user.id, user]));
    this.#usersByEmail = grouped(actual.users, ({ email }) => [lower(email ?? '')]);
    this.#classesById = new Map(actual.classes.map((one) => [one.id, one]));
    this.#classes = grouped(actual.classes, ({ schoolId, name }) => [classKey(schoolId, name)]);
  }

  addOrganization(organization: KnownOrganization): void {
    const { ref, name } = organization;
    if ('id' in ref) this.#organizations.set(ref.id, organization);
    const named = this.#organizationNames.get(lower(name)) ?? [];
    this.#organizationNames.set(lower(name), [...named, organization]);
  }

  /** @returns a message if none or several match */
  organization(text: string, type?: OrganizationType): KnownOrganization | string {
    const isWanted = (one: KnownOrganization): boolean => type === undefined || one.type === type;
    const byId = this.#organizations.get(text);
    if (byId !== undefined && isWanted(byId)) return byId;
    const near = (this.#organizationNames.get(lower(text)) ?? []).filter(isWanted);
    const noun = lower(type ?? 'organization');
    return choose(text, near, noun, this.actual.organizations, ({ ref }) => idOf(ref) ?? 'one that is to be created');
  }

  organizationById(id: string): KnownOrganization | undefined {
    return this.#organizations.get(id);
  }

  /** The section of an organization, even if no list contains it. */
  section(id: string): Section {
    return { id, name: this.#organizations.get(id)?.name ?? '' };
  }

  user(id: string): ActualUser | undefined {
    return this.#usersById.get(id);
  }

  userByEmail(email: string): readonly ActualUser[] {
    return this.#usersByEmail.get(lower(email)) ?? [];
  }

  addUser(email: string, ref: Ref): void {
    this.#newUsers.set(lower(email), ref);
  }

  /** A user by ID or e-mail address; undefined for an unknown address. */
  person(text: string): Ref | undefined {
    if (this.#usersById.has(text)) return { id: text };
    if (text.startsWith('id:')) return { id: text.slice(3) };
    if (!text.includes('@')) return { id: text };
    const [found] = this.userByEmail(text);
    if (found !== undefined) return { id: found.id };
    const created = this.#newUsers.get(lower(text));
    if (created !== undefined) return created;
    const id = this.actual.elsewhere.get(lower(text));
    return id === undefined ? undefined : { id };
  }

  /** The e-mail address of a user, or the given text if it is unknown. */
  personName(ref: Ref, text: string): string {
    return this.#usersById.get(idOf(ref) ?? '')?.email ?? text;
  }

  classById(id: string): ActualClass | undefined {
    return this.#classesById.get(id);
  }

  classesNamed(schoolId: string, name: string): readonly ActualClass[] {
    return this.#classes.get(classKey(schoolId, name)) ?? [];
  }

  classesOf(userId: string): readonly ActualClass[] {
    this.#classesOfUser ??= grouped(this.actual.classes, ({ users }) => users);
    return this.#classesOfUser.get(userId) ?? [];
  }
}
