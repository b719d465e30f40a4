/** Converts the actual state to a wanted one, with keys instead of IDs; planning it yields no steps. */

import { damageOf } from '../core/table/damage.js';
import { type Actual, type ActualClass, type ActualLicense, type ActualUser, ORGANIZATIONS } from './actual.js';
import { assignable, createReferences, findRole, idIn } from './planner/want-references.js';
import type { Plannable } from './want-columns.js';

/** A reference that a plan could not resolve. */
const UNKNOWN = Symbol('unknown');

type Row = Readonly<Record<string, unknown>>;
export type WantRows = Readonly<Record<Plannable, readonly Row[]>>;

/** Whether a table is read with this text: cells are trimmed, damaged ones refused, and UTF-8 has no lone surrogates. */
const isWritable = (text: string): boolean =>
  text !== '' && text.trim() === text && damageOf(text) === undefined && !/\p{Surrogate}/u.test(text);

/** Whether a text can be written to a list in a cell and read back unchanged. */
const isPlain = (text: string): boolean => isWritable(text) && !/[;\\]/.test(text);

/** Sorts rows by content, because the service guarantees no order, and version control needs one. */
function sorted(rows: readonly Row[]): readonly Row[] {
  const keyed = rows.map((row) => [JSON.stringify(row), row] as const);
  return keyed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** The first of some texts that a file can hold and that the planner takes for the item. */
const keyFor = (id: string, names: readonly string[], meaning: (text: string) => unknown): string =>
  [...names, id].find((text) => isPlain(text) && meaning(text) === id) ?? `id:${id}`;

/** @param leaveOut called for each field of a row that is not managed, because a plan would not read it as it is */
export function wantOf(actual: Actual, leaveOut: (resource: Plannable, field: string) => void = () => {}): WantRows {
  const lookup = createReferences(actual);
  /** Omits blank fields, texts that a file cannot represent, and references that mean no item. */
  function filled(resource: Plannable, row: Row): Row {
    const isGiven = ([field, value]: readonly [string, unknown]): boolean => {
      if (value === '' || value === null || value === undefined) return false;
      const isKept = value !== UNKNOWN && (typeof value !== 'string' || isWritable(value));
      if (!isKept) leaveOut(resource, field);
      return isKept;
    };
    return Object.fromEntries(Object.entries(row).filter(isGiven));
  }
  const organizationKey = (id: string): string =>
    keyFor(id, [lookup.organizations.get(id)?.name ?? ''], (text) => idIn(lookup.organization(text)));
  const subjectNames = new Map((actual.subjects ?? []).map(({ id, name }) => [id, name]));
  function subjectKey(id: string): string | symbol {
    if (id === '') return id;
    // Where subjects may not be listed, an ID means one.
    return actual.subjects === undefined || subjectNames.has(id)
      ? keyFor(id, [subjectNames.get(id) ?? ''], (text) => idIn(lookup.subject(text)))
      : UNKNOWN;
  }
  const personKey = (id: string): string =>
    keyFor(id, [lookup.users.get(id)?.email ?? ''], (text) => lookup.person(text));

  function userRow({ id, organization, roles, ...one }: ActualUser): Row {
    const known = assignable(roles, lookup.organizations.get(organization.id)?.roles ?? []);
    const keys = roles.map((role) => keyFor(role.id, [role.name], (text) => idIn(findRole(text, known))));
    return filled('users', {
      ...(isWritable(one.email ?? '') && lookup.usersWith(one.email ?? '').length === 1 ? {} : { id }),
      ...one,
      organization: organizationKey(organization.id),
      roles: roles.every((role) => role.id !== '') ? keys.sort() : UNKNOWN,
    });
  }

  function classRow({ id, name, schoolId, subjectId, users }: ActualClass): Row {
    const same = lookup.classesNamed(schoolId, name).filter((one) => one.subjectId === subjectId);
    return filled('classes', {
      ...(same.length === 1 && isWritable(name) ? {} : { classId: id }),
      className: name,
      schoolId: organizationKey(schoolId),
      subjectId: subjectKey(subjectId),
      usersInClass: users.map(personKey).sort(),
    });
  }

  function licenseRow({ id, code, name, type, maximumActivations, organization, ...one }: ActualLicense): Row {
    const books = one.books.map(({ id: book, ean }) => keyFor(book, [ean], (text) => idIn(lookup.book(text))));
    const expiration = one.expiration && filled('licenses', one.expiration);
    return filled('licenses', {
      ...(isWritable(code) ? {} : { id }),
      name,
      code,
      type,
      books: books.sort(),
      expiration,
      maximumActivations,
      organization: lookup.organizations.has(organization.id) ? organizationKey(organization.id) : UNKNOWN,
      endUsers: one.holders.map(personKey).sort(),
    });
  }

  function organizationRows(kind: keyof typeof ORGANIZATIONS): readonly Row[] {
    const type = ORGANIZATIONS[kind];
    const others = actual.organizations.filter((one) => one.type === type && one.id !== actual.own.id);
    return others.map(({ id, name, type: _, roles: __, ...fields }) => {
      const isKey =
        isWritable(name) && lookup.organizationsCalled(name).filter((one) => one.type === type).length === 1;
      return filled(kind, { ...(isKey ? {} : { id }), name, ...fields });
    });
  }

  const publicationRows = (kind: 'books' | 'readers'): readonly Row[] =>
    actual[kind].map(({ id, subject, type, organization, ...one }) => {
      const isKey = isWritable(one.ean) && lookup.publicationsWith[kind](one.ean).length === 1;
      return filled(kind, { ...(isKey ? {} : { id }), ...one, subject: subjectKey(subject.id) });
    });

  return {
    publishers: sorted(organizationRows('publishers')),
    schools: sorted(organizationRows('schools')),
    users: sorted(actual.users.map(userRow)),
    classes: sorted(actual.classes.map(classRow)),
    licenses: sorted(actual.licenses.map(licenseRow)),
    books: sorted(publicationRows('books')),
    readers: sorted(publicationRows('readers')),
  };
}
