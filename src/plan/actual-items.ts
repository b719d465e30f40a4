/** Converts responses to the actual state: only fields that a plan compares, lists sorted because their order may vary. */
import type { books } from '../contract/books.js';
import type { classes } from '../contract/classes.js';
import type { licenses } from '../contract/licenses.js';
import type { readers } from '../contract/readers.js';
import type { users } from '../contract/users.js';
import type { ItemOf } from '../contract/vocabulary.js';
import { isObject } from '../core/json.js';
import type { ActualClass, ActualLicense, ActualPublication, ActualUser, Named, OrganizationRef } from './actual.js';

/** A value as text; blank for null and undefined. */
export const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

/** One object for each organization and role, because thousands of users share them. */
const shared = new Map<string, unknown>();

function share<T>(key: string, make: () => T): T {
  const known = shared.get(key) as T | undefined;
  if (known !== undefined) return known;
  const value = make();
  shared.set(key, value);
  return value;
}

const organizationOf = ({ id, type }: { readonly id: string; readonly type: string }): OrganizationRef =>
  share(`organization ${id} ${type}`, () => ({ id, type: type as OrganizationRef['type'] }));

const roleOf = ({ id, name }: { readonly id: string; readonly name: unknown }): Named =>
  share(`role ${id} ${text(name)}`, () => ({ id, name: text(name) }));

/** The roles in a response, without invalid ones. */
export const rolesOf = (has: unknown): readonly Named[] =>
  (Array.isArray(has) ? has.filter(isObject) : []).map((role) => roleOf({ id: text(role.id), name: role.name }));

/** Sorts items by ID. */
export const byId = <T extends { readonly id: string }>(items: readonly T[]): readonly T[] =>
  [...items].sort((a, b) => (a.id < b.id ? -1 : 1));

export const userOf = ({
  id,
  email,
  firstName,
  lastName,
  language,
  organization,
  roles: has,
}: ItemOf<typeof users.list>): ActualUser => ({
  id,
  email: text(email) === '' ? null : email,
  firstName: text(firstName),
  lastName: text(lastName),
  language: text(language),
  organization: organizationOf(organization),
  roles: byId(rolesOf(has)),
});

/** A class from a list, or read by ID. */
export function classOf(item: ItemOf<typeof classes.list> | Record<string, unknown>, schoolId: string): ActualClass {
  const { classId, className, subjectId, usersInClass } = item as ItemOf<typeof classes.list>;
  return {
    id: classId,
    name: text(className),
    subjectId: text(subjectId),
    schoolId,
    users: [...new Set(usersInClass ?? [])].sort(),
  };
}

export function licenseOf(item: ItemOf<typeof licenses.list>): ActualLicense {
  const { id, code, name, type, books: opens, expiration, organization, licenseCategory, endUsers } = item;
  return {
    id,
    code,
    name: text(name),
    type,
    books: byId((opens ?? []).map((one) => ({ id: one.id, ean: text(one.ean) }))),
    expiration:
      expiration == null || text(expiration.type) === ''
        ? null
        : { type: expiration.type, days: expiration.days ?? null, date: expiration.date ?? null },
    maximumActivations: Number(item.maximumActivations),
    numberOfActivations: Number(item.numberOfActivations),
    organization: organizationOf(organization),
    licenseCategory: text(licenseCategory) === '' ? null : text(licenseCategory),
    holders: [...new Set((endUsers ?? []).map((user) => user.id))].sort(),
  };
}

export function publicationOf(item: ItemOf<typeof books.list> | ItemOf<typeof readers.list>): ActualPublication {
  const { id, ean, title, subject, type, organization } = item;
  const settings = 'settings' in item ? item.settings : undefined;
  return {
    id,
    ean: text(ean),
    title: text(title),
    subjectId: text(subject?.id),
    typeName: text(type?.name),
    organization: organizationOf(organization),
    settings:
      settings == null
        ? undefined
        : { indexPageNumber: settings.indexPageNumber, pageNumberOffset: settings.pageNumberOffset },
    ...('year' in item ? { year: item.year, level: item.level, series: item.series } : {}),
    ...('pdfDownloadable' in item ? { pdfDownloadable: item.pdfDownloadable } : {}),
  };
}
