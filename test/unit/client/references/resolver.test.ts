/** The one rule of references: a prefix, else an ID, else a key, else a name; the same for one and for many. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createResolver, type Found, type Scope, type Wanted } from '../../../../src/client/references/resolver.js';
import type { Client } from '../../../../src/client/request/client.js';
import type { OrganizationReference } from '../../../../src/contract/shared.js';
import type { Referent } from '../../../../src/contract/vocabulary.js';
import { EduError, type ErrorKind } from '../../../../src/core/errors.js';

interface Call {
  readonly path: string;
  readonly input: {
    readonly params?: Readonly<Record<string, string>>;
    readonly query?: { readonly organization?: string };
  };
}

/** The items of a list, or the item with an ID. */
type Answers = (call: Call) => readonly unknown[] | EduError;
type One = (path: string, value: string) => unknown;

const OWN = { id: 'own', type: 'Distributor' } as const;
const missing = (): never => {
  throw new EduError('not_found', 'not there', { status: 404 });
};

/** A resolver for a service in memory, and its calls. @param one answers single items */
function over(lists: Answers, one: One = missing, own: OrganizationReference = OWN) {
  const calls: Call[] = [];
  const client = {
    async *pages(endpoint: { readonly path: string }, input: Call['input']) {
      const call = { path: endpoint.path, input };
      calls.push(call);
      const items = lists(call);
      if (items instanceof EduError) throw items;
      for (let at = 0; at < items.length; at += 100) yield items.slice(at, at + 100);
    },
    async call(endpoint: { readonly path: string }, input: Call['input']) {
      calls.push({ path: endpoint.path, input });
      return one(endpoint.path, Object.values(input.params ?? {})[0] ?? '');
    },
  } as unknown as Client;
  const warnings: string[] = [];
  const resolver = createResolver({
    warn: async (text) => void warnings.push(text),
    client: async () => client,
    language: () => 'EN',
    callersOrganization: async () => own,
    organization: async () => own,
    signal: new AbortController().signal,
  });
  return { calls, warnings, ...resolver };
}

const schoolsOnly =
  (schools: readonly unknown[]): Answers =>
  ({ path }) =>
    path === '/v1/schools' ? schools : [];

/** Single items of a list, by ID. */
const byId =
  (items: readonly object[], field = 'id'): One =>
  (path, id) =>
    (/\{id\}$/.test(path)
      ? items.find((item) => Object.entries(item).some(([name, value]) => name === field && value === id))
      : undefined) ?? missing();

const idOf = async (find: ReturnType<typeof over>['find'], ref: Referent, text: string, scope?: Scope) => {
  const found = await find(ref, text, scope);
  return found.is === 'one' ? found.match.id : found.is;
};

describe('precedence', () => {
  const BOOKS = [
    { id: '9783000000017', ean: '9783000000024', title: 'Algebra' },
    { id: 'b2', ean: '9783000000017', title: 'Atlas' },
    { id: 'b3', ean: '0000000000031', title: '9783000000024' },
  ];
  const books: Answers = ({ path }) => (path === '/v1/books' ? BOOKS : []);

  test('prefers an ID, then a key, to a name', async () => {
    const { find } = over(books, byId(BOOKS));
    expect(await idOf(find, 'book', '9783000000017')).toBe('9783000000017');
    expect(await idOf(find, 'book', 'ean:9783000000017')).toBe('b2');
    expect(await idOf(find, 'book', '9783000000024')).toBe('9783000000017');
    expect(await idOf(find, 'book', 'name:9783000000024')).toBe('b3');
    expect(await idOf(find, 'book', 'id:Atlas')).toBe('none');
    expect(await idOf(find, 'book', 'id: b2')).toBe('b2');
    expect(await idOf(find, 'book', '\u00a0aTLAS ')).toBe('b2');
  });

  test('finds an EAN with hyphens and without leading zeros', async () => {
    const { find } = over(books, byId(BOOKS));
    for (const text of ['978-3-00-000001-7', 'ean: 978 3000000017', '31', '000-31'])
      expect(await idOf(find, 'book', text)).toBe(text.includes('31') ? 'b3' : 'b2');
  });

  test('sends no literal segment of a path as an ID', async () => {
    // Other endpoints, and the list of a user's classes for any text, would answer.
    const { find, calls } = over(schoolsOnly([]), () => ({ id: 'another' }));
    for (const text of ['subjects', 'id:types']) expect(await idOf(find, 'book', text)).toBe('none');
    for (const text of ['classesForUser', 'id:delete']) expect(await idOf(find, 'class', text)).toBe('none');
    for (const text of ['checkModified', 'enduser']) expect(await idOf(find, 'user', text)).toBe('none');
    expect(calls.filter(({ input }) => input.params !== undefined)).toEqual([]);
    expect(await idOf(find, 'book', 'id:B1')).toBe('B1');
  });

  test('takes an ID that may not be read as it is, unless a listed item has that key or name', async () => {
    const forbidden = () => {
      throw new EduError('forbidden', 'not yours', { status: 403 });
    };
    const { find, warnings: none } = over(books, forbidden);
    expect(await idOf(find, 'book', 'b99')).toBe('b99');
    expect(await idOf(find, 'book', 'Atlas')).toBe('b2');
    expect(await idOf(find, 'book', 'id:Atlas')).toBe('Atlas');
    const { find: findHidden, warnings } = over(() => new EduError('forbidden', 'no', { status: 403 }), forbidden);
    expect(none).toEqual([]);
    expect(await idOf(findHidden, 'school', 'Gym 9')).toBe('Gym 9');
    expect(await idOf(findHidden, 'school', 'id:s9')).toBe('s9');
    for (const kind of ['subject', 'role'] as const) {
      expect(await idOf(findHidden, kind, '0001')).toBe('0001');
      expect(await idOf(findHidden, kind, 'id:0001')).toBe('0001');
      expect(await findHidden(kind, 'name:Biology')).toMatchObject({ is: 'none', isRead: false });
    }
    expect(warnings).toEqual([
      'Cannot list schools: "Gym 9" is used as an ID.',
      'Cannot list subjects: "0001" is used as an ID.',
      'Cannot list roles: "0001" is used as an ID.',
    ]);
  });

  test('lower-cases the code of a licence, and asks for nothing else as a code', async () => {
    const { find, calls } = over(
      () => [],
      (path, value) => (path.includes('code') && value === 'welcome1' ? { id: 'l1', code: value } : missing()),
    );
    expect(await idOf(find, 'licence', 'WELCOME1')).toBe('l1');
    expect(await idOf(find, 'licence', 'code:Welcome1')).toBe('l1');
    calls.length = 0;
    expect(await idOf(find, 'licence', 'My licence')).toBe('none');
    expect(calls.map(({ path }) => path).filter((path) => path.includes('code'))).toEqual([]);
  });

  test('suggests names for the first of very many references only', async () => {
    const { findMany } = over(({ path }) => (path === '/v1/books' ? [{ id: 'b1', title: 'Atlas' }] : []));
    const wanted: Wanted[] = Array.from({ length: 200 }, (_, at) => ({ text: `Atlas${at.toString(36)}`, scope: {} }));
    await findMany('book', wanted);
    expect(wanted[0]?.found).toMatchObject({ is: 'none', closest: ['Atlas'] });
    expect(wanted[199]?.found).toMatchObject({ is: 'none', closest: [] });
  });

  test('reports a licence with a hidden code as hidden', async () => {
    const { find } = over(
      () => [],
      (path) => {
        if (path.includes('code')) throw new EduError('forbidden', 'not yours');
        return missing();
      },
    );
    expect(await find('licence', 'abc')).toEqual({ is: 'hidden' });
  });

  test('suggests only what the prefix of a reference allows', async () => {
    const licences = [{ id: 'l1', code: 'welcome1', name: 'Welcome all' }];
    const { find } = over(({ path }) => (path === '/v1/licenses' ? licences : []));
    expect(await find('licence', 'welcome')).toMatchObject({ closest: ['welcome1', 'Welcome all'] });
    expect(await find('licence', 'code:welcome')).toMatchObject({ closest: ['welcome1'] });
    expect(await find('licence', 'name:welcome1')).toMatchObject({ closest: ['Welcome all'] });
  });
});

describe('scope of names', () => {
  const lists: Answers = ({ path, input }) => {
    if (path === '/v1/schools') return ['A', 'B'].map((name, at) => ({ id: `s${at + 1}`, name }));
    if (path === '/v1/publishers') return [{ id: 'p1', name: 'P' }];
    if (path === '/v1/books')
      return [{ id: `b-${input.query?.organization}`, title: `Book of ${input.query?.organization}` }];
    if (path === '/v1/users') return [{ id: `u-${input.query?.organization}`, firstName: 'Mia', lastName: 'Brandt' }];
    return [{ classId: `c-${input.params?.id}`, className: '7b' }];
  };

  test('finds books of the caller and of owned publishers', async () => {
    const { find } = over(lists);
    expect(await idOf(find, 'book', 'Book of p1')).toBe('b-p1');
    expect(await idOf(find, 'book', 'book of own')).toBe('b-own');
  });

  const inSchool = (id: string): Scope => ({ organization: { id, type: 'School' } });

  const refusing = (kind: ErrorKind, list: string) =>
    over((call) => ([call.path, call.input.params?.id].includes(list) ? new EduError(kind, 'no') : lists(call)));

  test.each(['forbidden', 'refused', 'not_found'] as const)(
    'finds classes of one school or of all, and names those whose list is %s',
    async (kind) => {
      const { find, calls, warnings } = refusing(kind, 's2');
      expect(await idOf(find, 'class', '7b', inSchool('s1'))).toBe('c-s1');
      expect(calls.map(({ path }) => path)).toEqual(['/v1/classes/{id}', '/v1/schools/{id}/classes']);
      expect(warnings).toEqual([]);
      expect(await idOf(find, 'class', '7b')).toBe('c-s1');
      expect(await find('class', '7b', inSchool('s2'))).toMatchObject({ is: 'none', isRead: false });
      expect(warnings).toEqual(['Cannot list the classes of School s2: names are looked up in the other lists only.']);
      expect(await find('class', '7z')).toMatchObject({ is: 'none', unread: ['the classes of School s2'] });
    },
  );

  test.each([
    ['organization', 'A', 's1', 'publishers'],
    ['book', 'Book of own', 'b-own', 'the books of any Publisher'],
  ] as const)('looks for a name (%s) in the other lists, and says so', async (refersTo, name, id, what) => {
    const { find, warnings } = refusing('forbidden', '/v1/publishers');
    expect(await idOf(find, refersTo, name)).toBe(id);
    expect(warnings).toEqual([`Cannot list ${what}: names are looked up in the other lists only.`]);
    expect(await find(refersTo, 'Z')).toMatchObject({ is: 'none', unread: [what] });
  });

  test('prefers an active class to a deleted one of the same name', async () => {
    const deleted = { className: '7b', schoolId: 's1', deactivationDate: '2031-07-31T12:00:00.000' };
    const active = { className: '7b', schoolId: 's1', deactivationDate: null };
    const { find } = over(() => [
      { ...deleted, classId: 'c1' },
      { ...active, classId: 'c2' },
    ]);
    expect(await idOf(find, 'class', '7b', inSchool('s1'))).toBe('c2');
    expect(await idOf(find, 'class', 'c1', inSchool('s1'))).toBe('c1');
    const { find: findTwo } = over(() => ['c1', 'c2'].map((classId) => ({ ...active, classId })));
    expect(await idOf(findTwo, 'class', '7b', inSchool('s1'))).toBe('several');
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
    expect(await find('organization', 'p', { type: 'School' })).toMatchObject({ is: 'none' });
  });

  test('takes the ID of an end user whom the service knows', async () => {
    const members: Answers = ({ path, input }) => {
      if (!path.includes('classesForUser')) return lists({ path, input });
      if (input.params?.id === 'e7') return [{ classId: 'c1' }];
      return input.params?.id === 'e9' ? [] : new EduError('not_found', 'no such user');
    };
    const { find } = over(members);
    expect(await find('user', 'e7')).toEqual({ is: 'one', match: { id: 'e7', label: 'e7', names: [] } });
    expect(await find('user', 'e9')).toMatchObject({ is: 'one', match: { id: 'e9', isUnseen: true } });
    expect(await find('user', 'Nobody')).toMatchObject({ is: 'none', isRead: true });
  });

  test.each(['Nobody Here', 'nobody@x.example'])('finds no user %s if the service accepts any ID', async (text) => {
    const { find } = over(({ path, input }) => (path.includes('classesForUser') ? [] : lists({ path, input })));
    expect(await find('user', text)).toMatchObject({ is: 'none', isRead: true });
    expect(await find('user', `id:${text}`)).toMatchObject({ is: 'one', match: { id: text, isUnseen: true } });
  });

  test('reports an outage as such', async () => {
    const { find } = over(() => new EduError('unavailable', 'later'));
    await expect(find('school', 'A')).rejects.toThrow('later');
  });
});

/** Texts that are IDs of some items, and keys or names of others. */
const WORDS = ['a', 'b', 'A', 'x y', 'X  Y', '7', '007', 'id:a', 'ß'];
const word = fc.constantFrom(...WORDS);
const typed = fc.oneof(
  word,
  word.map((text) => ` ${text}\u00a0`),
  fc.tuple(fc.constantFrom('id:', 'ean:', 'name:'), word).map(([prefix, text]) => `${prefix}${text}`),
);
const anyBooks = fc.uniqueArray(fc.record({ id: word, ean: word, title: word }), {
  selector: ({ id }) => id,
  maxLength: 8,
});

/** The rule of references, written anew. */
function meant(text: string, books: readonly { readonly id: string; readonly ean: string; readonly title: string }[]) {
  const trimmed = text.trim();
  const prefix = ['id:', 'ean:', 'name:'].find((one) => trimmed.startsWith(one));
  const rest = trimmed.slice(prefix?.length ?? 0).trim();
  const name = (one: string) => one.trim().replace(/\s+/g, ' ').toLowerCase();
  const ean = (one: string) => (/^\d+$/.test(one) ? String(Number(one)) : name(one));
  const is = (kind: string) => prefix === undefined || prefix === kind;
  const ids = books.filter(({ id }) => is('id:') && id === rest);
  const same = books.filter((book) => is('ean:') && ean(book.ean) === ean(rest));
  const named = books.filter(({ title }) => is('name:') && name(title) === name(rest));
  const found = [ids, same, named].find((some) => some.length > 0) ?? [];
  return found.map(({ id }) => id).sort();
}

const idsIn = (found: Found | undefined): readonly string[] => {
  if (found?.is === 'one') return [found.match.id];
  return found?.is === 'several' ? found.matches.map(({ id }) => id) : [];
};

test('one reference and many find the same: a prefix, an ID, a key, a name', async () => {
  await fc.assert(
    fc.asyncProperty(anyBooks, fc.array(typed, { minLength: 1, maxLength: 40 }), async (books, texts) => {
      const lists: Answers = ({ path }) => (path === '/v1/books' ? books : []);
      const { find } = over(lists, byId(books));
      const { findMany } = over(lists, byId(books));
      const many: Wanted[] = texts.map((text) => ({ text, scope: {} }));
      await findMany('book', many);
      for (const [at, text] of texts.entries()) {
        const expected = meant(text, books);
        expect(idsIn(await find('book', text)), text).toEqual(expected);
        expect(idsIn(many[at]?.found), text).toEqual(expected);
      }
    }),
    { numRuns: 80 },
  );
});

test('reads a list of 10,000 schools once for many names', async () => {
  const schools = Array.from({ length: 10_000 }, (_, n) => ({
    id: n % 3 === 0 ? `${n}` : `s${n}`,
    name: `School ${n % 5000}`,
  }));
  const { findMany, calls } = over(schoolsOnly(schools), byId(schools));
  const wanted: Wanted[] = schools.slice(0, 200).map(({ name }) => ({ text: name, scope: {} }));
  await findMany('school', wanted);
  expect(wanted.every(({ found }) => found?.is === 'several')).toBe(true);
  expect(calls.filter(({ path }) => path === '/v1/schools')).toHaveLength(1);
  expect(calls).toHaveLength(1);
});
