/** The state of the service as far as a plan needs it. Lists are sorted, because their order in responses may vary. */
import type { books } from '../contract/books.js';
import type { classes } from '../contract/classes.js';
import type { licenses } from '../contract/licenses.js';
import type { publishers } from '../contract/publishers.js';
import type { readers } from '../contract/readers.js';
import type { schools } from '../contract/schools.js';
import type { Language, OrganizationReference, OrganizationType } from '../contract/shared.js';
import type { users } from '../contract/users.js';
import type { ItemOf } from '../contract/vocabulary.js';
import { dayIn } from '../core/day.js';
import { isObject } from '../core/json.js';
import { fieldsOf } from './items.js';
import type { Fields } from './steps.js';
import type { Plannable } from './want-columns.js';

/** The types of the organizations that a plan manages. */
export const ORGANIZATIONS = { publishers: 'Publisher', schools: 'School' } as const;

export interface Named {
  readonly id: string;
  readonly name: string;
}

type WritableTexts = Readonly<Partial<Record<Exclude<keyof typeof schools.update.body, 'name'>, string>>>;

/** With the fields that an update can write. */
export interface ActualOrganization extends Named, WritableTexts {
  readonly type: OrganizationType;
  /** Undefined if they were not read. */
  readonly roles?: readonly Named[] | undefined;
}

export type ActualUser = Readonly<ReturnType<typeof userOf>>;
/** An active class. Its school is blank if it was read by ID, because that response has no school. */
export type ActualClass = Readonly<ReturnType<typeof classOf>>;
export type ActualLicense = Readonly<ReturnType<typeof licenseOf>>;
export type ActualPublication = Readonly<ReturnType<typeof publicationOf>>;

export interface Actual {
  readonly own: OrganizationReference;
  /** The caller's organization and those that it owns. */
  readonly organizations: readonly ActualOrganization[];
  /** Lists that the caller may not see, by resource: `schools`, `users of School s2`. */
  readonly hiddenLists?: ReadonlyMap<Plannable, readonly string[]>;
  /** Similar addresses and names for people who were not found, by the text of the reference. */
  readonly closest?: ReadonlyMap<string, readonly string[]>;
  /** The organization whose users names mean, if it was chosen; else each name means one of the users that were read. */
  readonly namesIn?: OrganizationReference | undefined;
  /** Language of names, and default language of new users. */
  readonly language: Language;
  /** Undefined if the caller may not list them. */
  readonly subjects: readonly Named[] | undefined;
  readonly users: readonly ActualUser[];
  /** IDs of people who were looked up individually, by ID or lower-case e-mail address; undefined for unknown ones. */
  readonly elsewhere: ReadonlyMap<string, string | undefined>;
  readonly classes: readonly ActualClass[];
  /** Schools whose classes cannot be listed, with the service's reason. */
  readonly hiddenSchools: ReadonlyMap<string, string>;
  readonly licenses: readonly ActualLicense[];
  readonly books: readonly ActualPublication[];
  readonly readers: readonly ActualPublication[];
}

/** The end of a message about an item that may be in a list that the caller may not see. */
export function unlistedIn({ hiddenLists }: Pick<Actual, 'hiddenLists'>, ...resources: readonly Plannable[]): string {
  const lists = resources.flatMap((resource) => hiddenLists?.get(resource) ?? []);
  return lists.length === 0 ? '' : `; you may not list ${lists.join(' and ')}`;
}

/** IDs of all people in the lists that were read: users, members of classes, holders of licences. */
export function* shownPeople({ users, classes, licenses }: Pick<Actual, 'users' | 'classes' | 'licenses'>) {
  for (const { id } of users) yield id;
  for (const one of classes) yield* one.users;
  for (const { holders } of licenses) yield* holders;
}

/** A value as text; blank for null and undefined. */
export const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

/** A number, which a service may return as a text; null for a blank one. */
const number = (value: unknown): number | null => (text(value) === '' ? null : Number(value));

/** One object for each organization and role, because thousands of users share them. */
const shared = new Map<string, unknown>();

function share<T>(key: string, value: T): T {
  const known = shared.get(key) as T | undefined;
  if (known === undefined) shared.set(key, value);
  return known ?? value;
}

/** @param otherwise the organization of an item that is returned without one */
function organizationOf(reference: unknown, otherwise?: OrganizationReference): OrganizationReference {
  const { id, type } = (isObject(reference) ? reference : (otherwise ?? {})) as Partial<OrganizationReference>;
  return share(`organization ${text(id)} ${text(type)}`, { id: text(id), type: type as OrganizationType });
}

/** The roles in a response; one without an ID if it does not show them. */
export const rolesOf = (has: readonly Partial<Named>[] | null = [{}]): readonly Named[] =>
  (has ?? []).map(({ id, name }) => share(`role ${text(id)} ${text(name)}`, { id: text(id), name: text(name) }));

export const byId = <T extends { readonly id: string }>(items: readonly T[]): readonly T[] =>
  [...items].sort((a, b) => (a.id < b.id ? -1 : 1));

const distinct = (ids: readonly unknown[] | null | undefined): readonly string[] => [...new Set(ids?.map(text))].sort();

export function organizationIn(
  kind: keyof typeof ORGANIZATIONS,
  one: ItemOf<typeof schools.list> | ItemOf<typeof publishers.list>,
): ActualOrganization {
  const fields = Object.entries(fieldsOf(kind, one)).map(([name, value]) => [name, text(value)]);
  const roles = one.roles ? rolesOf(one.roles) : undefined;
  return { ...Object.fromEntries(fields), id: text(one.id), name: text(one.name), type: ORGANIZATIONS[kind], roles };
}

export const userOf = (item: ItemOf<typeof users.list>, otherwise?: OrganizationReference) => ({
  id: text(item.id),
  email: text(item.email) || null,
  firstName: text(item.firstName),
  lastName: text(item.lastName),
  language: text(item.language),
  organization: organizationOf(item.organization, otherwise),
  roles: byId(rolesOf(item.roles)),
});

export function classOf(item: ItemOf<typeof classes.list> | Record<string, unknown>, schoolId: string) {
  const { classId, className, subjectId, usersInClass } = item as ItemOf<typeof classes.list>;
  return {
    id: text(classId),
    name: text(className),
    subjectId: text(subjectId),
    schoolId,
    users: distinct(usersInClass),
  };
}

export const licenseOf = (
  { expiration, ...item }: ItemOf<typeof licenses.list>,
  otherwise?: OrganizationReference,
) => ({
  id: text(item.id),
  code: text(item.code),
  name: text(item.name),
  type: text(item.type),
  books: (item.books ?? []).map(({ id, ean }) => ({ id: text(id), ean: text(ean) })),
  expiration:
    expiration == null || text(expiration.type) === ''
      ? null
      : {
          type: text(expiration.type),
          days: number(expiration.days),
          date: dayIn(expiration.date) ?? (text(expiration.date) || null),
        },
  maximumActivations: number(item.maximumActivations),
  numberOfActivations: Number(item.numberOfActivations),
  organization: organizationOf(item.organization, otherwise),
  licenseCategory: text(item.licenseCategory) || null,
  /** IDs of users who hold it, from `endUsers` and, where they were read, from its activations. */
  holders: distinct(item.endUsers?.map(({ id }) => id)),
});

export function publicationOf(item: ItemOf<typeof books.list> | ItemOf<typeof readers.list>) {
  const { id, ean, title, subject, type, organization } = item;
  const settings = 'settings' in item ? item.settings : undefined;
  return {
    id: text(id),
    ean: text(ean),
    title: text(title),
    subject: { id: text(subject?.id) },
    type: { name: text(type?.name) },
    organization: organizationOf(organization),
    /** Undefined if the list does not contain them. */
    settings:
      settings == null
        ? undefined
        : { indexPageNumber: number(settings.indexPageNumber), pageNumberOffset: number(settings.pageNumberOffset) },
    ...('year' in item
      ? { year: number(item.year), level: text(item.level) || null, series: text(item.series) || null }
      : {}),
    ...('pdfDownloadable' in item ? { pdfDownloadable: item.pdfDownloadable } : {}),
  };
}

export interface ActualItems {
  readonly publishers: ActualOrganization;
  readonly schools: ActualOrganization;
  readonly users: ActualUser;
  readonly classes: ActualClass;
  readonly licenses: ActualLicense;
  readonly books: ActualPublication;
  readonly readers: ActualPublication;
}

/** The fields of an item in the form of its update, and how much it is used: what must not change before it is removed. */
export function stateOf<R extends Plannable>(resource: R, item: ActualItems[R]): Fields {
  if ('schoolId' in item) return { ...fieldsOf(resource, { ...item, className: item.name }), users: item.users.length };
  const fields = fieldsOf(resource, item);
  return 'numberOfActivations' in item ? { ...fields, numberOfActivations: item.numberOfActivations } : fields;
}

/** The part of a state that an update can write. */
export function writableOf<R extends Plannable>(resource: R, item: ActualItems[R]): Fields {
  const { users: _, numberOfActivations: __, ...fields } = stateOf(resource, item);
  return fields;
}
