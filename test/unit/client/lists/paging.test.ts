import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as tick } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { books } from '../../../../src/contract/books.js';
import { licenses } from '../../../../src/contract/licenses.js';
import { schools } from '../../../../src/contract/schools.js';
import type { Sent, Step } from '../../../support/scripted-send.js';
import { all, bench, failure, lost } from '../support.js';

const school = (id: number | string) => ({ id: String(id) });
const page = (ids: readonly (number | string)[], nextCursor?: string | null): Step => ({
  body: { schools: ids.map(school), paging: { nextCursor } },
});
const list = (script: readonly Step[] | ((sent: Sent, index: number) => Step | Promise<Step>), options = {}) => {
  const one = bench(script);
  return { ...one, pages: () => one.client.pages(schools.list, {}, options) };
};
const ids = async (pages: AsyncIterable<readonly { id: string }[]>) => (await all(pages)).map(({ id }) => id);
const cursorOf = ({ url }: Sent) => new URL(url).searchParams.get('cursor');

test('short and empty pages are not the end', async () => {
  const { pages, lines } = list([page([1, 2], 'a'), page([], 'b'), page([3], 'c'), page([], null)]);
  const got: unknown[] = [];
  for await (const one of pages()) got.push(one);
  expect(got).toEqual([[school(1), school(2)], [school(3)]]);
  expect(lines()).toEqual(
    [
      'GET /v1/schools?limit=100',
      'GET /v1/schools?cursor=a&limit=100',
      'GET /v1/schools?cursor=b&limit=100',
      'GET /v1/schools?cursor=c&limit=100',
    ].map((line) => line.replace(/cursor=(\w)&limit=100/, 'limit=100&cursor=$1')),
  );
});

test('required query parameters are on every page, and cursors are percent-encoded', async () => {
  const { client, lines } = bench([
    { body: { books: [school(1)], paging: { nextCursor: 'x+/=&y z' } } },
    { body: { books: [school(2)] } },
  ]);
  const query = { organization: '9', type: 'Publisher', language: 'DE' } as const;
  await all(client.pages(books.list, { query }));
  expect(lines()).toEqual([
    'GET /v1/books?organization=9&type=Publisher&language=DE&limit=100',
    'GET /v1/books?organization=9&type=Publisher&language=DE&limit=100&cursor=x%2B%2F%3D%26y%20z',
  ]);
});

test.each([lost(), { status: 500 }, { status: 503 }, { status: 429 }])(
  'a page is fetched again after %j',
  async (step) => {
    const { pages, sent } = list([page([1], 'a'), step, page([2], 'b'), page([3])]);
    expect(await ids(pages())).toEqual(['1', '2', '3']);
    expect(sent.map(cursorOf)).toEqual([null, 'a', 'a', 'b']);
  },
);

test('a page that cannot be had: what was read is given out, then the error', async () => {
  const { pages } = list((sent) => (cursorOf(sent) === 'a' ? { status: 500 } : page([1], 'a')));
  const got: string[] = [];
  const work = (async () => {
    for await (const one of pages()) got.push(...one.map(({ id }) => id));
  })();
  expect(await failure(work)).toMatchObject({ kind: 'server_error', exitCode: 1 });
  expect(got).toEqual(['1']);
});

test.each([400, 404, 410])(
  'a cursor refused with %i: from the beginning, nothing twice, nothing lost',
  async (status) => {
    const { pages, sent } = list([page([1, 2], 'a'), { status }, page([2, 3], 'b'), page([4])]);
    // Item 1 was removed, which killed the cursor.
    expect(await ids(pages())).toEqual(['1', '2', '3', '4']);
    expect(sent.map(cursorOf)).toEqual([null, 'a', null, 'b']);
  },
);

test('a cursor that dies for ever: five restarts, then exit 3 with what was read', async () => {
  const restarts: number[] = [];
  const { pages, sent } = list(
    (one) => (cursorOf(one) === null ? page([1, 2], 'a') : { status: 400, body: 'bad cursor' }),
    {
      onRestart: (count: number) => restarts.push(count),
    },
  );
  const got: string[] = [];
  const work = (async () => {
    for await (const one of pages()) got.push(...one.map(({ id }) => id));
  })();
  const error = await failure(work);
  expect(error).toMatchObject({ kind: 'partial', exitCode: 3, status: 400, method: 'GET' });
  expect(error.message).toContain('after 5 restarts');
  expect(error.message).toContain('2 items were read');
  expect(got).toEqual(['1', '2']);
  expect(restarts).toEqual([1, 2, 3, 4, 5]);
  expect(sent).toHaveLength(12);
});

test('with no restarts the first death is the end', async () => {
  const { pages, sent } = list([page([1], 'a'), { status: 410 }], { restarts: 0 });
  expect(await failure(all(pages()))).toMatchObject({ kind: 'partial' });
  expect(sent).toHaveLength(2);
});

test('pages grow when the list is started again, as far as the service goes', async () => {
  const { pages, sent } = list([page([1], 'a'), { status: 400 }, page([1], 'b'), { status: 400 }, page([1])], {
    pageSize: 40,
  });
  await all(pages());
  expect(sent.map(({ url }) => new URL(url).searchParams.get('limit'))).toEqual(['40', '40', '80', '80', '100']);
});

test('400 to the first page is about its size, if it helps to leave that out', async () => {
  const { client, sent } = bench((one) =>
    new URL(one.url).searchParams.has('limit') ? { status: 400 } : cursorOf(one) === null ? page([1], 'a') : page([2]),
  );
  expect(await ids(client.pages(schools.list, {}))).toEqual(['1', '2']);
  expect(sent.map(({ path }) => path)).toEqual(['/v1/schools?limit=100', '/v1/schools', '/v1/schools?cursor=a']);
  // From then on it is known.
  await all(client.pages(schools.list, {}));
  expect(sent.map(({ path }) => path).slice(3)).toEqual(['/v1/schools', '/v1/schools?cursor=a']);
});

test('400 to the first page for another reason is told', async () => {
  const { pages, sent, client } = list([{ status: 400, body: { message: 'type is invalid' } }]);
  expect(await failure(all(pages()))).toMatchObject({
    kind: 'refused',
    status: 400,
    message: expect.stringContaining('type is invalid'),
  });
  expect(sent).toHaveLength(2);
  // Nothing was learnt about sizes by that.
  await failure(all(client.pages(schools.list, {})));
  expect(sent[2]?.path).toBe('/v1/schools?limit=100');
});

test('the same cursor twice is an error, at any distance', async () => {
  const direct = list([page([1], 'a'), page([2], 'a'), page([3], 'a')]);
  const error = await failure(all(direct.pages()));
  expect(error).toMatchObject({
    kind: 'invalid_response',
    exitCode: 1,
    message: expect.stringContaining('same cursor twice'),
  });
  expect(direct.sent).toHaveLength(2);
  const round = list((sent) => page([Math.random()], { a: 'b', b: 'c', c: 'a' }[cursorOf(sent) ?? 'c']));
  expect(await failure(all(round.pages()))).toMatchObject({ kind: 'invalid_response' });
});

test('new cursors for ever without anything new are an error', async () => {
  const { pages, sent } = list((_, index) => page([1], `c${index}`));
  expect(await failure(all(pages()))).toMatchObject({
    kind: 'invalid_response',
    message: expect.stringContaining('no new items'),
  });
  expect(sent.length).toBeLessThan(1100);
});

test('an item that moved to the next page is given out once', async () => {
  const { pages } = list([page([1, 2], 'a'), page([2, 3])]);
  expect(await ids(pages())).toEqual(['1', '2', '3']);
});

test('a limit asks for no more than it needs, and says what it cut', async () => {
  for (const [limit, script, expected, requests, cut] of [
    [1, [page([1, 2], 'a')], ['1'], ['/v1/schools?limit=1'], true],
    [2, [page([1, 2], null)], ['1', '2'], ['/v1/schools?limit=2'], false],
    [2, [page([1, 2], 'a')], ['1', '2'], ['/v1/schools?limit=2'], true],
    [2, [page([1, 2, 3], null)], ['1', '2'], ['/v1/schools?limit=2'], true],
    [
      3,
      [page([1, 2], 'a'), page([3, 4], 'b')],
      ['1', '2', '3'],
      ['/v1/schools?limit=3', '/v1/schools?limit=3&cursor=a'],
      true,
    ],
    [5, [page([1], null)], ['1'], ['/v1/schools?limit=5'], false],
    [0, [page([1], null)], [], [], false],
  ] as const) {
    let wasCut = false;
    const onCut = () => {
      wasCut = true;
    };
    const { pages, sent } = list(script, { limit, onCut });
    expect(await ids(pages())).toEqual(expected);
    await tick();
    expect(sent.map(({ path }) => path)).toEqual(requests);
    expect(wasCut).toBe(cut);
  }
});

test.each([
  [undefined, undefined, '100'],
  [20, undefined, '20'],
  [500, undefined, '100'],
  [20, 5, '5'],
  [undefined, 250, '100'],
])('page size %j with limit %j asks for %s licences', async (pageSize, limit, size) => {
  const { client, sent } = bench([{ body: { licenses: [] } }]);
  await all(client.pages(licenses.list, { query: { type: 'BOOKS' } }, { pageSize, limit }));
  expect(sent[0]?.path).toBe(`/v1/licenses?type=BOOKS&limit=${size}`);
});

test('a page size beyond what is known is asked for where the document sets no bound', async () => {
  const { pages, sent } = list([page([1])], { pageSize: 500 });
  await all(pages());
  expect(sent[0]?.path).toBe('/v1/schools?limit=500');
});

test('the next page is on its way while the reader has the first', async () => {
  const { pages, sent } = list([page([1], 'a'), page([2])]);
  const reader = pages()[Symbol.asyncIterator]();
  await reader.next();
  await tick();
  expect(sent).toHaveLength(2);
  expect((await reader.next()).value).toEqual([school(2)]);
  expect((await reader.next()).done).toBe(true);
});

test('nothing is sent before the list is read', async () => {
  const { pages, sent } = list([page([1])]);
  pages();
  await tick();
  expect(sent).toEqual([]);
});

test('a slow reader keeps no cursor waiting: what it has not taken goes to a private file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'edu-test-'));
  const PAGES = 40;
  const name = 'x'.repeat(1000);
  const { client, sent } = bench(
    (one) => {
      const number = Number(cursorOf(one) ?? 0);
      const next = number + 1 < PAGES ? String(number + 1) : null;
      return { body: { schools: [{ id: String(number), name }], paging: { nextCursor: next } } };
    },
    { temporaryFolder: folder, mostInMemory: 3000 },
  );
  const reader = client.pages(schools.list, {})[Symbol.asyncIterator]();
  const first = await reader.next();
  while (sent.length < PAGES) await tick();
  expect(sent).toHaveLength(PAGES);
  const got = [...first.value];
  for (let next = await reader.next(); !next.done; next = await reader.next()) got.push(...next.value);
  expect(got).toEqual(Array.from({ length: PAGES }, (_, number) => ({ id: String(number), name })));
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});

test('a reader that leaves ends the walk', async () => {
  const aborted: boolean[] = [];
  const { client, sent } = bench([], {
    send: (request) =>
      request.url.includes('cursor')
        ? new Promise((_, reject) => {
            request.signal?.addEventListener('abort', () => {
              aborted.push(true);
              reject(lost());
            });
          })
        : Promise.resolve({
            status: 200,
            headers: {},
            body: JSON.stringify({ schools: [school(1)], paging: { nextCursor: 'a' } }),
          }),
  });
  for await (const _ of client.pages(schools.list, {})) break;
  expect(aborted).toEqual([true]);
  expect(sent).toEqual([]);
});

test('a caller who stops ends the walk with an interruption', async () => {
  const stop = new AbortController();
  const { client } = bench((_, index) => {
    if (index === 2) stop.abort();
    return page([index], `c${index}`);
  });
  expect(await failure(all(client.pages(schools.list, {}, { signal: stop.signal })))).toMatchObject({
    kind: 'interrupted',
  });
});

test('an error does not repeat a cursor of megabytes', async () => {
  const cursor = 'c'.repeat(5_000_000);
  const pages = [{ body: { schools: [{ id: '1' }], paging: { nextCursor: cursor } } }, { status: 403 }];
  const { client } = bench([...pages, { body: { id: 'me', email: 'a@b.example' } }]);
  const error = await failure(all(client.pages(schools.list, {})));
  expect(JSON.stringify([error.message, error.path, error.hint]).length).toBeLessThan(5_000);
});
