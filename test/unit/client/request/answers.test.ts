import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { books } from '../../../../src/contract/books.js';
import { classes } from '../../../../src/contract/classes.js';
import { files } from '../../../../src/contract/files.js';
import { licenses } from '../../../../src/contract/licenses.js';
import { schools } from '../../../../src/contract/schools.js';
import { users } from '../../../../src/contract/users.js';
import { all, bench, failure } from '../support.js';

const byId = { params: { id: '7' } };
const getLicence = (body: unknown, headers = {}, status = 200) =>
  bench([{ status, body, headers }]).client.call(licenses.get, byId);
const listOf = (body: unknown, headers = {}, status = 200) =>
  all(bench([{ status, body, headers }]).client.pages(schools.list, {}));

const html = '<!DOCTYPE html><html><head><title>Sign in</title></head></html>';

test.each<[string, unknown, Record<string, string>, string]>([
  [
    'HTML',
    html,
    { 'content-type': 'text/html; charset=utf-8' },
    'a page instead of JSON: "Sign in" (text/html, status 200)',
  ],
  [
    'text',
    'OK then',
    { 'content-type': 'text/plain' },
    'something that is not JSON: "OK then" (text/plain, status 200)',
  ],
  [
    'JSON cut off',
    '{"id": "7", "na',
    { 'content-type': 'application/json' },
    'JSON that is broken or cut off after 15 characters: "{\\"id\\": \\"7\\", \\"na" (application/json, status 200)',
  ],
  ['bytes of another encoding', Buffer.from('{"id":"\xe9"}', 'latin1'), {}, 'text that is not UTF-8 (status 200)'],
  ['null', 'null', {}, 'null instead of a licence looked up by ID or code (status 200)'],
  ['a list', '[]', {}, 'a list of 0 instead of a licence looked up by ID or code (status 200)'],
  ['a text', '"7"', {}, 'the text "7" instead of a licence looked up by ID or code (status 200)'],
  ['a number', '7', {}, 'the number 7 instead of a licence looked up by ID or code (status 200)'],
  ['nothing', '', {}, 'nothing instead of a licence looked up by ID or code (status 200)'],
  [
    'something else',
    '{"message":"maintenance","b":1}',
    {},
    'an object with the fields message, b: maintenance instead of a licence looked up by ID or code (status 200)',
  ],
  ['an empty object', '{}', {}, 'an object with no fields instead of a licence looked up by ID or code (status 200)'],
])('200 with %s is an invalid response: exit 1', async (_, body, headers, words) => {
  const error = await failure(getLicence(body, { ...headers, 'x-request-id': 'r9' }));
  expect(error).toMatchObject({
    kind: 'invalid_response',
    exitCode: 1,
    status: 200,
    method: 'GET',
    path: '/v1/licenses/7',
    requestId: 'r9',
  });
  expect(error.message).toBe(`the service returned ${words} [request r9]`);
});

test('passes unknown fields, unknown values and null unchanged', async () => {
  const body = {
    id: '00017',
    name: null,
    type: 'Neu',
    organization: { id: '1', type: 'Union', x: 1 },
    'neues Feld': [{ a: null }],
  };
  expect(await getLicence(body)).toEqual(body);
});

test('ignores a byte order mark before JSON', async () => {
  expect(await getLicence('\ufeff{"id":"7"}')).toEqual({ id: '7' });
});

test.each([200, 201, 202, 203, 206])('%i is a success', async (status) => {
  expect(await getLicence({ id: '7' }, {}, status)).toEqual({ id: '7' });
});

test('treats 304 to an unconditional request as an invalid response', async () => {
  expect(await failure(getLicence('', {}, 304))).toMatchObject({ kind: 'invalid_response', status: 304 });
});

test('requests and decodes gzip', async () => {
  const { client, sent } = bench([{ body: gzipSync('{"id":"7"}'), headers: { 'content-encoding': 'gzip' } }]);
  expect(await client.call(licenses.get, byId)).toEqual({ id: '7' });
  expect(sent[0]?.headers['accept-encoding']).toBe('gzip');
});

test('stops at a decompression bomb and an endless response', async () => {
  const bomb = gzipSync(Buffer.alloc(3_000_000, 32));
  const options = { maxBytes: 1024 * 1024 };
  const error = await failure(
    bench([{ body: bomb, headers: { 'content-encoding': 'gzip' } }], options).client.call(licenses.get, byId),
  );
  expect(error).toMatchObject({
    kind: 'invalid_response',
    message: expect.stringContaining('larger than 1048576 bytes when decompressed'),
  });
  let sent = 0;
  async function* endless() {
    for (; sent < 100; sent++) yield Buffer.alloc(100_000, 'x');
  }
  await failure(bench([{ status: 400, body: endless() }]).client.call(licenses.get, byId));
  expect(sent).toBeLessThan(20);
  const long = await failure(bench([{ body: ' '.repeat(1_100_000) }], options).client.call(licenses.get, byId));
  expect(long).toMatchObject({ kind: 'invalid_response', message: expect.stringContaining('more than 1024 kB') });
});

test.each([
  [204, ''],
  [200, ''],
  [200, 'null'],
  [200, 'OK'],
])('accepts %i %j for a write without a documented response', async (status, body) => {
  expect(await bench([{ status, body }]).client.call(licenses.cancel, byId)).toBeUndefined();
});

test('returns any JSON to a write without a documented response, but no page', async () => {
  expect(await bench([{ body: { id: '7' } }]).client.call(licenses.cancel, byId)).toEqual({ id: '7' });
  expect(await failure(bench([{ body: html }]).client.call(licenses.cancel, byId))).toMatchObject({
    kind: 'invalid_response',
  });
});

test.each([
  ['nothing', ''],
  ['no ID', '{"className":"A"}'],
])('a create that returns %s cannot be read', async (words, body) => {
  const one = bench([{ body }]).client.attempt(classes.create, { body: { subjectId: '1', schoolId: '2', name: 'A' } });
  const message = `the service returned ${words} (status 200)`;
  expect(await one).toMatchObject({ is: 'unreadable', isEmpty: true, error: { message } });
});

test.each<[string, unknown, string | undefined]>([
  [
    '{"error":"Forbidden","message":"not yours"}',
    undefined,
    'an object with the fields error, message: Forbidden: not yours',
  ],
  ['{"id":"7","error":null}', { id: '7', error: null }, undefined],
])(
  'takes a success that contains an error for one, also of a write that returns nothing: %s',
  async (body, value, words) => {
    const called = bench([{ body }]).client.call(licenses.cancel, byId);
    if (words === undefined) expect(await called).toEqual(value);
    else expect((await failure(called)).message).toBe(`the service returned ${words} (status 200)`);
  },
);

test.each([
  [408, true],
  [500, false],
  [503, false],
  [504, true],
])('after a %i, the service may still be carrying out the request: %s', async (status, running) => {
  const one = bench([{ status }]).client.attempt(licenses.cancel, byId);
  expect(await one).toMatchObject({ is: 'unknown', running, hopeless: false, incomplete: false });
});

test('treats an empty response to a write as a success', async () => {
  const body = { subjectId: '1', name: 'A' };
  expect(await bench([{ status: 200 }]).client.call(classes.update, { ...byId, body })).toBeUndefined();
});

test('reports an unkeyed create with an invalid response as probably carried out', async () => {
  const part = { filename: 'x', contentType: 'text/plain', size: 0, open: async function* () {} };
  const { client, lines } = bench([{ body: html }]);
  const error = await failure(client.call(files.upload, { body: { file: part, fileType: 'Document' } }));
  expect(error).toMatchObject({ kind: 'invalid_response', hint: expect.stringContaining('probably carried out') });
  expect(lines()).toHaveLength(1);
});

test.each([
  ['{"id":"u1"}', { id: 'u1' }],
  ['"u1"', 'u1'],
  ['u1', 'u1'],
  ['00017', '00017'],
  ['12345678901234567890', '12345678901234567890'],
  ['17', 17],
  ['{"userId":"u1"}', { userId: 'u1' }],
  ['["u1"]', ['u1']],
])('returns an undocumented response unchanged: %j', async (body, value) => {
  expect(await bench([{ body }]).client.call(users.findByEmail, { params: { email: 'a@b.example' } })).toEqual(value);
});

test('refuses a page and broken JSON as an undocumented response', async () => {
  for (const [body, type] of [
    [html, 'text/plain'],
    ['{"id": "u', 'application/json'],
  ] as const) {
    const { client } = bench([{ body, headers: { 'content-type': type } }]);
    expect(await failure(client.call(users.lastLogin, byId))).toMatchObject({ kind: 'invalid_response' });
  }
});

test.each<[string, unknown, string]>([
  ['no list', '{"a":[]}', 'an object with the fields a instead of a list under "schools"'],
  ['null under its name', '{"schools":null}', 'an object with the fields schools instead of a list under "schools"'],
  ['an object under its name', '{"schools":{}}', 'an object with the fields schools instead of a list under "schools"'],
  ['a bare list', '[{"id":"1"}]', 'a list of 1 instead of a list under "schools"'],
  ['null', 'null', 'null instead of a list under "schools"'],
  ['nothing', '', 'nothing instead of a list under "schools"'],
  ['HTML', html, 'a page instead of JSON: "Sign in"'],
  ['null among its items', '{"schools":[{"id":"1"},null]}', 'a list that contains null instead of a school'],
  ['text among its items', '{"schools":["1"]}', 'a list that contains the text "1" instead of a school'],
  ['an odd paging', '{"schools":[],"paging":"x"}', 'a "paging" that is the text "x"'],
  ['an odd cursor', '{"schools":[],"paging":{"nextCursor":{}}}', 'a "nextCursor" that is an object with no fields'],
])('fails for a page with %s', async (_, body, words) => {
  const message = `the service returned ${words} (status 200)`;
  expect(await failure(listOf(body))).toMatchObject({ kind: 'invalid_response', exitCode: 1, message });
});

test.each([
  ['no paging', {}],
  ['null', { paging: null }],
  ['no cursor', { paging: {} }],
  ['a cursor of null', { paging: { nextCursor: null } }],
  ['an empty cursor', { paging: { nextCursor: '' } }],
])('accepts a last page with %s', async (_, paging) => {
  const { client, lines } = bench([{ body: { schools: [{ id: '1' }], ...paging } }]);
  expect(await all(client.pages(schools.list, {}))).toEqual([{ id: '1' }]);
  expect(lines()).toEqual(['GET /v1/schools?limit=100']);
});

test.each([
  ['["1","2"]', ['1', '2']],
  ['[]', []],
  ['{"ids":["1"]}', ['1']],
  ['{"users":[{"id":"1"}],"date":"2026-01-04"}', [{ id: '1' }]],
])('accepts checkModified as a bare or wrapped list: %s', async (body, items) => {
  const { client, lines } = bench([{ body }]);
  expect(await all(client.pages(users.checkModified, { query: { dateToCheck: '2026-01-04' } }))).toEqual(items);
  expect(lines()).toEqual(['GET /v1/users/checkModified?dateToCheck=2026-01-04']);
});

test('reads 204 as an empty list of what was modified, and refuses it for classes', async () => {
  const empty = () => bench([{ status: 204 }]).client;
  expect(await all(empty().pages(users.checkModified, {}))).toEqual([]);
  const lost = await failure(all(empty().pages(classes.list, { params: { id: 's1' } })));
  expect(lost).toMatchObject({ kind: 'invalid_response' });
  // Not the end of a list of which more pages were announced.
  const cut = bench([{ body: { users: [], paging: { nextCursor: 'a' } } }, { status: 204 }]).client;
  expect(await failure(all(cut.rawPages('/v1/licenses?type=BOOKS', {}, {})))).toMatchObject({
    kind: 'invalid_response',
  });
});

test('refuses objects with several lists or none instead of a list', async () => {
  for (const body of [{}, { a: [], b: [] }]) {
    expect(await failure(all(bench([{ body }]).client.pages(users.checkModified, {})))).toMatchObject({
      kind: 'invalid_response',
    });
  }
});

test("reads a school's classes as a bare list, and keeps equal activations", async () => {
  const { client } = bench([{ body: [{ classId: '1' }] }]);
  expect(await all(client.pages(classes.list, byId))).toEqual([{ classId: '1' }]);
  const one = { creationDate: '2026-01-01 10:00:00', expirationDate: '2027-01-01 10:00:00', user: '1' };
  const twice = bench([{ body: { activations: [one, one] } }]);
  expect(await all(twice.client.pages(licenses.activations, byId))).toEqual([one, one]);
});

test('never requests a list by the path of another endpoint', async () => {
  const { client, lines } = bench([{ body: { licenses: [] } }]);
  expect(await failure(all(client.pages(books.licenses, { params: { id: '..' } })))).toMatchObject({ kind: 'usage' });
  expect(lines()).toEqual([]);
});
