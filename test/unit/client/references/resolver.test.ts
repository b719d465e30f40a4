/** How names are resolved: IDs first, then exact keys, then names ignoring case; each list is read once. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createResolver, type Scope } from '../../../../src/client/references/resolver.js';
import type { Client } from '../../../../src/client/request/client.js';
import type { Referent } from '../../../../src/contract/vocabulary.js';
import { EduError } from '../../../../src/core/errors.js';

interface Call {
  readonly path: string;
  readonly input: { readonly params?: { readonly id?: string }; readonly query?: { readonly organization?: string } };
}

type Lists = (call: Call) => readonly unknown[] | EduError;

/** A resolver for lists in memory, and its calls. */
function over(lists: Lists, type: 'Distributor' | 'School' = 'Distributor') {
  const calls: Call[] = [];
  const client = {
    async *pages(endpoint: { readonly path: string }, input: Call['input']) {
      const call = { path: endpoint.path, input };
      calls.push(call);
      const items = lists(call);
      if (items instanceof EduError) throw items;
      for (let at = 0; at < items.length; at += 100) yield items.slice(at, at + 100);
    },
    async call(endpoint: { readonly path: string }, input: unknown) {
      calls.push({ path: endpoint.path, input: input as Call['input'] });
      throw new EduError('not_found', 'not there');
    },
  } as unknown as Client;
  const resolver = createResolver({
    client: async () => client,
    language: () => 'EN',
    callersOrganization: async () => ({ id: 'own', type }),
    signal: new AbortController().signal,
  });
  return { calls, find: resolver.find };
}

const schoolsOnly =
  (schools: readonly unknown[]): Lists =>
  ({ path }) =>
    path === '/v1/schools' ? schools : [];

const idOf = async (find: ReturnType<typeof over>['find'], ref: Referent, text: string, scope?: Scope) => {
  const found = await find(ref, text, scope);
  return found.is === 'one' ? found.match.id : found.is;
};

describe('precedence', () => {
  test('prefers an ID, then a key, to a name', async () => {
    const { find } = over(({ path }) => [
      ...(path === '/v1/books'
        ? [
            { id: '9783000000017', ean: '9783000000024', title: 'Algebra' },
            { id: 'b2', ean: '9783000000017', title: 'Atlas' },
            { id: 'b3', ean: '9783000000031', title: '9783000000024' },
          ]
        : []),
    ]);
    expect(await idOf(find, 'book', '9783000000017')).toBe('9783000000017');
    expect(await idOf(find, 'book', 'ean:9783000000017')).toBe('b2');
    expect(await idOf(find, 'book', '9783000000024')).toBe('9783000000017');
    expect(await idOf(find, 'book', 'name:9783000000024')).toBe('b3');
    expect(await idOf(find, 'book', 'id:Atlas')).toBe('Atlas');
    expect(await idOf(find, 'book', ' aTLAS ')).toBe('b2');
  });

  test('lists several items of one name, and distinguishes accents', async () => {
    const { find } = over(
      schoolsOnly([
        { id: 's1', name: 'Lakeside' },
        { id: 's2', name: 'LAKESIDE' },
        { id: 's3', name: 'Lákeside' },
      ]),
    );
    expect(await find('school', 'lakeside')).toMatchObject({ is: 'several', matches: [{ id: 's1' }, { id: 's2' }] });
    expect(await idOf(find, 'school', 'lákeside')).toBe('s3');
  });

  test('suggests similar names', async () => {
    const { find } = over(
      schoolsOnly([
        { id: 's1', name: 'Lakeside School' },
        { id: 's2', name: 'Hill School' },
      ]),
    );
    expect(await find('school', 'lakeside')).toMatchObject({ is: 'none', closest: ['Lakeside School'] });
    expect(await find('school', 'Lakesid')).toMatchObject({ closest: ['Lakeside School'] });
    expect(await find('school', 'Laekside')).toMatchObject({ closest: ['Lakeside School'] });
    expect(await find('school', 'Elsewhere')).toMatchObject({ closest: [], isRead: true });
  });
});

describe('scope of names', () => {
  const lists: Lists = ({ path, input }) => {
    if (path === '/v1/schools')
      return [
        { id: 's1', name: 'A' },
        { id: 's2', name: 'B' },
      ];
    if (path === '/v1/publishers') return [{ id: 'p1', name: 'P' }];
    if (path === '/v1/books')
      return [{ id: `b-${input.query?.organization}`, title: `Book of ${input.query?.organization}` }];
    if (path === '/v1/users') return [{ id: `u-${input.query?.organization}`, firstName: 'Mia', lastName: 'Brandt' }];
    if (input.params?.id === 's2') return new EduError('forbidden', 'no');
    return [{ classId: `c-${input.params?.id}`, className: '7b' }];
  };

  test('finds books of the caller and of owned publishers', async () => {
    const { find } = over(lists);
    expect(await idOf(find, 'book', 'Book of p1')).toBe('b-p1');
    expect(await idOf(find, 'book', 'book of own')).toBe('b-own');
  });

  test('finds classes of one school, or of all visible ones', async () => {
    const { find, calls } = over(lists);
    expect(await idOf(find, 'class', '7b', { school: 's1' })).toBe('c-s1');
    expect(calls).toHaveLength(1);
    expect(await idOf(find, 'class', '7b')).toBe('c-s1');
    expect(await find('class', '7b', { school: 's2' })).toMatchObject({ is: 'none', isRead: false });
  });

  test('prefers an active class to a deleted one of the same name', async () => {
    const deleted = { className: '7b', schoolId: 's1', deactivationDate: '2031-07-31T12:00:00.000' };
    const active = { className: '7b', schoolId: 's1', deactivationDate: null };
    const { find } = over(() => [
      { ...deleted, classId: 'c1' },
      { ...active, classId: 'c2' },
    ]);
    expect(await idOf(find, 'class', '7b', { school: 's1' })).toBe('c2');
    expect(await idOf(find, 'class', 'c1', { school: 's1' })).toBe('c1');
    const { find: findTwo } = over(() => ['c1', 'c2'].map((classId) => ({ ...active, classId })));
    expect(await idOf(findTwo, 'class', '7b', { school: 's1' })).toBe('several');
  });

  test('finds users of the organization by full name', async () => {
    const { find } = over(lists);
    expect(await idOf(find, 'user', 'mia brandt')).toBe('u-own');
    expect(await idOf(find, 'user', 'Mia Brandt', { organization: { id: 's1', type: 'School' } })).toBe('u-s1');
  });

  test('finds an organization by name, with its type', async () => {
    const { find } = over(lists);
    expect(await find('organization', 'p')).toMatchObject({ is: 'one', match: { id: 'p1', type: 'Publisher' } });
    expect(await find('organization', 's2')).toMatchObject({ is: 'one', match: { id: 's2', type: 'School' } });
    expect(await find('organization', 'own')).toMatchObject({ is: 'one', match: { type: 'Distributor' } });
  });

  test('reports an outage as such', async () => {
    const { find } = over(() => new EduError('unavailable', 'later'));
    await expect(find('school', 'A')).rejects.toThrow('later');
  });
});

test('reads a list of 10,000 schools once for many names', async () => {
  const text = fc.oneof(fc.constantFrom('s1', '7', 'Lakeside', 'id', 'ß', 'SS', 'name:x'), fc.string({ maxLength: 6 }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 0, max: 9999 }),
      async (names, at) => {
        const items = Array.from({ length: 10_000 }, (_, index) => ({
          // IDs that look like names of other items, and the reverse.
          id: index % 3 === 0 ? String(index) : `s${index}`,
          name: names[index % names.length] ?? '',
        }));
        const { find, calls } = over(schoolsOnly(items));
        const wanted = items[at] ?? { id: '', name: '' };
        expect(await idOf(find, 'school', wanted.id)).toBe(wanted.id);
        expect(await idOf(find, 'school', `id:${wanted.id}`)).toBe(wanted.id);
        const same = (name: string) => name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
        const namesakes = items.filter(({ name }) => same(name) === same(wanted.name) && same(name) !== '');
        const found = await find('school', `name:${wanted.name}`);
        const ids =
          found.is === 'one' ? [found.match.id] : found.is === 'several' ? found.matches.map(({ id }) => id) : [];
        expect(ids).toEqual(namesakes.map(({ id }) => id).sort());
        expect(calls).toHaveLength(1);
      },
    ),
    { numRuns: 15 },
  );
});
