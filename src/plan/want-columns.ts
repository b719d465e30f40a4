/** The columns that files of a wanted state may have, and how each is read. */
import { publishers } from '../contract/publishers.js';
import { schools } from '../contract/schools.js';
import { readBoolean } from '../core/boolean.js';
import { isObject } from '../core/json.js';
import type { TableColumn } from '../core/table/columns.js';
import { EXPORTED } from '../export/collect/resources.js';
import { fieldNames } from '../output/select/fields.js';

/** Reads a value; undefined for a blank one. @throws Wrong with the end of the sentence "column X …" */
type Reader = (raw: unknown) => unknown;

class Wrong extends Error {}

const isBlank = (raw: unknown): boolean => raw === undefined || raw === null || raw === '';

function text(raw: unknown): string | undefined {
  if (isBlank(raw)) return undefined;
  if (typeof raw === 'string') return raw.trim() || undefined;
  if (typeof raw !== 'number') throw new Wrong('must be a text');
  if (!Number.isSafeInteger(raw)) throw new Wrong('is a number that JSON readers round; write it in quotes');
  return String(raw);
}

function number(raw: unknown): number | undefined {
  if (isBlank(raw)) return undefined;
  const value = typeof raw === 'string' && /^-?\d+$/.test(raw.trim()) ? Number(raw) : raw;
  if (!Number.isSafeInteger(value)) throw new Wrong(`must be a whole number, not ${JSON.stringify(raw)}`);
  return value as number;
}

function boolean(raw: unknown): boolean | undefined {
  if (isBlank(raw)) return undefined;
  const value = readBoolean(String(raw));
  if (value === undefined) throw new Wrong(`must be true or false, not ${JSON.stringify(raw)}`);
  return value;
}

/** Reads a switch, for which false and a blank cell are equal. */
const on = (raw: unknown): true | undefined => boolean(raw) || undefined;

/** Reads a reference: a text, or an object of an export. */
function reference(raw: unknown): string | undefined {
  if (!isObject(raw)) return text(raw);
  const named = [raw.id, raw.email, raw.ean, raw.name, raw.translatedName].find((one) => !isBlank(one));
  if (named === undefined) throw new Wrong('is an object without id, email, ean or name');
  return text(named);
}

/** Runs a reader, and completes the message of its error. */
function within<T>(beginning: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Wrong ? new Wrong(`${beginning} ${error.message}`) : error;
  }
}

/** The elements of a cell, separated by `;`. Within an element, `;` and `\\` are escaped by `\\`. */
const elementsOf = (cell: string): readonly string[] =>
  cell.split(/(?<!\\);/).map((part) => part.replace(/\\([;\\])/g, '$1'));

/** Reads a list of references; a blank cell is an empty list. */
function references(raw: unknown): readonly string[] {
  if (isBlank(raw)) return [];
  const parts: readonly unknown[] = Array.isArray(raw) ? raw : typeof raw === 'string' ? elementsOf(raw) : [raw];
  return within('has an element that', () =>
    parts.flatMap((part) => reference(typeof part === 'string' ? part.trim() : part) ?? []),
  );
}

/** Reads the books of a licence. One of type Books always has some, so a blank cell does not manage them. */
function bookReferences(raw: unknown): readonly string[] | undefined {
  const books = references(raw);
  return books.length === 0 ? undefined : books;
}

const members =
  <F extends Readonly<Record<string, Reader>>>(fields: F) =>
  (raw: unknown): FieldsOf<F> | undefined => {
    if (isBlank(raw)) return undefined;
    if (!isObject(raw)) throw new Wrong('must be an object');
    const entries = Object.entries(fields).map(([name, read]) => [name, within(`: ${name}`, () => read(raw[name]))]);
    const filled = entries.filter(([, value]) => value !== undefined);
    return filled.length === 0 ? undefined : (Object.fromEntries(filled) as FieldsOf<F>);
  };

/** The reader of each field, with the names of its columns if they are not the field's own. The first that is not blank counts. */
type Columns = Readonly<Record<string, Reader | readonly [Reader, ...string[]]>>;

type ValueOf<D> = D extends readonly [infer R, ...unknown[]]
  ? ValueOf<R>
  : D extends (raw: unknown) => infer V
    ? V
    : never;
/** The fields that columns set, all optional. */
type FieldsOf<C> = {
  readonly [F in keyof C as F extends `${string}.${string}` ? never : F]?: ValueOf<C[F]> | undefined;
};

const ORGANIZATION = ['organization', 'organization.id', 'organization.name'] as const;

const PUBLICATION = {
  id: text,
  ean: text,
  title: text,
  subject: [reference, 'subject', 'subject.id', 'subject.translatedName'],
  /** Required for a change, because the service does not return it. */
  language: text,
  settings: members({ indexPageNumber: number, pageNumberOffset: number }),
  'settings.indexPageNumber': number,
  'settings.pageNumberOffset': number,
} as const;

/** A column for each field of a body of texts. */
const texts = <B extends object>(body: B) =>
  Object.fromEntries(Object.keys(body).map((name) => [name, text])) as { readonly [F in keyof B]: typeof text };

/** The resources of a wanted state, in the order in which they are planned. Items are identified by ID, else by `KEYS`. */
const COLUMNS = {
  publishers: { id: text, ...texts(publishers.create.body) },
  schools: { id: text, ...texts(schools.create.body) },
  users: {
    id: text,
    email: text,
    firstName: text,
    lastName: text,
    language: text,
    organization: [reference, ...ORGANIZATION, 'school'],
    /** Other roles stay, unless roles are pruned or listed in `managedRoles`. */
    roles: [references, 'roles', 'roles.id', 'roles.name', 'role'],
  },
  classes: {
    id: [text, 'classId', 'id'],
    name: [text, 'className', 'name', 'class'],
    school: [reference, 'schoolId', 'school'],
    /** Without one, a class is matched by school and name if that is unique. */
    subject: [reference, 'subjectId', 'subject'],
    users: [references, 'usersInClass', 'users', 'members'],
    deactivationDate: text,
  },
  licenses: {
    id: text,
    code: text,
    name: text,
    type: text,
    books: [bookReferences, 'books', 'books.id', 'books.ean'],
    expiration: members({ type: text, days: number, date: text }),
    'expiration.type': text,
    'expiration.days': [number, 'expiration.days', 'days'],
    'expiration.date': [text, 'expiration.date', 'until'],
    maximumActivations: number,
    organization: [reference, ...ORGANIZATION],
    /** ID, sent with an update; never a reason for one, because the service does not return it. */
    licenseCategory: text,
    /** Others keep it: the service cannot take a licence away. */
    endUsers: [references, 'endUsers', 'endUsers.id', 'endUsers.email', 'users'],
    /** Delete it, or cancel it if it has activations. */
    remove: on,
  },
  books: {
    ...PUBLICATION,
    year: number,
    level: [text, 'level', 'stream'],
    series: text,
    /** The service does not return it, so a change without it would drop it. */
    secondSubject: reference,
  },
  readers: { ...PUBLICATION, pdfDownloadable: boolean },
} as const satisfies Readonly<Record<string, Columns>>;

/** Columns of dates, which files may write in another format. */
const DATES: ReadonlySet<string> = new Set(['expiration.date', 'until']);

export type Plannable = keyof typeof COLUMNS;
export const PLANNABLE = Object.keys(COLUMNS) as readonly Plannable[];
/** The fields that the columns of a resource's file set. A missing one is not managed. */
export type WantedFields<R extends Plannable> = FieldsOf<(typeof COLUMNS)[R]>;

/** A column of a file; without a field it is known, but not managed. */
export interface WantColumn extends TableColumn {
  readonly field?: string;
  readonly read?: Reader;
  /** Of several columns of a field, the first that is not blank counts. */
  readonly rank: number;
}

/** The columns that the file of a resource may have. Those of an export that cannot be managed have no field. */
export function columnsOf(resource: Plannable): readonly WantColumn[] {
  const managed = Object.entries<Columns[string]>(COLUMNS[resource]).flatMap(([field, declared]) => {
    const [read, ...names] = typeof declared === 'function' ? [declared, field] : declared;
    return names.map((name) => ({ name, field, read }));
  });
  const names = new Set(managed.map(({ name }) => name));
  const others = fieldNames(EXPORTED[resource].shape).filter((name) => !names.has(name));
  const all = [...managed, ...others.map((name) => ({ name }))];
  return all.map((column, rank) => ({
    ...column,
    rank,
    unlisted: column.name.includes('.'),
    ...(DATES.has(column.name) ? { form: 'date' } : {}),
  }));
}

function put(fields: Record<string, unknown>, field: string, value: unknown): void {
  const [outer = field, inner] = field.split('.');
  if (inner === undefined) fields[outer] ??= value;
  else fields[outer] = { [inner]: value, ...(isObject(fields[outer]) ? fields[outer] : {}) };
}

/**
 * Reads the values of a row.
 * @param values of the cells, by column
 * @returns its fields, and error messages by column
 */
export function readFields(values: readonly (readonly [column: WantColumn, raw: unknown])[]) {
  const fields: Record<string, unknown> = {};
  const problems: (readonly [WantColumn, string])[] = [];
  for (const [column, raw] of values) {
    const { field, read } = column;
    if (field === undefined || read === undefined) continue;
    try {
      const value = read(raw);
      if (value !== undefined) put(fields, field, value);
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      problems.push([column, error.message]);
    }
  }
  const { expiration } = fields;
  if (isObject(expiration)) expiration.type ??= expiration.days === undefined ? 'Date' : 'Days';
  return { fields, problems };
}

/** The field that identifies a row without an ID. */
export const KEYS: Readonly<Record<Plannable, string>> = {
  publishers: 'name',
  schools: 'name',
  users: 'email',
  classes: 'name',
  licenses: 'code',
  books: 'ean',
  readers: 'ean',
};

/** The unique key of a row; undefined if it has none. */
export function keyOf(resource: Plannable, fields: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof fields.id === 'string') return `ID ${fields.id}`;
  const name = fields[KEYS[resource]];
  if (name === undefined) return undefined;
  const key = String(name);
  if (resource === 'users') return key.toLowerCase();
  return resource === 'classes' ? [fields.school, fields.subject, key].filter(Boolean).join(', ') : key;
}
