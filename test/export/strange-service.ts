/**
 * A service over HTTP with unusual but valid data: null wherever possible, unknown members, other date formats,
 * references to items in no list. Generated from the shapes of the export.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import fc from 'fast-check';
import { onTestFinished } from 'vitest';
import type { Field } from '../../src/contract/vocabulary.js';
import { EXPORTED, RESOURCES, type Resource } from '../../src/export/collect/resources.js';
import { onLoopback } from '../support/loopback.js';

export type Item = Readonly<Record<string, unknown>>;

export interface Strange {
  readonly account: Item;
  /** By the path of the list, with its organization or type. */
  readonly lists: ReadonlyMap<string, readonly Item[]>;
  /** By the ID of the licence; others are refused. */
  readonly activations: ReadonlyMap<string, readonly Item[]>;
}

const OWN = { id: 'd1', type: 'Distributor' };
const ACCOUNT = 'acc';

/** Names that are dangerous as keys or sort specially, and ordinary ones. */
const name = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', '10', '9', 'zz', 'phone', 'is', 'shows'),
  fc.string({ maxLength: 4 }),
);

const anything = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom([{ id: 'x' }, { id: 'x' }], { id: null }));

const extras = fc.oneof(
  { weight: 2, arbitrary: fc.constant<readonly [string, unknown][]>([]) },
  { weight: 1, arbitrary: fc.array(fc.tuple(name, anything), { minLength: 1, maxLength: 2 }) },
);

/** IDs that lists contain, and one that none does. */
const REFERENCES = ['u1', 'u2', 'r1', 'r2', 'b1', 'b2', 'd1', 'p1', 's1', 'acc', 'elsewhere', 'constructor'];

function valuesOf(field: Field, path: string): fc.Arbitrary<unknown> {
  const lawful = (): fc.Arbitrary<unknown> => {
    switch (field.kind) {
      case 'object':
        return itemOf(field, path);
      case 'list': {
        const of = field.of === undefined ? anything : valuesOf(field.of, path);
        return fc.array(of, { maxLength: 3 });
      }
      case 'number':
      case 'integer':
        return fc.oneof(fc.constantFrom(0, 1, 2, 365), fc.double({ noNaN: true, noDefaultInfinity: true }));
      case 'boolean':
        return fc.boolean();
      case 'choice':
        return fc.oneof(fc.constantFrom(...(field.choices ?? ['x'])), fc.constantFrom('', 'SV', 'Forever'));
      case 'any':
        return anything;
      default:
        if (/id$|user|subject/i.test(path)) return fc.constantFrom(...REFERENCES);
        return fc.oneof(
          fc.constantFrom('', ' ', 'Standard', '2026-02-03', '2026-02-03T04:05:06Z', '2026-02-30', '0', '/covers/1'),
          fc.constantFrom('03.02.2026', '9999-12-31 23:59:59', '+012026-01-01T00:00:00Z', 'a@b.example', 'A@b.example'),
          fc.string({ unit: 'binary', maxLength: 6 }),
        );
    }
  };
  return fc.oneof(
    { weight: 6, arbitrary: lawful() },
    { weight: 2, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: anything },
  );
}

/** An object of a shape: sometimes a member is missing, or there are more. */
function itemOf({ fields = {} }: Field, path = ''): fc.Arbitrary<Item> {
  const members = Object.entries(fields).map(([key, field]) =>
    fc
      .tuple(fc.integer({ min: 0, max: 11 }), valuesOf(field, `${path}.${key}`))
      .map(([chance, value]): [string, unknown][] => (chance === 0 ? [] : [[key, value]])),
  );
  return fc.tuple(fc.tuple(...members), extras).map(([known, more]) => Object.fromEntries([...more, ...known.flat()]));
}

/** Items of a resource with ids of their own. */
function itemsOf(resource: Resource, prefix: string, most = 3): fc.Arbitrary<Item[]> {
  const { shape, key } = EXPORTED[resource];
  const [id = 'id'] = key;
  return fc
    .array(itemOf(shape), { maxLength: most })
    .map((items) => items.map((item, index) => ({ ...item, [id]: `${prefix}${index + 1}` })));
}

const spread = (items: readonly Item[], lists: readonly string[]): [string, Item[]][] =>
  lists.map((list, at) => [list, items.filter((_, index) => index % lists.length === at)]);

/** The data files of an export, each behind its name. */
export const linesIn = (folder: string): string =>
  RESOURCES.map((name) => `${name}\n${readFileSync(join(folder, `${name}.ndjson`), 'utf8')}`).join('');

/** The data of an unusual service. */
export const strange: fc.Arbitrary<Strange> = fc
  .record({
    account: itemOf(EXPORTED.account.shape),
    publishers: itemsOf('publishers', 'p', 2),
    schools: itemsOf('schools', 's', 2),
    roles: itemsOf('roles', 'r'),
    users: itemsOf('users', 'u', 4),
    listsAccount: fc.boolean(),
    classes: itemsOf('classes', 'c'),
    books: itemsOf('books', 'b'),
    readers: itemsOf('readers', 'm'),
    licenses: itemsOf('licenses', 'l', 4),
    activations: fc.array(fc.array(itemOf(EXPORTED.activations.shape), { maxLength: 3 }), { maxLength: 4 }),
    subscriptions: itemsOf('subscriptions', 'x'),
    subjects: itemsOf('subjects', 'sub'),
    types: itemsOf('types', 'Type'),
  })
  .map(({ account, publishers, schools, users, listsAccount, classes, licenses, activations, ...rest }) => {
    const owned = [
      ...publishers.map(({ id }) => ({ id: String(id), type: 'Publisher' })),
      ...schools.map(({ id }) => ({ id: String(id), type: 'School' })),
    ];
    const organizations = [OWN, ...owned];
    const per = (path: string): string[] => organizations.map(({ id }) => `${path}?organization=${id}`);
    const listed = listsAccount ? users.map((user, index) => (index === 0 ? { ...user, id: ACCOUNT } : user)) : users;
    // "Unique across all organizations"; blank for some. The count of a licence is the number of its activations.
    const coded = licenses.map((licence, index) => ({
      ...licence,
      code: typeof licence.code === 'string' ? `code${index}` : null,
      ...(/^[\d.e+-]+$/.test(String(licence.numberOfActivations))
        ? { numberOfActivations: activations[index]?.length ?? 0 }
        : {}),
    }));
    const schoolLists = schools.map(({ id }) => `/v1/schools/${String(id)}/classes`);
    const lists = new Map<string, readonly Item[]>([
      ['/v1/publishers', publishers],
      ['/v1/schools', schools],
      ...spread(rest.roles, per('/v1/roles')),
      ...spread(listed, per('/v1/users')),
      ...spread(rest.books, per('/v1/books')),
      ...spread(schools.length === 0 ? [] : classes, schoolLists),
      ['/v1/readers', rest.readers],
      ...spread(coded, ['/v1/licenses?type=BOOKS', '/v1/licenses?type=TEACHER']),
      ['/v1/subscriptions', rest.subscriptions],
      ['/v1/books/subjects', rest.subjects],
      ['/v1/books/types', rest.types],
    ]);
    const shown = activations.map((some) => some.map(({ licenseId, ...one }) => one));
    return {
      account: { ...account, id: ACCOUNT },
      lists,
      activations: new Map(shown.map((some, index): [string, Item[]] => [`l${index + 1}`, some])),
    };
  });

const answerOf = ({ account, lists, activations }: Strange, { pathname, searchParams }: URL): unknown => {
  if (pathname === '/v1/account') return account;
  if (pathname === `/v1/users/${ACCOUNT}`) return { id: ACCOUNT, email: null, organization: OWN, roles: null };
  const licence = /^\/v1\/licenses\/(\w+)\/activations$/.exec(pathname)?.[1];
  if (licence !== undefined) {
    const shown = activations.get(licence);
    return shown === undefined ? undefined : { activations: shown };
  }
  const organization = searchParams.get('organization');
  const type = pathname === '/v1/licenses' ? searchParams.get('type') : null;
  const of = organization !== null ? `?organization=${organization}` : type === null ? '' : `?type=${type}`;
  const items = lists.get(pathname + of) ?? [];
  if (pathname.endsWith('/classes')) return items;
  return { [pathname.slice(pathname.lastIndexOf('/') + 1)]: items, paging: { nextCursor: null } };
};

/**
 * Starts one that stops when the test is over.
 * @returns its environment, and a function that replaces its data
 */
export async function strangeService(): Promise<{
  readonly env: Readonly<Record<string, string>>;
  readonly hold: (data: Strange) => void;
}> {
  let data: Strange | undefined;
  const server = createServer((request, response) => {
    const answer = data === undefined ? undefined : answerOf(data, new URL(request.url ?? '/', 'http://service'));
    response.writeHead(answer === undefined ? 403 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { message: 'not for you' }));
  });
  const { origin, close } = await onLoopback(server);
  onTestFinished(close);
  return {
    env: { EDU_BASE_URL: origin, EDU_TOKEN: 'token-of-a-test' },
    hold: (other) => {
      data = other;
    },
  };
}
