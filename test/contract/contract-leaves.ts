/** Converts rows of src/contract to the notation of endpoint-table.ts, to compare the two. */
import { contract, oauth } from '../../src/contract/index.js';
import type { Endpoint, Field, Fields } from '../../src/contract/vocabulary.js';
import type { DocumentedField } from './endpoint-table.js';

/** Every row of the contract by its route. */
export const rows: readonly (readonly [name: string, row: Endpoint])[] = Object.entries(contract).flatMap(
  ([resource, endpoints]) =>
    Object.entries(endpoints).map(([name, row]) => [`${resource}.${name}`, row as Endpoint] as const),
);

export const oauthRows: readonly (readonly [name: string, row: Endpoint])[] = Object.entries(oauth).map(
  ([name, row]) => [`oauth.${name}`, row as Endpoint] as const,
);

export const routeOf = (row: Endpoint): string => `${row.method} ${row.path}`;

/** Names of the query: those of the row, and the two of every paged list. */
export function queryOf(row: Endpoint): DocumentedField[] {
  const own = Object.entries(row.query ?? {}).map(([name, field]) => (field.required ? name : `${name}?`));
  return row.list?.paged ? [...own, 'limit?', 'cursor?'] : own;
}

const mark = (name: string, field: Field, inherited: boolean): DocumentedField => {
  if (field.requiredWhen) return `${name} if ${field.requiredWhen.field} is ${field.requiredWhen.is}`;
  return field.required && inherited ? name : `${name}?`;
};

/** Body names, dotted; an object counts by its members, and itself only if it has its own condition. */
export function bodyOf(fields: Fields, prefix = '', inherited = true): DocumentedField[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = prefix + name;
    if (field.kind !== 'object' || !field.fields) return [mark(path, field, inherited)];
    const members = bodyOf(field.fields, `${path}.`, inherited && field.required === true);
    return field.requiredWhen ? [mark(path, field, inherited), ...members] : members;
  });
}

/** Every input field that is not an object, with its place and dotted name. */
export function inputsOf(row: Endpoint): (readonly [place: 'query' | 'body', name: string, field: Field])[] {
  const walk = (fields: Fields, prefix: string): (readonly [string, Field])[] =>
    Object.entries(fields).flatMap(([name, field]) =>
      field.kind === 'object' && field.fields
        ? walk(field.fields, `${prefix}${name}.`)
        : [[prefix + name, field] as const],
    );
  return [
    ...walk(row.query ?? {}, '').map(([name, field]) => ['query', name, field] as const),
    ...walk(row.body ?? {}, '').map(([name, field]) => ['body', name, field] as const),
  ];
}

function leavesOf(path: string, field: Field): string[] {
  if (field.kind === 'list' && field.of) return leavesOf(`${path}[]`, field.of);
  if (field.kind === 'object' && field.fields) {
    return Object.entries(field.fields).flatMap(([name, member]) =>
      leavesOf(path === '' ? name : `${path}.${name}`, member),
    );
  }
  return [path];
}

/** The leaves of the response; `open` if its shape, or that of its items, is not documented. */
export function answerOf(row: Endpoint): string[] | 'none' | 'open' {
  if (row.list) {
    if (row.list.of.kind === 'any') return 'open';
    const items = leavesOf(row.list.key === null ? '[]' : `${row.list.key}[]`, row.list.of);
    return row.list.paged ? [...items, 'paging.nextCursor'] : items;
  }
  if (!row.returns) return 'none';
  return row.returns.kind === 'any' ? 'open' : leavesOf('', row.returns);
}
