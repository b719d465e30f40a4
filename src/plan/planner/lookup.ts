/** Finds organizations, users and classes by ID, name or e-mail address. */
import { didYouMean } from '../../core/suggest.js';
import type { Actual, ActualClass, ActualOrganization, ActualUser, Named } from '../actual.js';
import type { Ref, Section } from '../steps.js';

/** An organization that exists, or that an earlier step creates. */
export interface KnownOrganization {
  readonly ref: Ref;
  readonly type: ActualOrganization['type'];
  readonly name: string;
  readonly roles: readonly Named[] | undefined;
}

export const sectionOf = ({ ref, name }: Pick<KnownOrganization, 'ref' | 'name'>): Section => ({
  id: 'id' in ref ? ref.id : null,
  name,
});

const lower = (text: string): string => text.toLowerCase();

function group<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const list = groups.get(key);
    if (list === undefined) groups.set(key, [item]);
    else list.push(item);
  }
  return groups;
}

/** Finds by ID, by exact name, then by name ignoring case. @returns a message if none or several match */
export function findNamed<T extends Named>(text: string, items: readonly T[], noun: string): T | string {
  const byId = items.find(({ id }) => id === text);
  if (byId !== undefined) return byId;
  const exact = items.filter(({ name }) => name === text);
  const found = exact.length > 0 ? exact : items.filter(({ name }) => lower(name) === lower(text));
  const [first, ...others] = found;
  if (first === undefined)
    return `no ${noun} is called ${JSON.stringify(text)}. ${
      didYouMean(
        text,
        items.map(({ name }) => name),
      ) ?? ''
    }`.trim();
  if (others.length === 0) return first;
  return `${found.length} of the ${noun} names are ${JSON.stringify(text)}: give one of the IDs ${found.map(({ id }) => id).join(', ')}`;
}

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
    this.#usersByEmail = group(actual.users, ({ email }) => lower(email ?? ''));
    this.#classesById = new Map(actual.classes.map((one) => [one.id, one]));
    this.#classes = group(actual.classes, ({ schoolId, name }) => classKey(schoolId, name));
  }

  addOrganization(organization: KnownOrganization): void {
    const { ref, name } = organization;
    if ('id' in ref) this.#organizations.set(ref.id, organization);
    const named = this.#organizationNames.get(lower(name)) ?? [];
    this.#organizationNames.set(lower(name), [...named, organization]);
  }

  /** @returns a message if none or several match */
  organization(text: string, type?: ActualOrganization['type']): KnownOrganization | string {
    const byId = this.#organizations.get(text);
    if (byId !== undefined && (type === undefined || byId.type === type)) return byId;
    const noun = type === undefined ? 'organization' : lower(type);
    const near = (this.#organizationNames.get(lower(text)) ?? []).filter(
      (one) => type === undefined || one.type === type,
    );
    const exact = near.filter(({ name }) => name === text);
    const found = exact.length > 0 ? exact : near;
    const [first, ...others] = found;
    if (first === undefined)
      return `no ${noun} is called ${JSON.stringify(text)}. ${
        didYouMean(
          text,
          this.actual.organizations.map(({ name }) => name),
        ) ?? ''
      }`.trim();
    if (others.length === 0) return first;
    const ids = found.map(({ ref }) => ('id' in ref ? ref.id : 'one that is to be created'));
    return `${found.length} organizations are called ${JSON.stringify(text)}: give an ID (${ids.join(', ')})`;
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

  /** Adds a user that a step creates. */
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
    return ('id' in ref ? this.#usersById.get(ref.id)?.email : undefined) ?? text;
  }

  classById(id: string): ActualClass | undefined {
    return this.#classesById.get(id);
  }

  classesNamed(schoolId: string, name: string): readonly ActualClass[] {
    return this.#classes.get(classKey(schoolId, name)) ?? [];
  }

  classesOf(userId: string): readonly ActualClass[] {
    if (this.#classesOfUser === undefined) {
      const all = new Map<string, ActualClass[]>();
      for (const one of this.actual.classes)
        for (const id of one.users) {
          const list = all.get(id);
          if (list === undefined) all.set(id, [one]);
          else list.push(one);
        }
      this.#classesOfUser = all;
    }
    return this.#classesOfUser.get(userId) ?? [];
  }
}
