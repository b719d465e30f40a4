/** The columns that files of a wanted state may have, and how each is read. */
import { nameForm } from '../client/references/spelling.js';
import { LICENCE_TYPES } from '../contract/licenses.js';
import { publishers } from '../contract/publishers.js';
import { schools } from '../contract/schools.js';
import { LANGUAGES } from '../contract/shared.js';
import { readBoolean } from '../core/boolean.js';
import { getPath, isObject } from '../core/json.js';
import { splitList } from '../core/list-text.js';
import { getOrSet } from '../core/maps.js';
import type { TableColumn } from '../core/table/columns.js';
import type { Cell } from '../core/table/rows.js';
import { EXPORTED } from '../export/collect/resources.js';
import { fieldNames } from '../output/select/fields.js';

/** Reads a cell; undefined for a blank one. @throws Wrong with the end of the sentence "column X …" */
type Reader = (cell: Cell) => unknown;

class Wrong extends Error {}

function text(cell: Cell): string | undefined {
  if (typeof cell === 'object') throw new Wrong('must be a text, not a list');
  return cell?.trim() || undefined;
}

function number(cell: Cell): number | undefined {
  const value = text(cell);
  if (value !== undefined && !(/^-?\d+$/.test(value) && Number.isSafeInteger(Number(value))))
    throw new Wrong(`must be a whole number, not ${JSON.stringify(value)}`);
  return value === undefined ? undefined : Number(value);
}

function boolean(cell: Cell): boolean | undefined {
  const value = text(cell);
  if (value === undefined) return undefined;
  const found = readBoolean(value);
  if (found === undefined) throw new Wrong(`must be true or false, not ${JSON.stringify(value)}`);
  return found;
}

/** Reads a switch, for which false and a blank cell are equal. */
const on = (cell: Cell): true | undefined => boolean(cell) || undefined;

/** Reads a list; a blank cell is an empty one. */
const references = (cell: Cell = []): readonly string[] =>
  (typeof cell === 'string' ? splitList(cell, ';') : cell).flatMap((part) => part.trim() || []);

/** Reads the books of a licence. One of type Books always has some, so a blank cell does not manage them. */
function bookReferences(cell: Cell): readonly string[] | undefined {
  const books = references(cell);
  return books.length === 0 ? undefined : books;
}

/** Reads one of some words in any case. Other words are checked with the request. */
const oneOf =
  (words: readonly string[]) =>
  (cell: Cell): string | undefined => {
    const value = text(cell);
    return words.find((word) => word.toLowerCase() === value?.toLowerCase()) ?? value;
  };

const language = oneOf(LANGUAGES);

function country(cell: Cell): string | undefined {
  const value = text(cell);
  return value?.length === 2 ? value.toUpperCase() : value;
}

/** A reader, with the names of its columns if they are not the field's own. The first that is not blank counts. */
type Declared = Reader | readonly [Reader, ...string[]];
/** The fields of a resource; those of an object have dotted names. */
type Columns = Readonly<Record<string, Declared | Readonly<Record<string, Declared>>>>;

type ValueOf<D> = D extends readonly [infer R, ...unknown[]]
  ? ValueOf<R>
  : D extends (cell: Cell) => infer V
    ? V
    : FieldsOf<D>;
/** The fields that columns set, all optional. */
type FieldsOf<C> = { readonly [F in keyof C]?: ValueOf<C[F]> | undefined };

const ORGANIZATION = ['organization', 'organization.id', 'organization.name'] as const;

const PUBLICATION = {
  id: text,
  ean: text,
  title: text,
  subject: [text, 'subject', 'subject.id', 'subject.translatedName'],
  /** Required for a change, because the service does not return it. */
  language,
  settings: { indexPageNumber: number, pageNumberOffset: number },
} as const;

/** A column for each field of a body of texts. */
const texts = <B extends object>(body: B) =>
  Object.fromEntries(Object.keys(body).map((name) => [name, text])) as { readonly [F in keyof B]: typeof text };

/** The resources of a wanted state, in the order in which they are planned. Items are identified by ID, else by `KEYS`. */
const COLUMNS = {
  publishers: { id: text, ...texts(publishers.create.body) },
  schools: { id: text, ...texts(schools.create.body), country },
  users: {
    id: text,
    email: text,
    firstName: text,
    lastName: text,
    language,
    organization: [text, ...ORGANIZATION, 'school'],
    /** Other roles stay, unless roles are pruned or listed in `managedRoles`. */
    roles: [references, 'roles', 'roles.id', 'roles.name', 'role'],
  },
  classes: {
    id: [text, 'classId', 'id'],
    name: [text, 'className', 'name', 'class'],
    school: [text, 'schoolId', 'school'],
    /** Without one, a class is matched by school and name if that is unique. */
    subject: [text, 'subjectId', 'subject'],
    users: [references, 'usersInClass', 'users', 'members'],
    deactivationDate: text,
  },
  licenses: {
    id: text,
    code: (cell) => text(cell)?.toLowerCase(),
    name: text,
    type: oneOf(LICENCE_TYPES),
    books: [bookReferences, 'books', 'books.id', 'books.ean'],
    expiration: {
      type: oneOf(['Days', 'Date']),
      days: [number, 'expiration.days', 'days'],
      date: [text, 'expiration.date', 'until'],
    },
    maximumActivations: number,
    organization: [text, ...ORGANIZATION],
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
    secondSubject: text,
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
  /** True if a plan changes nothing of what the column shows. */
  readonly isUnmanaged?: boolean;
  /** Of several columns of a field, the first that is not blank counts. */
  readonly rank: number;
}

const isReader = (declared: Columns[string]): declared is Declared =>
  typeof declared === 'function' || Array.isArray(declared);

function columnsFor(field: string, declared: Columns[string]): readonly Omit<WantColumn, 'rank'>[] {
  if (!isReader(declared))
    // JSON rows may have null in place of the object.
    return [
      { name: field },
      ...Object.entries(declared).flatMap(([inner, one]) => columnsFor(`${field}.${inner}`, one)),
    ];
  const [read, ...names] = typeof declared === 'function' ? [declared, field] : declared;
  return names.map((name) => ({ name, field, read }));
}

/** The field of an item that a column with a dotted name belongs to. */
export const outerOf = (name: string): string => name.split('.')[0] ?? name;

/** The columns that the file of a resource may have. Those of an export that cannot be managed have no field. */
export function columnsOf(resource: Plannable): readonly WantColumn[] {
  const managed = Object.entries<Columns[string]>(COLUMNS[resource]).flatMap((entry) => columnsFor(...entry));
  const names = new Set(managed.map(({ name }) => name));
  const objects = new Set([...names].map(outerOf));
  const others = fieldNames(EXPORTED[resource].shape).filter((name) => !names.has(name));
  const all = [...managed, ...others.map((name) => ({ name, isUnmanaged: !objects.has(outerOf(name)) }))];
  return all.map((column: Omit<WantColumn, 'rank'>, rank) => ({
    ...column,
    rank,
    unlisted: column.name.includes('.'),
    form: DATES.has(column.name) ? 'date' : column.read === number ? 'whole' : undefined,
  }));
}

/** A blank list is a value, but not beside another column of its field. */
const isBlank = (value: unknown): boolean => value === undefined || (Array.isArray(value) && value.length === 0);

function put(fields: Record<string, unknown>, field: string, value: unknown): void {
  const [outer = field, inner] = field.split('.');
  if (inner === undefined) fields[outer] = isBlank(fields[outer]) ? value : fields[outer];
  else fields[outer] = { [inner]: value, ...(isObject(fields[outer]) ? fields[outer] : {}) };
}

/** Two references in one row, such as the ID and the name of a role, which must mean the same. */
export interface Pair {
  readonly field: string;
  readonly text: string;
  readonly also: string;
  /** The row, if it is not that of the item. */
  readonly at?: string;
}

/** The values of two columns of a field, such as `roles.id` and `roles.name`. A blank in a list leaves open which belong together. */
function pairsOf(field: string, before: unknown = [], value: unknown): readonly Pair[] {
  const texts = [before].flat();
  const others = [value].flat();
  if (texts.length !== others.length) return [];
  return texts.map((text, at) => ({ field, text: String(text), also: String(others[at]) }));
}

/**
 * Reads the values of a row.
 * @param values of the cells, by column
 * @returns its fields, and error messages by column
 */
export function readFields(values: readonly (readonly [column: WantColumn, cell: Cell])[]) {
  const fields: Record<string, unknown> = {};
  const problems: (readonly [WantColumn, string])[] = [];
  /** The columns of fields. Names of one field, such as `users` and `members`, mean the same, unlike `books.id` and `books.ean`. */
  const set = new Map<string, WantColumn>();
  const pairs: Pair[] = [];
  for (const [column, cell] of values) {
    const { name, field, read } = column;
    if (field === undefined || read === undefined) continue;
    try {
      const value = read(cell);
      if (value === undefined) continue;
      const before = getPath(fields, field);
      // Someone added an element to the column of e-mail addresses of an export, for example, which the one of IDs lacks.
      if (Array.isArray(before) && Array.isArray(value) && before.length > 0 && value.length > before.length)
        problems.push([column, `has ${value.length} values, but another column of the list has ${before.length}`]);
      if (name === field || !name.includes('.')) {
        const first = getOrSet(set, field, () => column);
        if (first !== column && JSON.stringify(before) !== JSON.stringify(value))
          problems.push([column, `is not what the column ${JSON.stringify(first.name)} says`]);
      } else pairs.push(...pairsOf(field, before, value));
      put(fields, field, value);
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      problems.push([column, error.message]);
    }
  }
  const { expiration } = fields;
  if (isObject(expiration)) expiration.type ??= expiration.days === undefined ? 'Date' : 'Days';
  if (pairs.length > 0) fields.pairs = pairs;
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

/** The unique key of a row, equal for keys that are compared as equal; undefined if it has none. */
export function keyOf(resource: Plannable, fields: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof fields.id === 'string') return `ID ${fields.id}`;
  const name = fields[KEYS[resource]];
  if (name === undefined) return undefined;
  const parts = resource === 'classes' ? [fields.school, fields.subject, name] : [name];
  return parts.flatMap((part) => (typeof part === 'string' ? nameForm(part) : [])).join(', ');
}
