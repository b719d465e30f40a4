import { getEventListeners } from 'node:events';
import { setImmediate as tick } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { licenses } from '../../../../src/contract/licenses.js';
import { schools } from '../../../../src/contract/schools.js';
import { users } from '../../../../src/contract/users.js';
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

test.each([
  ['404 on page 2 and then on page 1, because the list is gone', 404, [null, 'a', null]],
  ['405 on page 2 at once, because it is not about the cursor', 405, [null, 'a']],
])('reports a %s', async (_, status, cursors) => {
  const { pages, sent } = list([page([1, 2], 'a'), { status }, { status }]);
  expect(await failure(ids(pages()))).toMatchObject({ status });
  expect(sent.map(cursorOf)).toEqual(cursors);
});

test.each([400, 403, 404, 409, 410, 412, 422])(
  'restarts when a cursor is refused with %i, without duplicates or gaps',
  async (status) => {
    // After a 403, the token is checked. Item 1 was removed, which invalidated the cursor.
    const check = status === 403 ? [{ body: { id: '9' } }] : [];
    const { pages, sent } = list([page([1, 2], 'a'), { status }, ...check, page([2, 3], 'b'), page([4])]);
    expect(await ids(pages())).toEqual(['1', '2', '3', '4']);
    expect(sent.map(cursorOf)).toEqual([null, 'a', ...check.map(() => null), null, 'b']);
  },
);

test.each([
  ['texts', '2', '3'],
  ['numbers', 2, 3],
])('drops items that a later page repeats, with IDs that are %s', async (_, two, three) => {
  const things = (ids: readonly unknown[]) => ids.map((id) => ({ id }));
  const { client } = bench([
    { body: { things: things([1, two]), paging: { nextCursor: 'a' } } },
    { body: { things: things([two, three]) } },
  ]);
  expect(await all(client.rawPages('/v1/things', {}))).toEqual(things([1, two, three]));
});

test('drops bare IDs that a later page repeats', async () => {
  const { client } = bench([
    { body: { users: ['1', '2'], paging: { nextCursor: 'a' } } },
    { body: { users: ['2', '3'] } },
  ]);
  expect(await all(client.pages(users.checkModified, {}))).toEqual(['1', '2', '3']);
});

test('reads a long list to its end after a restart', async () => {
  const PAGES = 1200;
  let refusals = 0;
  const { pages } = list((one) => {
    const number = Number(cursorOf(one) ?? 0);
    if (number === PAGES - 1 && refusals++ === 0) return { status: 400 };
    return page([number], number + 1 < PAGES ? String(number + 1) : null);
  });
  expect(await ids(pages())).toEqual(Array.from({ length: PAGES }, (_, number) => String(number)));
});

test('gives up after five restarts, with exit 3 and the items read', async () => {
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

test('gives up at the first invalid cursor without restarts', async () => {
  const { pages, sent } = list([page([1], 'a'), { status: 410 }], { restarts: 0 });
  expect(await failure(all(pages()))).toMatchObject({
    kind: 'partial',
    message: 'the list could not be read completely: the service rejected its own cursor (410); 1 item was read',
  });
  expect(sent).toHaveLength(2);
});

test('requests larger pages after a restart, up to the limit of the service', async () => {
  const { pages, sent } = list([page([1], 'a'), { status: 400 }, page([1], 'b'), { status: 400 }, page([1])], {
    pageSize: 40,
  });
  await all(pages());
  expect(sent.map(({ url }) => new URL(url).searchParams.get('limit'))).toEqual(['40', '40', '80', '80', '100']);
});

test('retries the first page without a size after a 400', async () => {
  const { client, sent } = bench((one) =>
    new URL(one.url).searchParams.has('limit') ? { status: 400 } : cursorOf(one) === null ? page([1], 'a') : page([2]),
  );
  expect(await ids(client.pages(schools.list, {}))).toEqual(['1', '2']);
  expect(sent.map(({ path }) => path)).toEqual(['/v1/schools?limit=100', '/v1/schools', '/v1/schools?cursor=a']);
  // The limit is known from then on.
  await all(client.pages(schools.list, {}));
  expect(sent.map(({ path }) => path).slice(3)).toEqual(['/v1/schools', '/v1/schools?cursor=a']);
});

test('reports a 400 to the first page for another reason', async () => {
  const { pages, sent, client } = list([{ status: 400, body: { message: 'type is invalid' } }]);
  expect(await failure(all(pages()))).toMatchObject({
    kind: 'refused',
    status: 400,
    message: expect.stringContaining('type is invalid'),
  });
  expect(sent).toHaveLength(2);
  // The refusal was not about the size, so the size is sent again.
  await failure(all(client.pages(schools.list, {})));
  expect(sent[2]?.path).toBe('/v1/schools?limit=100');
});

test('fails when a cursor repeats, at any distance', async () => {
  const direct = list([page([1], 'a'), page([2], 'a'), page([3], 'a')]);
  const error = await failure(all(direct.pages()));
  expect(error).toMatchObject({
    kind: 'invalid_response',
    exitCode: 1,
    isReason: true,
    message: expect.stringContaining('same cursor twice'),
  });
  expect(direct.sent).toHaveLength(2);
  const round = list((sent) => page([Math.random()], { a: 'b', b: 'c', c: 'a' }[cursorOf(sent) ?? 'c']));
  expect(await failure(all(round.pages()))).toMatchObject({ kind: 'invalid_response' });
});

test('fails when new cursors bring no new items', async () => {
  const { pages, sent } = list((_, index) => page([1], `c${index}`));
  expect(await failure(all(pages()))).toMatchObject({
    kind: 'invalid_response',
    message: expect.stringContaining('no new items'),
  });
  expect(sent.length).toBeLessThan(1100);
});

test('returns repeated items if the caller drops them, and still recognizes a list that begins anew', async () => {
  const twice = list([page([1, 2], 'a'), page([2, 3], 'b'), page([1, 2, 4])], { mayRepeat: true });
  expect(await ids(twice.pages())).toEqual(['1', '2', '2', '3', '1', '2', '4']);
  // Pages of 2 of 7 items, from the beginning again and again: after 7 pages each has begun with an item before.
  const endless = list((_, index) => page([(2 * index) % 7, (2 * index + 1) % 7], `c${index}`), { mayRepeat: true });
  expect(await failure(all(endless.pages()))).toMatchObject({ message: expect.stringContaining('no new items') });
});

test('returns an item once that a page shows twice, or the next one again', async () => {
  expect(await ids(list([page([1, 2, 1])]).pages())).toEqual(['1', '2']);
  expect(await ids(list([page([1, 2], 'a'), page([2, 3])]).pages())).toEqual(['1', '2', '3']);
});

test('requests no more pages than --limit needs, and reports what was cut', async () => {
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
])('requests, with page size %j and limit %j, %s licences', async (pageSize, limit, size) => {
  const { client, sent } = bench([{ body: { licenses: [] } }]);
  await all(client.pages(licenses.list, { query: { type: 'BOOKS' } }, { pageSize, limit }));
  expect(sent[0]?.path).toBe(`/v1/licenses?type=BOOKS&limit=${size}`);
});

test('sends a larger page size where the document has no maximum', async () => {
  const { pages, sent } = list([page([1])], { pageSize: 500 });
  await all(pages());
  expect(sent[0]?.path).toBe('/v1/schools?limit=500');
});

test('sends nothing before the list is read', async () => {
  const { pages, sent } = list([page([1])]);
  pages();
  await tick();
  expect(sent).toEqual([]);
});

test('reads on while the reader has the first page', async () => {
  const { pages, sent } = list([...Array.from({ length: 39 }, (_, index) => page([index], `${index}`)), page([39])]);
  const reader = pages()[Symbol.asyncIterator]();
  const first = await reader.next();
  while (sent.length < 40) await tick();
  const got = [...first.value];
  for (let next = await reader.next(); !next.done; next = await reader.next()) got.push(...next.value);
  expect(got).toEqual(Array.from({ length: 40 }, (_, index) => school(index)));
});

test('stops when the reader leaves', async () => {
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

test('leaves no listener on the signal of a caller that reads many lists', async () => {
  const { signal } = new AbortController();
  await all(list([page([1], 'a'), page([2])], { signal }).pages());
  for await (const _ of list([page([1], 'a'), page([2])], { signal }).pages()) break;
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('keeps the error of a page that was read ahead for a slow reader', async () => {
  const large: Step = {
    body: { schools: [{ id: '2', name: 'x'.repeat(17 * 1024 ** 2) }], paging: { nextCursor: 'b' } },
  };
  const { pages } = list([page([1], 'a'), large, { status: 404 }, { status: 404 }]);
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  try {
    const reader = pages()[Symbol.asyncIterator]();
    await reader.next();
    for (let turns = 0; turns < 50; turns++) await tick();
    expect((await reader.next()).value).toHaveLength(1);
    expect(await failure(reader.next())).toMatchObject({ kind: 'not_found' });
    expect(unhandled).toEqual([]);
  } finally {
    process.off('unhandledRejection', note);
  }
});

test('stops with an interruption when it is aborted', async () => {
  const stop = new AbortController();
  const { client } = bench((_, index) => {
    if (index === 2) stop.abort();
    return page([index], `c${index}`);
  });
  expect(await failure(all(client.pages(schools.list, {}, { signal: stop.signal })))).toMatchObject({
    kind: 'interrupted',
  });
});

test('refuses a cursor that no address can hold', async () => {
  const { client } = bench([{ body: { schools: [{ id: '1' }], paging: { nextCursor: 'c'.repeat(100_000) } } }]);
  expect(await failure(all(client.pages(schools.list, {})))).toMatchObject({
    kind: 'invalid_response',
    message: expect.stringContaining('returned a "nextCursor" of 100000 characters, more than 65536'),
  });
});

test('does not repeat a long cursor in an error', async () => {
  const cursor = 'c'.repeat(60_000);
  const pages = [{ body: { schools: [{ id: '1' }], paging: { nextCursor: cursor } } }, { status: 403 }];
  const { client } = bench([...pages, { body: { id: 'me', email: 'a@b.example' } }]);
  const error = await failure(all(client.pages(schools.list, {})));
  expect(JSON.stringify([error.message, error.path, error.hint]).length).toBeLessThan(5_000);
});

test('returns equal items without an ID as often as the list has them, however often it is read', async () => {
  const bare = (names: readonly string[], nextCursor?: string): Step => ({
    body: { schools: names.map((name) => (name === 'a' ? { id: '', name } : { name })), paging: { nextCursor } },
  });
  const { pages } = list([bare(['a', 'a'], 'x'), { status: 410 }, bare(['a', 'b', 'a'], 'y'), bare(['a'])]);
  expect((await all(pages())).map(({ name }) => name)).toEqual(['a', 'a', 'b', 'a']);
});
