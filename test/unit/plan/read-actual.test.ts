/** What is read of the service for a wanted state. */
import { expect, test } from 'vitest';
import { createResolver } from '../../../src/client/references/resolver.js';
import { readActual } from '../../../src/plan/read-actual.js';
import { NOTHING_WANTED, type Want } from '../../../src/plan/want.js';
import { bench } from '../client/support.js';
import { at, SCHOOL } from './small-states.js';

/** @returns the lists that are read, without their queries */
async function listsFor(want: Partial<Want>, users: readonly object[] = []): Promise<readonly string[]> {
  const members = [
    'publishers',
    'schools',
    'users',
    'classes',
    'licenses',
    'subjects',
    'books',
    'readers',
    'roles',
    'activations',
  ];
  const body = Object.fromEntries(members.map((name) => [name, []]));
  const one = { id: 'R1', ean: '978' };
  const other = { id: 'R2', ean: '979', organization: { id: 'p1', type: 'Publisher' } };
  const licenses = [{ id: 'L1', code: 'a1', numberOfActivations: 1, endUsers: [] }];
  const answers = (path: string) =>
    path.includes('/classes') ? [] : path.includes('/R1') ? one : { ...body, users, licenses, readers: [one, other] };
  const { client, lines } = bench(({ path }) => ({ body: answers(path) }));
  const { signal } = new AbortController();
  const own = async () => SCHOOL;
  const resolver = createResolver({
    ...{ client: async () => client, language: () => 'EN', callersOrganization: own, organization: own, signal },
    warn: async () => {},
  });
  await readActual(
    { ...NOTHING_WANTED, ...want },
    {
      client,
      signal,
      resolver,
      language: 'EN',
      own: SCHOOL,
      organization: SCHOOL,
      ...{ pageSize: undefined, onItems: () => {} },
    },
  );
  const known = ['GET /v1/publishers', 'GET /v1/schools'];
  return [...new Set(lines().map((line) => line.split('?')[0] ?? ''))].filter((line) => !known.includes(line)).sort();
}

const book = { at, ean: '978', language: 'DE' };
test.each<[string, Partial<Want>, readonly string[]]>([
  ['nothing', {}, []],
  ['a user', { users: [{ at, email: 'a@s1.example' }] }, ['users', 'users/a%40s1.example']],
  ['a leaver of any school', { users: [{ at, id: 'u1', leaves: true }] }, ['schools/s1/classes', 'users']],
  ['a class', { classes: [{ at, name: '5a' }] }, ['books/subjects', 'schools/s1/classes']],
  ['a licence', { licenses: [{ at, code: 'a1' }] }, ['licenses']],
  ['a licence and one of its holders', { licenses: [{ at, code: 'a1', addEndUsers: [] }] }, ['licenses']],
  [
    'all holders of a licence',
    { licenses: [{ at, code: 'a1', endUsers: [] }] },
    ['licenses', 'licenses/L1/activations'],
  ],
  ['all holders', { licenses: [{ at, endUsers: [] }] }, ['licenses', 'licenses/L1/activations']],
  ['a licence with books', { licenses: [{ at, code: 'a1', books: ['978'] }] }, ['books', 'licenses']],
  ['a book', { books: [book] }, ['books', 'books/subjects']],
  ['readers', { readers: [book, { ...book, ean: '979' }] }, ['books/subjects', 'readers', 'readers/R1']],
])('for %s, only what it needs is read', async (_, want, expected) => {
  expect(await listsFor(want)).toEqual(expected.map((path) => `GET /v1/${path}`));
});

test.each([{}, { id: null }, { id: '' }])('an item %j is no user', async (id) => {
  const reading = listsFor({ users: [{ at, email: 'a@s1.example' }] }, [{ ...id, email: 'a@s1.example' }]);
  await expect(reading).rejects.toThrow('the service returned an item with the invalid id');
});
