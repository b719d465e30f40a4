/** The requests that plans may contain, and the fields of items in the form of these requests, both from the contract. */
import { books } from '../contract/books.js';
import { classes } from '../contract/classes.js';
import { licenses } from '../contract/licenses.js';
import { publishers } from '../contract/publishers.js';
import { readers } from '../contract/readers.js';
import { schools } from '../contract/schools.js';
import { users } from '../contract/users.js';
import type { Endpoint, Field } from '../contract/vocabulary.js';
import { isKind } from '../core/errors.js';
import { getPath, isObject } from '../core/json.js';
import type { Fields, Step } from './steps.js';
import type { Plannable } from './want-columns.js';

export const ENDPOINTS = { publishers, schools, users, classes, licenses, books, readers };

const ITEM_VERBS: readonly string[] = ['create', 'update', 'delete', 'cancel'];
const RELATIONS: Readonly<Record<string, Readonly<Record<string, Endpoint>>>> = {
  members: { assign: classes.assign, unassign: classes.unassign },
  holders: { assign: licenses.assign },
};

const own = (of: object | undefined, name: string): object | undefined =>
  of !== undefined && Object.hasOwn(of, name) ? (of as Readonly<Record<string, object>>)[name] : undefined;

/** The endpoint of a step; undefined if a plan cannot do that. Books and readers are created with files. */
export function endpointOf({ verb, resource }: Readonly<Record<'verb' | 'resource', string>>): Endpoint | undefined {
  const found = own(own(ITEM_VERBS.includes(verb) ? ENDPOINTS : RELATIONS, resource), verb) as Endpoint | undefined;
  return found?.encoding === 'multipart' ? undefined : found;
}

export const isRelation = ({ resource }: Pick<Step, 'resource'>): boolean => Object.hasOwn(RELATIONS, resource);

const pathOf = (name: string, { readAs = name }: Field): string => readAs;

/** Whether the service returns a field of a request in a form that can be compared. */
export function isSeen(resource: Plannable, name: string): boolean {
  const { get, update } = ENDPOINTS[resource];
  const field = (update.body as Readonly<Record<string, Field>>)[name];
  const [first = ''] = field === undefined ? [] : pathOf(name, field).split('.');
  return field !== undefined && field.readBack !== false && Object.hasOwn(get.returns.fields, first);
}

/** Without blank members, which cannot be sent. */
export const filled = (value: Fields): Fields =>
  Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined));

function asSent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => (isObject(one) ? one.id : one));
  return isObject(value) ? filled(value) : value;
}

/** The fields of an item in the form of its update, without those that it lacks. @param item as the service returns it */
export function fieldsOf(resource: Plannable, item: unknown): Fields {
  const fields: Record<string, unknown> = {};
  for (const [name, field] of Object.entries<Field>(ENDPOINTS[resource].update.body)) {
    const value = getPath(item, pathOf(name, field));
    // Only a licence of type Books needs books and an end, but one of type Teacher may have them too.
    const isLacking = field.requiredWhen !== undefined && (value === null || isEqual(value, []));
    if (!isLacking && value !== undefined && isSeen(resource, name)) fields[name] = asSent(value);
  }
  return fields;
}

/** The required fields that an update lacks, because neither the row nor the service gives them. */
export const lackedBy = (resource: Plannable, after: Fields): readonly string[] =>
  Object.entries<Field>(ENDPOINTS[resource].update.body).flatMap(([name, { required, requiredWhen: when }]) => {
    const value = after[name] ?? '';
    const isNeeded = required === true || (when !== undefined && getPath(after, when.field) === when.is);
    return isNeeded && (value === '' || (Array.isArray(value) && value.includes(''))) ? [name] : [];
  });

/** Normalizes a value for comparison: lists as sets, no blank members, and one form of ü, which macOS writes as two characters. */
function plain(value: unknown): unknown {
  if (typeof value === 'string') return value.normalize('NFC');
  if (Array.isArray(value)) return value.map((one) => JSON.stringify(plain(one))).sort();
  if (!isObject(value)) return value ?? null;
  const entries = Object.entries(filled(value)).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([name, inner]) => [name, plain(inner)]);
}

export const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(plain(a)) === JSON.stringify(plain(b));

/** The names of the fields of `wanted` that differ in an item, without those that cannot be compared. */
export const differing = (resource: Plannable, present: Fields, wanted: Fields): readonly string[] =>
  Object.keys(wanted).filter(
    (name) => (isSeen(resource, name) || name in present) && !isEqual(present[name], wanted[name]),
  );

/** An error that names the list which the caller may not read; others as they are. */
export function withList(error: unknown, { path }: Endpoint, { query = {} }: { readonly query?: object }): unknown {
  if (!isKind(error, 'forbidden')) return error;
  const { organization, type } = query as { readonly organization?: string; readonly type?: string };
  const of = organization === undefined ? '' : ` of ${type} ${organization}`;
  return error.with({ message: `${path.split('/').at(-1)}${of}: ${error.message}` });
}
