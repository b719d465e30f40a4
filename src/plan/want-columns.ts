/** The columns that files of a wanted state may have, and how each is read. */
import type { Cell } from '../bulk/input/rows.js';
import { isObject } from '../core/json.js';
import type { Plannable, Want } from './want.js';

/** A parsed value or an error message; undefined for a blank cell. */
type Read = { readonly value: unknown } | { readonly wrong: string } | undefined;
type Reader = (raw: unknown) => Read;

/** A column and the field of a wanted item that it sets; null for columns of exports that cannot be managed. */
interface Column {
  readonly field: string;
  readonly read: Reader;
}

const isBlank = (raw: unknown): boolean => raw === undefined || raw === null || raw === '';

function text(raw: unknown): Read {
  if (isBlank(raw)) return undefined;
  if (typeof raw === 'string') return { value: raw };
  if (typeof raw === 'number' && Number.isSafeInteger(raw)) return { value: String(raw) };
  if (typeof raw === 'number') return { wrong: 'is a number that JSON readers round; write it in quotes' };
  return { wrong: 'must be a text' };
}

function number(raw: unknown): Read {
  if (isBlank(raw)) return undefined;
  const value = typeof raw === 'string' && /^-?\d+$/.test(raw.trim()) ? Number(raw) : raw;
  return Number.isSafeInteger(value) ? { value } : { wrong: `must be a whole number, not ${JSON.stringify(raw)}` };
}

const BOOLEANS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  1: true,
  false: false,
  no: false,
  0: false,
};

function boolean(raw: unknown): Read {
  if (isBlank(raw)) return undefined;
  const value = BOOLEANS[String(raw).trim().toLowerCase()];
  return value === undefined ? { wrong: `must be true or false, not ${JSON.stringify(raw)}` } : { value };
}

/** Reads a switch, for which false and a blank cell are equal. */
function on(raw: unknown): Read {
  const read = boolean(raw);
  return read !== undefined && 'value' in read && read.value === false ? undefined : read;
}

/** Reads a reference: a text, or an object of an export. */
function reference(raw: unknown): Read {
  if (!isObject(raw)) return text(raw);
  const named = [raw.id, raw.email, raw.ean, raw.name, raw.translatedName].find((one) => !isBlank(one));
  return named === undefined ? { wrong: 'is an object without id, email, ean or name' } : text(named);
}

/** The elements of a cell, separated by `;`. Within an element, `;` and `\\` are escaped by `\\`. */
const elementsOf = (cell: string): readonly string[] =>
  cell.split(/(?<!\\);/).map((part) => part.replace(/\\([;\\])/g, '$1'));

/** Reads a list of references; a blank cell is an empty list. */
function references(raw: unknown): Read {
  if (isBlank(raw)) return { value: [] };
  const parts = Array.isArray(raw) ? raw : typeof raw === 'string' ? elementsOf(raw) : [raw];
  const values: string[] = [];
  for (const part of parts) {
    const read = reference(typeof part === 'string' ? part.trim() : part);
    if (read !== undefined && 'wrong' in read) return { wrong: `has an element that ${read.wrong}` };
    if (read !== undefined) values.push(String(read.value));
  }
  return { value: values };
}

/** Returns a reader of objects, with a reader for each member. */
const members =
  (fields: Readonly<Record<string, Reader>>): Reader =>
  (raw) => {
    if (isBlank(raw)) return undefined;
    if (!isObject(raw)) return { wrong: 'must be an object' };
    const value: Record<string, unknown> = {};
    for (const [name, read] of Object.entries(fields)) {
      const inner = read(raw[name]);
      if (inner !== undefined && 'wrong' in inner) return { wrong: `: ${name} ${inner.wrong}` };
      if (inner !== undefined) value[name] = inner.value;
    }
    return Object.keys(value).length === 0 ? undefined : { value };
  };

const IGNORED = null;

type Columns = Readonly<Record<string, Column | null>>;

const as = (field: string, read: Reader = text): Column => ({ field, read });

const ORGANIZATION: Columns = {
  organization: as('organization', reference),
  'organization.id': as('organization'),
  'organization.name': as('organization'),
  'organization.type': IGNORED,
};

const SETTINGS: Columns = {
  settings: as('settings', members({ indexPageNumber: number, pageNumberOffset: number })),
  'settings.indexPageNumber': as('settings.indexPageNumber', number),
  'settings.pageNumberOffset': as('settings.pageNumberOffset', number),
};

const PUBLICATION: Columns = {
  id: as('id'),
  ean: as('ean'),
  title: as('title'),
  subject: as('subject', reference),
  'subject.id': as('subject'),
  'subject.translatedName': as('subject'),
  language: as('language'),
  ...SETTINGS,
  organization: IGNORED,
  'organization.id': IGNORED,
  'organization.type': IGNORED,
  coverUrl: IGNORED,
  pdfUrl: IGNORED,
  type: IGNORED,
  'type.name': IGNORED,
  'type.translatedName': IGNORED,
  active: IGNORED,
  tableOfContents: IGNORED,
};

/** The columns of each resource; if several set the same field, the first that is not blank counts. */
const COLUMNS: Readonly<Record<Plannable, Columns>> = {
  publishers: { id: as('id'), name: as('name'), roles: IGNORED, 'roles.id': IGNORED, 'roles.name': IGNORED },
  schools: {
    id: as('id'),
    name: as('name'),
    country: as('country'),
    city: as('city'),
    roles: IGNORED,
    'roles.id': IGNORED,
    'roles.name': IGNORED,
  },
  users: {
    id: as('id'),
    email: as('email'),
    firstName: as('firstName'),
    lastName: as('lastName'),
    language: as('language'),
    ...ORGANIZATION,
    school: as('organization', reference),
    roles: as('roles', references),
    'roles.id': as('roles', references),
    'roles.name': as('roles', references),
    role: as('roles', references),
    avatarUrl: IGNORED,
  },
  classes: {
    classId: as('id'),
    id: as('id'),
    className: as('name'),
    name: as('name'),
    class: as('name'),
    schoolId: as('school'),
    school: as('school', reference),
    subjectId: as('subject'),
    subject: as('subject', reference),
    usersInClass: as('users', references),
    users: as('users', references),
    members: as('users', references),
    deactivationDate: as('deactivationDate'),
    classCode: IGNORED,
    creationDate: IGNORED,
  },
  licenses: {
    id: as('id'),
    code: as('code'),
    name: as('name'),
    type: as('type'),
    books: as('books', references),
    'books.id': as('books', references),
    'books.ean': as('books', references),
    'books.title': IGNORED,
    expiration: as('expiration', members({ type: text, days: number, date: text })),
    'expiration.type': as('expiration.type'),
    'expiration.days': as('expiration.days', number),
    'expiration.date': as('expiration.date'),
    days: as('expiration.days', number),
    until: as('expiration.date'),
    maximumActivations: as('maximumActivations', number),
    ...ORGANIZATION,
    licenseCategory: as('licenseCategory'),
    endUsers: as('endUsers', references),
    'endUsers.id': as('endUsers', references),
    'endUsers.email': as('endUsers', references),
    users: as('endUsers', references),
    remove: as('remove', on),
    numberOfActivations: IGNORED,
    'endUsers.firstName': IGNORED,
    'endUsers.lastName': IGNORED,
    'endUsers.language': IGNORED,
  },
  books: {
    ...PUBLICATION,
    year: as('year', number),
    level: as('level'),
    stream: as('level'),
    series: as('series'),
    secondSubject: as('secondSubject', reference),
  },
  readers: { ...PUBLICATION, pdfDownloadable: as('pdfDownloadable', boolean) },
};

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9.]/g, '');

/** Columns by normalized name, with their precedence. */
const BY_NAME = Object.fromEntries(
  Object.entries(COLUMNS).map(([resource, columns]) => [
    resource,
    new Map(Object.entries(columns).map(([name, column], rank) => [plain(name), { column, rank }])),
  ]),
) as unknown as Readonly<Record<Plannable, ReadonlyMap<string, { column: Column | null; rank: number }>>>;

/** The names of the columns that a resource's file may have. */
export const columnNames = (resource: Plannable): readonly string[] => Object.keys(COLUMNS[resource]);

export interface RowReader {
  /** Unknown columns. */
  readonly unknown: readonly string[];
  /** Number of columns that are read. */
  readonly known: number;
  /** Reads a row. @returns its fields and error messages */
  readonly read: (cells: readonly (Cell | unknown)[]) => {
    readonly fields: Readonly<Record<string, unknown>>;
    readonly problems: readonly string[];
  };
}

function put(fields: Record<string, unknown>, field: string, value: unknown): void {
  const [outer = field, inner] = field.split('.');
  if (inner === undefined) fields[outer] ??= value;
  else fields[outer] = { [inner]: value, ...(isObject(fields[outer]) ? fields[outer] : {}) };
}

/** Creates a reader for rows with the given columns. */
export function rowReader(resource: Plannable, names: readonly string[]): RowReader {
  const found = names.map((name, index) => ({ name, index, ...BY_NAME[resource].get(plain(name)) }));
  const columns = found.filter(({ column }) => column != null).sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
  return {
    unknown: found.filter(({ column }) => column === undefined).map(({ name }) => name),
    known: columns.length,
    read(cells) {
      const fields: Record<string, unknown> = {};
      const problems: string[] = [];
      for (const { name, index, column } of columns) {
        const read = column?.read(cells[index]);
        if (read === undefined || column == null) continue;
        if ('wrong' in read) problems.push(`${name} ${read.wrong}`);
        else put(fields, column.field, read.value);
      }
      return { fields: completed(fields), problems };
    },
  };
}

/** Infers the type of an expiration from its days or date. */
function completed(fields: Record<string, unknown>): Record<string, unknown> {
  const { expiration } = fields;
  if (!isObject(expiration) || expiration.type !== undefined) return fields;
  return { ...fields, expiration: { type: expiration.days === undefined ? 'Date' : 'Days', ...expiration } };
}

/** Fields that identify a row; each row needs at least one of them. */
export const KEYS: Readonly<Record<Plannable, readonly string[]>> = {
  publishers: ['name', 'id'],
  schools: ['name', 'id'],
  users: ['email', 'id'],
  classes: ['name', 'id'],
  licenses: ['code', 'id'],
  books: ['ean', 'id'],
  readers: ['ean', 'id'],
};

/** The unique key of a row. */
export function keyOf(resource: Plannable, row: Want[Plannable][number]): string {
  const fields: Readonly<Record<string, unknown>> = { ...row };
  if (typeof fields.id === 'string') return `ID ${fields.id}`;
  const key = String(fields[KEYS[resource][0] ?? '']);
  if (resource === 'users') return key.toLowerCase();
  return resource === 'classes' ? [fields.school, fields.subject, key].filter(Boolean).join(', ') : key;
}
