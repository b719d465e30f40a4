/** Which calls may be repeated, how a create is recognised, and what cannot be undone. */
import { expect, it } from 'vitest';
import { oauthRows, routeOf, rows } from './contract-leaves.js';

/** Creates that have a natural key, and the key (notes on bulk jobs, "Keys"). */
const KEYED: Readonly<Record<string, string>> = {
  'POST /v1/licenses': 'code',
  'POST /v1/publishers': 'name',
  'POST /v1/schools': 'name',
  'POST /v1/users': 'email',
  'POST /v1/books': 'ean',
};

/** Creates without one: `PUT readers` creates although it is a PUT; an end user's e-mail is null until verified. */
const UNKEYED: readonly string[] = [
  'POST /v1/classes',
  'POST /v1/files',
  'POST /v1/readers',
  'PUT /v1/readers',
  'POST /v1/subscriptions',
  'POST /v1/users/enduser',
];

/** PRODUCT.md, "Commands": these need confirmation. */
const DESTROYS: readonly string[] = [
  'PUT /v1/classes/delete/{id}',
  'PUT /v1/licenses/{id}/cancel',
  'DELETE /v1/licenses/{id}',
  'PUT /v1/users/{id}/anonymize',
];

it.each(rows)('%s may be repeated as its endpoint allows', (_, row) => {
  const route = routeOf(row);
  const key = KEYED[route];
  expect(row.repeat).toBe(key ? 'keyed' : UNKEYED.includes(route) ? 'unkeyed' : 'safe');
  expect(row.key).toBe(key);
  if (key) expect(row.body).toHaveProperty(key);
  expect(row.destroys).toBe(DESTROYS.includes(route) ? true : undefined);
});

it('treats every POST as a create, and lists only routes that exist', () => {
  const routes = new Set(rows.map(([, row]) => routeOf(row)));
  for (const route of [...Object.keys(KEYED), ...UNKEYED, ...DESTROYS]) expect(routes).toContain(route);
  for (const [name, row] of rows) if (row.method === 'POST') expect(row.repeat, name).not.toBe('safe');
});

it('never repeats the exchange of a code, which the first call spends', () => {
  expect(Object.fromEntries(oauthRows.map(([name, row]) => [name, row.repeat]))).toEqual({
    'oauth.authorize': 'safe',
    'oauth.token': 'unkeyed',
  });
});
