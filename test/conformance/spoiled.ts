/** Invalidates one input of a valid request at a time, by the documented rules of its fields. */
import { DOCUMENTED_LIMITS, type DocumentedLimit, nameOf } from '../contract/documented-limits.js';
import type { Given } from './actor.js';
import { documentedRow } from './answer-check.js';
import type { Route } from './typed-routes.js';

export interface Spoiled {
  readonly field: string;
  /** The changed input, for the failure message. */
  readonly why: string;
  readonly given: Given;
}

type Tree = { readonly [name: string]: unknown };

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);

/** The tree with the value at a dotted path replaced; `undefined` removes it. */
function withAt(tree: Tree, path: string, value: unknown): Tree {
  const [name = '', ...rest] = path.split('.');
  if (rest.length > 0) {
    const inner = tree[name];
    return { ...tree, [name]: withAt(isTree(inner) ? inner : {}, rest.join('.'), value) };
  }
  const { [name]: _, ...others } = tree;
  return value === undefined ? others : { ...others, [name]: value };
}

/** The request with one input replaced. Names in forms are flat. */
function replaced(given: Given, place: 'query' | 'body', field: string, value: unknown): Given {
  if (place === 'query') {
    return { ...given, query: { ...given.query, [field]: value as string | undefined } };
  }
  if (given.form) return { ...given, form: { ...given.form, [field]: value as string | undefined } };
  return { ...given, json: withAt(isTree(given.json) ? given.json : {}, field, value) };
}

/** Values that break a rule. A form or query contains only text. */
function wrongValues(limit: DocumentedLimit, asText: boolean): unknown[] {
  const values: unknown[] = [];
  if (limit.oneOf) values.push(...(typeof limit.oneOf[0] === 'number' ? [0, 1, 31, 366, -30, 30.5] : ['', 'Xx', 'x']));
  if (limit.maxLength !== undefined) values.push('n'.repeat(limit.maxLength + 1));
  if (limit.minimum !== undefined) values.push(limit.minimum - 1);
  if (limit.format === 'yyyy-MM-dd') values.push('tomorrow', '2030-02-30', '2030-13-01', '01-02-2030', '2030-1-2', '');
  if (limit.format === 'ISO 3166-1 alpha-2') values.push('', 'N', 'NLD', 'nl', 'XX', '12');
  if (limit.kind === 'number' || limit.kind === 'integer') values.push(asText ? 'many' : '3', asText ? '' : true);
  if (limit.kind === 'integer') values.push(asText ? '1.5' : 1.5);
  if (limit.kind === 'boolean' && !asText) values.push('perhaps', 7);
  if (limit.kind === 'list') values.push('b1', {}, [7]);
  const isText = limit.kind === undefined && typeof limit.oneOf?.[0] !== 'number';
  if (isText && !asText) values.push(7, ['x'], {});
  return asText ? values.map((value) => `${value}`) : values;
}

/** Values of another type for text without a rule; only JSON has them. */
const NOT_TEXT = [7, true, ['x'], { x: 1 }];

/** Requests of a route that must be refused: with a required input missing, and with an invalid one. */
export function spoiledRequests(route: Route, given: Given): { missing: Spoiled[]; wrong: Spoiled[] } {
  const row = documentedRow(route);
  const missing: Spoiled[] = [];
  const wrong: Spoiled[] = [];
  for (const place of ['query', 'body'] as const) {
    for (const written of row[place] ?? []) {
      const field = nameOf(written);
      if (!written.includes('?')) missing.push(...withoutField(given, place, field, written));
      const limit = DOCUMENTED_LIMITS.get(`${route} ${place} ${field}`);
      const asText = place === 'query' || given.form !== undefined;
      // a blank optional field equals an omitted one
      const values = (limit ? wrongValues(limit, asText) : asText ? [] : NOT_TEXT).filter(
        (value) => value !== '' || !written.endsWith('?'),
      );
      // an object is invalidated by its members
      if (limit?.kind === 'file' || field === 'expiration') continue;
      for (const value of values) {
        const prepared = field === 'expiration.date' ? replaced(given, place, 'expiration', { type: 'Date' }) : given;
        wrong.push({
          field,
          why: `${place} ${field} = ${JSON.stringify(value)}`,
          given: replaced(prepared, place, field, value),
        });
      }
    }
  }
  return { missing, wrong };
}

function withoutField(given: Given, place: 'query' | 'body', field: string, written: string): Spoiled[] {
  // conditional fields must be needed: licences here have books and days
  const needed = written.endsWith('is Date') ? replaced(given, place, 'expiration', { type: 'Date' }) : given;
  const ways: (readonly [how: string, value: unknown])[] = [['left out', undefined]];
  if (place === 'body' && given.json !== undefined) ways.push(['null', null]);
  if (place === 'body' && given.json !== undefined && isPlainText(given, field)) ways.push(['empty', '']);
  return ways.map(([how, value]) => ({
    field,
    why: `${place} ${field} ${how}`,
    given: replaced(needed, place, field, value),
  }));
}

function isPlainText(given: Given, field: string): boolean {
  let value: unknown = given.json;
  for (const name of field.split('.')) value = isTree(value) ? value[name] : undefined;
  return typeof value === 'string';
}
