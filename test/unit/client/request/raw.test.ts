import { expect, test } from 'vitest';
import { endpointOf, withPaging } from '../../../../src/client/request/raw.js';
import { readBytes } from '../../../../src/core/http.js';
import { all, bench, failure, lost } from '../support.js';

test.each([
  ['GET', '/v1/books/types', '/v1/books/types'],
  ['GET', '/v1/books/17', '/v1/books/{id}'],
  ['GET', '/v1/books/17?language=EN', '/v1/books/{id}'],
  ['GET', '/v1/users/checkModified', '/v1/users/checkModified'],
  ['GET', '/v1/licenses/code/activations', '/v1/licenses/code/{code}'],
  ['GET', '/v1/licenses/17/activations', '/v1/licenses/{id}/activations'],
  ['PUT', '/v1/licenses/assignLicense', '/v1/licenses/assignLicense'],
  ['PUT', '/v1/classes/delete/7', '/v1/classes/delete/{id}'],
  ['PUT', '/v1/readers', '/v1/readers'],
  ['POST', '/login/oauth/access_token', '/login/oauth/access_token'],
  ['POST', '/v1/books/17', undefined],
  ['GET', '/v1/nothing', undefined],
  ['GET', '/v1/books/', undefined],
])('matches %s %s to %s', (method, path, expected) => {
  expect(endpointOf(method, path)?.path).toBe(expected);
});

test('repeats a raw request under the rules of its endpoint', async () => {
  for (const [method, path, requests] of [
    ['GET', '/v1/books/17', 4],
    ['GET', '/v1/unheard/of', 4],
    ['HEAD', '/v1/unheard/of', 4],
    ['OPTIONS', '/v1/unheard/of', 4],
    ['DELETE', '/v1/licenses/17', 4],
    ['PUT', '/v1/licenses/17', 4],
    ['PUT', '/v1/readers', 1],
    ['POST', '/v1/licenses', 1],
    ['POST', '/v1/classes', 1],
    ['PUT', '/v1/unheard/of', 1],
    ['DELETE', '/v1/unheard/of', 1],
    ['PATCH', '/v1/books/17', 1],
  ] as const) {
    const { client, sent } = bench([lost()]);
    expect(await failure(client.raw({ method, path }))).toMatchObject({
      kind: requests === 1 ? 'outcome_unknown' : 'unreachable',
    });
    expect(sent, `${method} ${path}`).toHaveLength(requests);
  }
});

test('takes a 404 for its own repeated deletion as done', async () => {
  const gone = { status: 404, body: '{}' };
  const request = { method: 'DELETE', path: '/v1/licenses/17' } as const;
  expect(await bench([lost(), gone]).client.raw(request)).toMatchObject({ status: 204 });
  expect(await bench([gone]).client.raw(request)).toMatchObject({ status: 404 });
});

test('refuses a success that is not what it claims to be, unless any body is wanted', async () => {
  const json = { 'content-type': 'application/json' };
  for (const [path, step, isRefused] of [
    ['/v1/x', { body: '{"a":', headers: json }, true],
    ['/v1/x', { body: '<html></html>', headers: { 'content-type': 'text/html' } }, false],
    ['/v1/account', { body: '<html></html>', headers: { 'content-type': 'text/html' } }, true],
    ['/v1/x', { status: 404, body: '{"a":', headers: json }, false],
  ] as const) {
    const request = { method: 'GET', path } as const;
    const answered = bench([step]).client.raw(request);
    if (isRefused) expect(await failure(answered)).toMatchObject({ kind: 'invalid_response' });
    else expect(await answered).toMatchObject({ headers: step.headers });
    const { body } = await bench([step]).client.raw(request, { anyBody: true });
    expect(String(await readBytes(body, 100))).toBe(step.body);
  }
});

test('says of a write whose response is invalid that it was probably carried out', async () => {
  const step = { body: '{"a":', headers: { 'content-type': 'application/json' } };
  const hintOf = async (method: 'GET' | 'POST') =>
    (await failure(bench([step]).client.raw({ method, path: '/v1/licenses' }))).hint ?? '';
  expect(await hintOf('POST')).toMatch(/^It was probably carried out\. /);
  expect(await hintOf('GET')).not.toContain('carried out');
});

test('returns the response of a refusal, and its error on request', async () => {
  const request = { method: 'GET', path: '/v1/x' } as const;
  const { client } = bench([{ status: 404, body: { message: 'gone' } }]);
  const answer = await client.raw(request);
  expect(answer.status).toBe(404);
  expect(await client.errorOf(request, answer)).toMatchObject({
    kind: 'not_found',
    message: expect.stringContaining('gone'),
  });
  const busy = bench([{ status: 503, body: 'later' }]);
  expect(await busy.client.raw(request)).toMatchObject({ status: 503 });
  expect(busy.sent).toHaveLength(4);
  const post = bench([{ status: 500 }]);
  expect(await post.client.raw({ method: 'POST', path: '/v1/classes' })).toMatchObject({ status: 500 });
  expect(post.sent).toHaveLength(1);
});

test.each([
  ['GET', 503, { kind: 'unavailable' }],
  // Not by --code, a flag that `edu api` does not have.
  ['POST', 503, { kind: 'outcome_unknown', hint: 'Check with `edu licenses get code:CODE` before you run it again.' }],
  ['POST', 400, { kind: 'refused' }],
] as const)('makes of a %s with status %i the error %j', async (method, status, expected) => {
  const request = { method, path: '/v1/licenses' };
  const { client } = bench([{ status }]);
  expect(await client.errorOf(request, await client.raw(request))).toMatchObject(expected);
});

test('refuses paths outside the base URL', async () => {
  const { client, sent } = bench([{ body: {} }]);
  for (const path of ['https://evil.example/', '//evil.example/', '/v1/../x']) {
    expect(await failure(client.raw({ method: 'GET', path }))).toMatchObject({ kind: 'usage' });
    expect(await failure(all(client.rawPages(path, {})))).toMatchObject({ kind: 'usage' });
  }
  expect(sent).toEqual([]);
});

test.each([
  ['/v1/x', { limit: 100 }, '/v1/x?limit=100'],
  ['/v1/x?a=1', { limit: 100 }, '/v1/x?a=1&limit=100'],
  ['/v1/x?limit=5', { limit: 100 }, '/v1/x?limit=5'],
  ['/v1/x?limit=5&cursor=old', { limit: 100, cursor: 'n/w' }, '/v1/x?limit=5&cursor=n%2Fw'],
  ['/v1/x?cursor=old', { limit: undefined }, '/v1/x?cursor=old'],
  ['/v1/x?', {}, '/v1/x'],
])('reads %s with %j as %s', (path, paging, expected) => {
  expect(withPaging(path, paging)).toBe(expected);
});

test('reads any list to its end', async () => {
  const { client, lines, sent } = bench([
    { body: { things: [{ id: '1' }, { id: '2' }], paging: { nextCursor: 'a' } } },
    { body: { things: [{ id: '2' }, { id: '3' }] } },
  ]);
  expect(await all(client.rawPages('/v1/things?x=1', { 'X-A': 'b' }))).toEqual([{ id: '1' }, { id: '2' }, { id: '3' }]);
  expect(lines()).toEqual(['GET /v1/things?x=1&limit=100', 'GET /v1/things?x=1&limit=100&cursor=a']);
  expect(sent[1]?.headers['x-a']).toBe('b');
});

test.each([
  ['/v1/schools', '/v1/schools?limit=100'],
  ['/v1/schools/s1/classes', '/v1/schools/s1/classes'],
])('sends a page size with the list at %s only if the API document has one', async (path, sent) => {
  const { client, lines } = bench([{ body: { items: [] } }]);
  await all(client.rawPages(path, {}));
  expect(lines()[0]).toBe(`GET ${sent}`);
});
