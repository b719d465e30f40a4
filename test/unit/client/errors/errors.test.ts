import { expect, test } from 'vitest';
import { licenses } from '../../../../src/contract/licenses.js';
import { oauth } from '../../../../src/contract/oauth.js';
import { publishers } from '../../../../src/contract/publishers.js';
import { bench, failure, lost } from '../support.js';

const get = (client: ReturnType<typeof bench>['client']) => client.call(licenses.get, { params: { id: '7' } });

test.each([
  [400, 'refused', 1],
  [405, 'refused', 1],
  [409, 'conflict', 1],
  [413, 'refused', 1],
  [422, 'refused', 1],
  [404, 'not_found', 5],
  [401, 'unauthenticated', 4],
  [501, 'server_error', 1],
] as const)('%i is %s, exit code %i', async (status, kind, exitCode) => {
  const { client } = bench([{ status, body: { message: 'that is why' }, headers: { 'x-request-id': 'r-1' } }]);
  const error = await failure(get(client));
  expect(error).toMatchObject({ kind, exitCode, status, method: 'GET', path: '/v1/licenses/7', requestId: 'r-1' });
  expect(error.message).toContain('that is why');
  expect(error.message).toContain(String(status));
  expect(error.message).toContain('r-1');
});

test('uses the name of the status without a body', async () => {
  expect((await failure(get(bench([{ status: 400 }]).client))).message).toBe(
    'the service rejected the request (400): Bad Request',
  );
});

test('lists the fields that the service names', async () => {
  const { client } = bench([{ status: 400, body: { errors: [{ field: 'name', message: 'is too long' }] } }]);
  const error = await failure(client.call(publishers.update, { params: { id: '1' }, body: { name: 'x' } }));
  expect(error.details).toEqual([{ where: 'name', message: 'is too long' }]);
  expect(error.message).toContain('is too long');
});

test('403 without a token is unauthenticated, without another request', async () => {
  const { client, lines } = bench([{ status: 403 }], { token: undefined });
  const error = await failure(get(client));
  expect(error).toMatchObject({ kind: 'unauthenticated', exitCode: 4 });
  expect(error.message).toContain('not logged in');
  expect(error.hint).toContain('edu auth login');
  expect(lines()).toEqual(['GET /v1/licenses/7']);
});

const UNCLEAR = /may have rejected the access token.*GET account, which would tell, failed too/;

test.each([
  ['is not answered', () => lost(), UNCLEAR],
  ['fails', () => ({ status: 500 }), UNCLEAR],
  ['is not there', () => ({ status: 404 }), UNCLEAR],
  ['is refused', () => ({ status: 403 }), /the service rejects the access token/],
  ['is not authorised', () => ({ status: 401 }), /the service rejects the access token/],
])('403 is unauthenticated, exit 4, if GET account %s', async (_, account, message) => {
  const { client } = bench(({ path }) => (path === '/v1/account' ? account() : { status: 403 }));
  const error = await failure(get(client));
  expect(error).toMatchObject({ kind: 'unauthenticated', exitCode: 4, status: 403, path: '/v1/licenses/7' });
  expect(error.message).toMatch(message);
});

test('checks a token once for many refusals, and again later', async () => {
  const { client, lines, clock } = bench(({ path }) =>
    path === '/v1/account' ? { body: { id: '1' } } : { status: 403 },
  );
  await Promise.all([1, 2, 3].map(() => failure(get(client))));
  await failure(get(client));
  expect(lines().filter((line) => line === 'GET /v1/account')).toHaveLength(1);
  clock.pass(31_000);
  await failure(get(client));
  expect(lines().filter((line) => line === 'GET /v1/account')).toHaveLength(2);
});

test('does not check the account after a refused token request', async () => {
  const body = { client_id: 'a', client_secret: 'very-secret', code: 'c0de' };
  const { client, lines, sent } = bench(
    [{ status: 403, body: { error: 'InvalidClientCredentials', message: 'very-secret is wrong' } }],
    {
      secrets: ['very-secret'],
    },
  );
  const error = await failure(client.call(oauth.token, { body }));
  expect(error).toMatchObject({ kind: 'forbidden' });
  expect(error.message).not.toContain('very-secret');
  expect(error.message).toContain('InvalidClientCredentials: *** is wrong');
  expect(lines()).toEqual(['POST /login/oauth/access_token']);
  expect(sent[0]?.anonymous).toBe(true);
});

test('never shows the token, even if the service returns it', async () => {
  const { client } = bench([
    {
      status: 400,
      body: { message: 'header was Authorization: Bearer tok-17', errors: [{ field: 'x', message: 'tok-17?' }] },
    },
  ]);
  const error = await failure(client.call(publishers.update, { params: { id: 'tok-17' }, body: { name: 'x' } }));
  expect(JSON.stringify({ ...error, message: error.message })).not.toContain('tok-17');
  expect(error.path).toBe('/v1/publishers/***');
});

test('removes control characters from the message of the service', async () => {
  const { client } = bench([{ status: 400, body: { message: '\u001b[2J\u202eevil\u0007' } }]);
  expect((await failure(get(client))).message).toBe('the service rejected the request (400): evil');
});

test.each([
  ['a compressed body that is broken', Buffer.from('nonsense'), { 'content-encoding': 'gzip' }],
  ['a body of 2 MB', 'x'.repeat(2_000_000), {}],
  [
    'a body that breaks off',
    (async function* () {
      yield Buffer.from('{"mess');
      throw lost();
    })(),
    {},
  ],
] as const)('uses the status, even if the body is unreadable: %s', async (_, body, headers) => {
  const { client, lines } = bench([{ status: 404, body, headers }]);
  expect(await failure(get(client))).toMatchObject({ kind: 'not_found', status: 404 });
  expect(lines()).toHaveLength(1);
});
