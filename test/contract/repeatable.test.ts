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

/** Every POST is a create, and this PUT. An end user has no key: the e-mail is null until verified. */
const isCreate = (route: string): boolean => route.startsWith('POST ') || route === 'PUT /v1/readers';

/** These need confirmation. */
const DESTROYS: readonly string[] = [
  'PUT /v1/classes/delete/{id}',
  'PUT /v1/licenses/{id}/cancel',
  'DELETE /v1/licenses/{id}',
  'PUT /v1/users/{id}/anonymize',
];

/** Where an item shows that a user was assigned, or no longer is. A subscription does not name its users. */
const ASSIGNS: Readonly<Record<string, object>> = {
  'PUT /v1/assignClass/assignClassToUser': { in: 'usersInClass', is: true },
  'PUT /v1/unAssignClass/unAssignClassFromUser': { in: 'usersInClass', is: false },
  'PUT /v1/licenses/assignLicense': { in: 'endUsers', is: true },
};

it.each(rows)('%s may be repeated as its endpoint allows', (_, row) => {
  const route = routeOf(row);
  const key = KEYED[route];
  expect(row.repeat).toBe(key ? 'keyed' : isCreate(route) ? 'unkeyed' : 'safe');
  expect(row.key, 'src/contract and KEYED in repeatable.test.ts').toBe(key);
  if (key) expect(row.body).toHaveProperty(key);
  const destroys = DESTROYS.includes(route) ? true : undefined;
  expect(row.assigns, 'src/contract and ASSIGNS in repeatable.test.ts').toEqual(ASSIGNS[route]);
  expect(row.destroys, 'src/contract and DESTROYS in repeatable.test.ts').toBe(destroys);
});

it('lists only routes that exist', () => {
  const routes = new Set(rows.map(([, row]) => routeOf(row)));
  for (const route of [...Object.keys(KEYED), ...Object.keys(ASSIGNS), ...DESTROYS]) expect(routes).toContain(route);
});

it('never repeats the exchange of a code, which the first call spends', () => {
  expect(Object.fromEntries(oauthRows.map(([name, row]) => [name, row.repeat]))).toEqual({
    'oauth.authorize': 'safe',
    'oauth.token': 'unkeyed',
  });
});
