/** Finds what the references of a wanted state mean, by the one rule, among what was read and what steps create. */
import { ItemIndex, type Match } from '../../client/references/item-index.js';
import { lookedIn, unknownText, unlistedText } from '../../client/references/reference-messages.js';
import { eanForm, nameForm, readReference } from '../../client/references/spelling.js';
import { book, subject } from '../../contract/books.js';
import { publisher } from '../../contract/publishers.js';
import { type Resource, waysOf } from '../../contract/resource.js';
import { role } from '../../contract/roles.js';
import { school } from '../../contract/schools.js';
import type { OrganizationType } from '../../contract/shared.js';
import { user } from '../../contract/users.js';
import { getOrSet, grouped, once } from '../../core/maps.js';
import { either } from '../../core/plural.js';
import {
  type Actual,
  type ActualClass,
  type ActualOrganization,
  type ActualPublication,
  type Named,
  shownPeople,
  unlistedIn,
} from '../actual.js';
import type { Ref } from '../steps.js';
import { NOTHING_WANTED, type Want } from '../want.js';

/** An organization that exists, or that an earlier step creates. */
export interface KnownOrganization {
  /** Undefined if a step creates it. */
  readonly id?: string;
  readonly ref: Ref;
  readonly type: OrganizationType;
  readonly name: string;
  readonly roles: readonly Named[] | undefined;
}

/** The ID of an existing item; undefined for one that a step creates. */
export const idOf = (ref: Ref | undefined): string | undefined => (typeof ref === 'string' ? ref : undefined);

/** The ID of a found item; undefined for the message of a failed search. */
export const idIn = (found: { readonly id?: string | undefined } | string): string | undefined =>
  typeof found === 'string' ? undefined : found.id;

/** The message for several items where one is meant. @param what what they have in common */
export const ambiguous = (items: readonly { readonly id: string }[], what: string): string =>
  `${items.length} ${what}: give one in the column id (${items.map(({ id }) => id).join(', ')})`;

/** Why two references of a row cannot be used together. @param other ID of the item that the second means */
export const notTheSame = (noun: string, first: string, second: string, other: string): string =>
  `${JSON.stringify(first)} and ${JSON.stringify(second)} (${other}) are not the same ${noun}`;

export function indexOf(resource: Resource, items: Iterable<object>): ItemIndex {
  const index = new ItemIndex();
  for (const item of items) index.add(resource, item);
  return index;
}

/** The only one of some items, or the one with the ID that stands beside their key or name. */
const single = <T extends { readonly id: string }>(found: readonly T[], id?: string): T | undefined =>
  found.find((one) => one.id === id) ?? (found.length === 1 ? found[0] : undefined);

/** The end of a message about an item that is not found. @param closest similar keys and names */
const suggestion = (closest: readonly string[]): string =>
  closest.length === 0 ? '' : `. Did you mean ${either(closest)}?`;

/**
 * @param unlisted end of the message about no item
 * @param id that stands beside the text
 * @returns the only item, or why the text does not mean one
 */
function only(
  index: ItemIndex,
  resources: readonly Resource[],
  text: string,
  unlisted = '',
  id?: string,
): Match | string {
  const reference = readReference(text, resources);
  const found = index.find(reference);
  const one = single(found, id);
  if (one !== undefined) return one;
  const [resource, another] = resources;
  const isOfOne = resource !== undefined && another === undefined;
  const [noun, nouns] = isOfOne ? resource.noun : (['organization', 'organizations'] as const);
  if (found.length > 0) {
    const ids = found.map(({ id }) => id).join(', ');
    return `${found.length} ${nouns} are called ${JSON.stringify(text.trim())}: give one of the IDs ${ids}`;
  }
  return unknownText(resources, noun, text) + unlisted + suggestion(index.closest(reference));
}

const ORGANIZATIONS: Partial<Record<OrganizationType, readonly Resource[]>> = {
  School: [school],
  Publisher: [publisher],
};

/** Returns a function that finds the organization that a text means, or a message. Rows with IDs may give new names. */
export function organizationFinder(
  all: readonly ActualOrganization[],
  { publishers, schools }: Pick<Want, 'publishers' | 'schools'>,
  unlisted?: string,
) {
  const wanted = new Map([...publishers, ...schools].map(({ id, name }) => [id, name]));
  const named = all.flatMap((one) => [{ ...one, name: wanted.get(one.id) ?? one.name }, one]);
  const indexes = new Map<OrganizationType | undefined, ItemIndex>();
  return (text: string, type?: OrganizationType, id?: string): Match | string => {
    const meant = (): ItemIndex =>
      indexOf(
        school,
        named.filter((one) => type === undefined || one.type === type),
      );
    const resources = (type && ORGANIZATIONS[type]) ?? [school, publisher];
    return only(getOrSet(indexes, type, meant), resources, text, unlisted, id);
  };
}

export const findBook = (index: ItemIndex, text: string, unlisted?: string, id?: string): Match | string =>
  only(index, [book], text, unlisted, id);

/** Returns a function that finds the items with a key or name. @param formOf the form in which these are compared */
function finderOf<T>(items: readonly T[], keyOf: (item: T) => string | null, formOf = nameForm) {
  const all = grouped(items, (item) => {
    const key = keyOf(item);
    return key === null ? [] : [formOf(key)];
  });
  return (key: string): readonly T[] => all.get(formOf(key)) ?? [];
}

const withEan = (items: readonly ActualPublication[]) => finderOf(items, ({ ean }) => ean, eanForm);

/** The lists of roles of many users are few. */
const roleIndexes = new WeakMap<readonly Named[], ItemIndex>();

/** The roles that a user can have: those of the organization, and others that the user has. */
export function assignable(has: readonly Named[], listed: readonly Named[]): readonly Named[] {
  const others = has.filter(({ id }) => !listed.some((one) => one.id === id));
  return others.length === 0 ? listed : [...others, ...listed];
}

export function findRole(text: string, roles: readonly Named[], id?: string): Named | string {
  const index = getOrSet(roleIndexes, roles, () => indexOf(role, roles));
  const found = only(index, [role], text, undefined, id);
  return typeof found === 'string' ? found : (roles.find((one) => one.id === found.id) ?? found.label);
}

/** A spreadsheet that takes an ID for a number drops its leading zeros. */
const unpadded = (id: string): string => id.replace(/^0+(?=.)/, '');

const zerosHint = (id: string, meant: readonly string[]): string =>
  meant.length === 0 ? '' : `; ${id} is ${meant.join(' or ')} without its zeros`;

/** Returns a function that finds the classes of a school with a name. Rows with IDs may give new names. */
function classFinder(all: readonly ActualClass[], wanted: Want['classes']) {
  const names = new Map(wanted.map(({ id, name }) => [id, name]));
  const keyOf = (schoolId: string, name: string): string => `${schoolId}\u0000${nameForm(name)}`;
  const found = grouped(all, ({ id, schoolId, name }) => [keyOf(schoolId, names.get(id) ?? name)]);
  return (schoolId: string, name: string): readonly ActualClass[] => found.get(keyOf(schoolId, name)) ?? [];
}

/** Finds users by their names. */
function userNames(actual: Actual) {
  /** The names of many users take much memory, and references are rarely names. */
  const index = once(() => indexOf(user, actual.users));
  const isOwn = once(() => actual.users.every(({ organization: { id } }) => id === actual.own.id));
  return {
    /** @param of ID of the organization whose users are meant (default: that of `--in`, or all that were read) */
    find: (text: string, of = actual.namesIn?.id): readonly Match[] =>
      index()
        .byName(readReference(text, [user]))
        .filter(({ organization }) => of === undefined || organization?.id === of),

    /** Why a text means no user. @param reasons that others know */
    none(typed: string, school: string | undefined, reasons: string): string {
      const reference = readReference(typed, [user]);
      const chosen = actual.namesIn ?? (school === undefined ? undefined : { id: school, type: 'School' as const });
      const where =
        chosen === undefined && !isOwn() ? undefined : lookedIn(user, chosen ? { organization: chosen } : {});
      const place = where === undefined || reference.only === 'id' ? '' : ` (looked ${where})`;
      const isIn = (text: string): boolean =>
        index()
          .find({ text })
          .some(({ organization }) => organization?.id === school);
      // Only the users of schools that rows name were read.
      const isListed = school !== undefined && school !== actual.namesIn?.id;
      const closest = isListed ? index().closest(reference).filter(isIn) : (actual.closest?.get(typed) ?? []);
      return `no user has this ${either(waysOf(user))}${place}${reasons}${suggestion(closest)}`;
    },
  };
}

export type References = ReturnType<typeof createReferences>;

export function createReferences(actual: Actual, want = NOTHING_WANTED) {
  const organizations = new Map<string, KnownOrganization>();
  for (const { id, type, name, roles } of actual.organizations)
    organizations.set(id, { id, ref: id, type, name, roles });
  const newOrganizations = new Map<string, KnownOrganization>();
  const findOrganization = organizationFinder(actual.organizations, want, unlistedIn(actual, 'publishers', 'schools'));
  const users = new Map(actual.users.map((one) => [one.id, one]));
  const usersWith = finderOf(actual.users, ({ email }) => email);
  const newUsers = new Map<string, Ref>();
  const subjects = indexOf(
    subject,
    (actual.subjects ?? []).map(({ id, name }) => ({ id, translatedName: name })),
  );
  const books = indexOf(book, [...actual.books, ...actual.licenses.flatMap((license) => license.books)]);
  const classes = new Map(actual.classes.map((one) => [one.id, one]));
  const shown = new Set(shownPeople(actual));
  const names = userNames(actual);
  const byRest = once(() => grouped(shown, (id) => [unpadded(id)]));
  /** The known IDs that equal an ID but for leading zeros. */
  const alike = (id: string): readonly string[] => byRest().get(unpadded(id)) ?? [];
  const classesOfUser = once(() => grouped(actual.classes, (one) => one.users));

  return {
    actual,
    organizations,
    users,
    classes,

    /** The organization with an ID or name. @returns a message if none or several match */
    organization(text: string, type?: OrganizationType, id?: string): KnownOrganization | string {
      const found = findOrganization(text, type, id);
      if (typeof found !== 'string') return organizations.get(found.id) ?? found.label;
      const created = newOrganizations.get(nameForm(readReference(text, [school]).text));
      return created !== undefined && (type === undefined || created.type === type) ? created : found;
    },

    addOrganization: (organization: KnownOrganization) =>
      newOrganizations.set(nameForm(organization.name), organization),

    /** The subject with an ID or name; any text is an ID where subjects may not be listed. @returns a message if none or several match */
    subject(text: string, beside?: string): Match | string {
      if (actual.subjects !== undefined)
        return only(subjects, [subject], text, `; names are in ${actual.language}`, beside);
      const { only: kind, text: id } = readReference(text, [subject]);
      return kind === undefined || kind === 'id'
        ? { id, label: id, names: [] }
        : unknownText([subject], subject.noun[0], text) + unlistedText(subject.noun[1]);
    },

    /** The book with an ID, EAN or title. @returns a message if none or several match */
    book: (text: string, id?: string): Match | string => findBook(books, text, unlistedIn(actual, 'books'), id),

    usersWith,
    organizationsCalled: finderOf(actual.organizations, ({ name }) => name),
    publicationsWith: { books: withEan(actual.books), readers: withEan(actual.readers) },
    addUser: (email: string, ref: Ref) => newUsers.set(nameForm(email), ref),

    /**
     * A user by ID, e-mail address or name; undefined for none or several.
     * @param of ID of the organization whose users are meant by name
     * @param id that stands beside the text
     */
    person(text: string, of?: string, id?: string): Ref | undefined {
      const { only: kind, text: rest } = readReference(text, [user]);
      if ((kind === undefined || kind === 'id') && shown.has(rest)) return rest;
      const keyed = kind === undefined ? usersWith(rest) : [];
      if (keyed.length > 0) return single(keyed, id)?.id;
      const created = newUsers.get(nameForm(rest));
      if (created !== undefined) return created;
      const away = actual.elsewhere.get(text);
      // One who was looked up by name may be one of several.
      const isNamed = away !== undefined && users.has(away) && names.find(text).some(({ id }) => id === away);
      // The service may accept any text as the ID of an end user.
      if (away !== undefined && !isNamed && (shown.has(away) || alike(away).length === 0)) return away;
      return single(names.find(text, of), id)?.id;
    },

    /** Why `person` finds no one. */
    whyUnknown(text: string, of?: string): string {
      const { text: rest } = readReference(text, [user]);
      const several = [...usersWith(rest), ...names.find(text, of)].map(({ id }) => id);
      if (several.length > 1)
        return `${several.length} users have this address or name: give one of the IDs ${several.join(', ')}`;
      return names.none(text, of, zerosHint(rest, alike(rest)) + unlistedIn(actual, 'users'));
    },

    classesNamed: classFinder(actual.classes, want.classes),
    classesOf: (userId: string): readonly ActualClass[] => classesOfUser().get(userId) ?? [],
  };
}
