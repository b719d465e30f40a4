/**
 * A small service over HTTP for the tests of exports, written from the API document: a distributor that owns three
 * organizations, expiring cursors, failing pages, and responses with items and keys in any order.
 */
import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';
import { rows } from '../contract/contract-leaves.js';
import { onLoopback } from '../support/loopback.js';
import type { Reply } from '../support/recording-server.js';

type Item = Readonly<Record<string, unknown>>;

const OWN = { id: 'd1', type: 'Distributor' };
const OWNED = [
  { id: 'p1', type: 'Publisher' },
  { id: 's1', type: 'School' },
  { id: 's2', type: 'School' },
] as const;
const ORGANIZATIONS = [OWN, ...OWNED];

const licence = (number: number, type: string): Item => {
  const id = String(number).padStart(6, '0');
  return {
    id,
    name: `Licence ${id}`,
    code: `code${id}`,
    type,
    books: type === 'Books' ? [{ id: 'b-d1-1', ean: '007', title: 'Zählen' }] : [],
    expiration: { type: 'Days', days: 365, date: null },
    maximumActivations: 5,
    numberOfActivations: number % 3 === 0 ? 1 : 0,
    organization: OWN,
    licenseCategory: null,
    endUsers: [],
    unknownField: { b: 1, a: 2 },
  };
};

/** The data by list: `/v1/users?organization=s1`. */
export function world(licences = 250): Map<string, Item[]> {
  const lists = new Map<string, Item[]>();
  lists.set('/v1/publishers', [{ id: 'p1', name: 'Verlag', roles: [] }]);
  lists.set(
    '/v1/schools',
    ['s1', 's2'].map((id) => ({ id, name: `School ${id}`, country: 'DE', city: 'Köln', roles: [] })),
  );
  for (const { id, type } of ORGANIZATIONS) {
    const organization = { id, type };
    lists.set(
      `/v1/users?organization=${id}`,
      Array.from({ length: 40 }, (_, index) => ({
        id: `u-${id}-${String(index).padStart(3, '0')}`,
        email: `${index}@${id}.example`,
        firstName: 'Ä"\u2028\u009b',
        lastName: 'L,;\n',
        language: 'DE',
        avatarUrl: null,
        organization,
        roles: [{ id: `r-${id}`, name: 'Administrator' }],
      })),
    );
    lists.set(`/v1/roles?organization=${id}`, [{ id: `r-${id}`, name: 'Administrator', permissions: [] }]);
    lists.set(
      `/v1/books?organization=${id}`,
      [1, 2].map((number) => ({
        id: `b-${id}-${number}`,
        ean: '007',
        title: 'Zählen',
        year: 5,
        level: null,
        series: null,
        subject: { id: '01', translatedName: 'Mathe' },
        organization,
        coverUrl: null,
        pdfUrl: '/covers/1',
        type: { name: 'Guide', translatedName: 'Guide' },
        active: false,
        settings: { pageNumberOffset: 1, indexPageNumber: 2 },
      })),
    );
    if (type !== 'School') continue;
    lists.set(`/v1/schools/${id}/classes`, [
      {
        classId: `c-${id}`,
        className: '5a',
        classCode: `CODE${id}`,
        subjectId: '01',
        usersInClass: [`u-${id}-001`],
        schoolId: id,
        creationDate: '2026-01-02T03:04:05.678',
        deactivationDate: null,
      },
    ]);
  }
  lists.set('/v1/books/subjects', [{ id: '01', translatedName: 'Mathe' }]);
  lists.set('/v1/books/types', [{ type: 'Guide', translatedName: 'Guide' }]);
  lists.set('/v1/subscriptions', [
    { id: 'x1', code: 'sub1', maximumActivations: 5, numberOfActivations: 0, expirationDate: '2027-01-01' },
  ]);
  const all = Array.from({ length: licences }, (_, index) => licence(index + 1, index % 5 === 0 ? 'Teacher' : 'Books'));
  lists.set(
    '/v1/licenses?type=BOOKS',
    all.filter(({ type }) => type === 'Books'),
  );
  lists.set(
    '/v1/licenses?type=TEACHER',
    all.filter(({ type }) => type === 'Teacher'),
  );
  // The lists of other resources, unless they need an organization or type, are empty.
  for (const [, { path, list, query = {} }] of rows) {
    const needsMore =
      path.includes('{') || Object.entries(query).some(([name, { required }]) => required && name !== 'language');
    if (list?.paged && !needsMore && !lists.has(path)) lists.set(path, []);
  }
  return lists;
}

/** Replaces a response: by a status, or by nothing if it returns undefined, at once or later. */
export type Fault = (request: {
  readonly list: string;
  readonly page: number;
  readonly count: number;
}) => number | undefined | Promise<undefined>;

export interface WorldService {
  readonly env: Readonly<Record<string, string>>;
  readonly lists: Map<string, Item[]>;
  /** Items that can be read by their path; null for one that the caller may not see. */
  readonly items: Map<string, Item | null>;
  /** Requested lists, one entry for each page. */
  readonly asked: string[];
  /** Removes an item, which invalidates the cursors of its list. */
  remove(list: string, index: number): void;
  /** Called before each page. */
  onPage: Fault;
  /** Each response has another order of items and keys. */
  shuffles: boolean;
}

/** A different random order each time, the same in each run. */
function dice(): () => number {
  let state = 12345;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

function mixed<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** The same value with the keys of all objects in another order. */
function keysMixed(value: unknown, random: () => number): unknown {
  if (Array.isArray(value)) return value.map((item) => keysMixed(item, random));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    mixed(Object.entries(value), random).map(([name, part]) => [name, keysMixed(part, random)]),
  );
}

/** Starts one that stops when the test is over. @param size items on a page */
export async function worldService(licences = 250, size = 20): Promise<WorldService> {
  const { service, close } = await startWorld(licences, size);
  onTestFinished(close);
  return service;
}

/** Starts one for several tests. */
export async function startWorld(licences: number, size = 20) {
  const lists = world(licences);
  const asked: string[] = [];
  const versions = new Map<string, number>();
  const orders = new Map<string, Item[]>();
  const random = dice();
  let count = 0;
  const service: WorldService = {
    env: {},
    lists,
    items: new Map(),
    asked,
    onPage: () => undefined,
    shuffles: false,
    remove(list, index) {
      lists.set(
        list,
        (lists.get(list) ?? []).filter((_, at) => at !== index),
      );
      versions.set(list, (versions.get(list) ?? 0) + 1);
      orders.delete(list);
    },
  };
  const answer = async (url: URL): Promise<Reply> => {
    const { pathname, searchParams } = url;
    if (pathname === '/v1/account') {
      const account = { id: 'u1', email: 'a@b.example', firstName: 'A', lastName: 'B', avatar: null };
      return { status: 200, body: { ...account, roles: [], permissions: [] } };
    }
    const item = service.items.get(pathname);
    if (item !== undefined) return { status: item === null ? 403 : 200, body: item ?? {} };
    if (pathname === '/v1/users/u1')
      return { status: 200, body: { id: 'u1', email: 'a@b.example', organization: OWN, roles: [] } };
    const activations = /^\/v1\/licenses\/(\d+)\/activations$/.exec(pathname);
    if (activations !== null) {
      asked.push(pathname);
      await service.onPage({ list: pathname, page: 1, count });
      const number = Number(activations[1]);
      if (number % 3 !== 0) return { status: 403, body: {} };
      const activation = {
        creationDate: '2026-01-01 00:00:00',
        expirationDate: '2027-01-01 00:00:00',
        user: 'u-s1-001',
      };
      return { status: 200, body: { activations: [activation] } };
    }
    const of = searchParams.get('organization') ?? searchParams.get('type');
    const name = searchParams.has('organization') ? 'organization' : 'type';
    const list = of === null ? pathname : `${pathname}?${name}=${of}`;
    const items = lists.get(list);
    if (items === undefined) return { status: 404, body: { message: `no list ${list}` } };
    const version = versions.get(list) ?? 0;
    const cursor = searchParams.get('cursor');
    const [made = '0', from = '0'] = cursor?.split('.') ?? [String(version), '0'];
    const page = Number(from) / size + 1;
    asked.push(list);
    const status = await service.onPage({ list, page, count: ++count });
    if (status !== undefined)
      return { status, headers: { 'x-request-id': `req-${count}` }, body: { message: 'as the test wants it' } };
    if (cursor !== null && made !== String(versions.get(list) ?? 0))
      return { status: 400, body: { message: 'invalid cursor' } };
    if (cursor === null && service.shuffles) orders.set(list, mixed(items, random));
    const inOrder = orders.get(list) ?? lists.get(list) ?? [];
    const isPaged = !/classes$|roles|subjects|types$/.test(list.split('?')[0] ?? '');
    const shown = isPaged ? inOrder.slice(Number(from), Number(from) + size) : inOrder;
    const next = isPaged && Number(from) + size < inOrder.length ? `${version}.${Number(from) + size}` : null;
    const body = service.shuffles ? keysMixed(shown, random) : shown;
    if (pathname.endsWith('/classes')) return { status: 200, body };
    const key = pathname.slice(pathname.lastIndexOf('/') + 1);
    return { status: 200, body: { [key]: body, paging: { nextCursor: next } } };
  };
  const server = createServer((request, response) => {
    void answer(new URL(request.url ?? '/', 'http://service')).then(({ status = 200, headers, body }) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    });
  });
  const { origin, close } = await onLoopback(server);
  const env = { EDU_BASE_URL: origin, EDU_TOKEN: 'token-of-a-test' };
  return { service: Object.assign(service, { env }), close };
}

export const OWNED_AND_OWN = ORGANIZATIONS.map(({ id }) => id);
