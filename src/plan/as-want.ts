/** Converts the actual state to a wanted one, with keys instead of IDs; planning it yields no steps. */

import { grouped } from '../core/maps.js';
import { damageOf } from '../core/table/damage.js';
import type { Actual, ActualClass, ActualLicense, ActualUser, Named } from './actual.js';
import { booksOf } from './planner/licenses.js';
import { createLookup, isSameName, lower } from './planner/lookup.js';
import type { Plannable } from './want-columns.js';

type Row = Readonly<Record<string, unknown>>;
export type WantRows = Readonly<Record<Plannable, readonly Row[]>>;

/** Whether a table is read with this text: cells are trimmed, damaged ones refused, and UTF-8 has no lone surrogates. */
const isWritable = (text: string): boolean =>
  text !== '' && text.trim() === text && damageOf(text) === undefined && !/\p{Surrogate}/u.test(text);

/** Whether a text can be written to a list in a cell and read back unchanged. */
const isPlain = (text: string): boolean => isWritable(text) && !/[;\\]/.test(text);

/** Omits blank fields and texts that a file cannot represent, so that they are not managed. */
const filled = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).filter(([, value]) =>
      typeof value === 'string' ? isWritable(value) : value !== undefined && value !== null,
    ),
  );

/** Sorts rows by content, because the service guarantees no order, and version control needs one. */
function sorted(rows: readonly Row[]): readonly Row[] {
  const keyed = rows.map((row) => [JSON.stringify(row), row] as const);
  return keyed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** Returns a function from an ID to the item's name if that is unique, else to the ID. */
function keysOf(items: readonly Named[]): (id: string) => string {
  const same = grouped(items, ({ name }) => [lower(name)]);
  const names = new Map(items.map(({ id, name }) => [id, name]));
  return (id) => {
    const name = names.get(id) ?? id;
    return isPlain(name) && same.get(lower(name))?.length === 1 && !names.has(name) ? name : id;
  };
}

export function wantOf(actual: Actual): WantRows {
  const lookup = createLookup(actual);
  const organizationKey = keysOf(actual.organizations);
  const subjectKeys = keysOf(actual.subjects);
  const subjectKey = (id: string): string | undefined =>
    actual.subjects.some((one) => one.id === id) ? subjectKeys(id) : undefined;
  const books = booksOf(lookup);

  function keyAddress(id: string): string | undefined {
    const email = lookup.users.get(id)?.email;
    const isKey = email != null && isPlain(email) && email.includes('@') && lookup.users.get(email) === undefined;
    return isKey && lookup.usersWith(email).length === 1 ? email : undefined;
  }

  const personKey = (id: string): string => keyAddress(id) ?? (/@|^id:/.test(id) ? `id:${id}` : id);

  function userRow({ id, organization, roles, ...one }: ActualUser): Row {
    const known = lookup.organizations.get(organization.id)?.roles ?? [];
    const others = known.filter((one) => !roles.some((role) => role.id === one.id));
    const roleKey = keysOf([...roles, ...others]);
    return filled({
      ...(keyAddress(id) === undefined ? { id } : {}),
      ...one,
      organization: organizationKey(organization.id),
      roles: roles.map((role) => roleKey(role.id)).sort(),
    });
  }

  function classRow({ id, name, schoolId, subjectId, users }: ActualClass): Row {
    const same = lookup.classesNamed(schoolId, name).filter((one) => one.subjectId === subjectId);
    return filled({
      ...(same.length === 1 && isWritable(name) ? {} : { classId: id }),
      className: name,
      schoolId: organizationKey(schoolId),
      subjectId: subjectKey(subjectId),
      usersInClass: users.map(personKey).sort(),
    });
  }

  function licenseRow({ id, code, name, type, maximumActivations, organization, ...one }: ActualLicense): Row {
    const eans = one.books.map((book) => (isPlain(book.ean) && books.get(book.ean) === book.id ? book.ean : book.id));
    const expiration = one.expiration && filled(one.expiration);
    return filled({
      ...(isWritable(code) ? {} : { id }),
      ...{ name, code, type },
      ...(type === 'Books' ? { books: eans.sort(), expiration } : {}),
      maximumActivations,
      organization: lookup.organizations.has(organization.id) ? organizationKey(organization.id) : undefined,
      endUsers: one.holders.map(personKey).sort(),
    });
  }

  function organizationRows(type: string): readonly Row[] {
    const all = actual.organizations.filter((one) => one.type === type);
    const others = all.filter(({ id }) => id !== actual.own.id);
    return others.map(({ id, name, country, city }) => {
      const isKey = isWritable(name) && all.filter((one) => isSameName(one.name, name)).length === 1;
      return filled({ ...(isKey ? {} : { id }), name, country, city });
    });
  }

  const publicationRows = (kind: 'books' | 'readers'): readonly Row[] =>
    actual[kind].map(({ id, subject, type, organization, ...one }) => {
      const isKey = isWritable(one.ean) && actual[kind].filter(({ ean }) => ean === one.ean).length === 1;
      return filled({ ...(isKey ? {} : { id }), ...one, subject: subjectKey(subject.id) });
    });

  return {
    publishers: sorted(organizationRows('Publisher')),
    schools: sorted(organizationRows('School')),
    users: sorted(actual.users.map(userRow)),
    classes: sorted(actual.classes.map(classRow)),
    licenses: sorted(actual.licenses.map(licenseRow)),
    books: sorted(publicationRows('books')),
    readers: sorted(publicationRows('readers')),
  };
}
