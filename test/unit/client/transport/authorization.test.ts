import { expect, test } from 'vitest';
import { authorized } from '../../../../src/client/transport/authorization.js';
import type { HttpRequest } from '../../../../src/core/http.js';

async function headersSent(
  request: Partial<HttpRequest>,
  token: string | undefined = 'tok',
  origin = 'https://api.example',
) {
  let seen: HttpRequest | undefined;
  const send = authorized(
    async (one) => {
      seen = one;
      return { status: 200, headers: {}, body: '' };
    },
    { origin, token: token },
  );
  await send({ method: 'GET', url: 'https://api.example/v1/account', headers: { accept: 'x' }, ...request });
  return seen?.headers;
}

test.each([
  'https://files.example/v1/account',
  'http://api.example/v1/account',
  'https://api.example:8443/v1/account',
  'https://api.example.evil.example/',
  'https://api.example@evil.example/',
])('does not send the token to %s', async (url) => {
  expect(await headersSent({ url })).toEqual({ accept: 'x' });
});

test('sends no token with an anonymous request, or without one', async () => {
  expect(await headersSent({ anonymous: true })).toEqual({ accept: 'x' });
  const seen: unknown[] = [];
  const send = authorized(
    async ({ headers }) => {
      seen.push(headers);
      return { status: 200, headers: {}, body: '' };
    },
    { origin: 'https://api.example', token: undefined },
  );
  await send({ method: 'GET', url: 'https://api.example/', headers: {} });
  expect(seen).toEqual([{}]);
});

test('keeps the Authorization header of a request', async () => {
  expect(await headersSent({ headers: { authorization: 'Basic x' } })).toEqual({ authorization: 'Basic x' });
});

const CHECK = 'https://api.example/v1/account';

test.each([401, 403])('renews a token rejected with %d once, and sends no stream twice', async (no) => {
  let renewals = 0;
  const sent: string[] = [];
  let valid = 'tok-1';
  const send = authorized(
    async ({ url, headers: { authorization = '' } }) => {
      if (url !== CHECK) sent.push(authorization);
      return { status: authorization === `Bearer ${valid}` ? 200 : no, headers: {}, body: '' };
    },
    { origin: 'https://api.example', token: 'tok-0', renewal: { check: CHECK, renew: () => `tok-${++renewals}` } },
  );
  const request = { method: 'GET', url: 'https://api.example/', headers: {} } as const;
  const statuses = async (requests: readonly HttpRequest[]) =>
    (await Promise.all(requests.map(send))).map(({ status }) => status);
  expect(await statuses([{ ...request, body: (async function* () {})() }])).toEqual([no]);
  expect(await statuses([request, request, request])).toEqual([200, 200, 200]);
  expect([renewals, sent.length]).toEqual([1, 7]);
  valid = 'none';
  expect(await statuses([request, request])).toEqual([no, no]);
  expect(await statuses([request])).toEqual([no]);
  expect(renewals).toBe(2);
});

test('repeats a request that was rejected while another one renewed the token, without a check', async () => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  let checks = 0;
  const send = authorized(
    async ({ url, headers }) => {
      if (url === CHECK) checks++;
      if (url.endsWith('/slow')) await held;
      return { status: headers.authorization === 'Bearer new' ? 200 : 403, headers: {}, body: '' };
    },
    { origin: 'https://api.example', token: 'old', renewal: { check: CHECK, renew: () => 'new' } },
  );
  const slow = send({ method: 'GET', url: 'https://api.example/slow', headers: {} });
  expect((await send({ method: 'GET', url: 'https://api.example/', headers: {} })).status).toBe(200);
  release();
  expect([(await slow).status, checks]).toEqual([200, 1]);
});

test('keeps a token whose account is readable, or not known, when a request is not allowed', async () => {
  for (const check of [200, 500, undefined]) {
    const sent: string[] = [];
    const send = authorized(
      async ({ url }) => {
        sent.push(url);
        if (url === CHECK && check === undefined) throw new Error('reset');
        return { status: url === CHECK ? (check ?? 0) : 403, headers: {}, body: 'no' };
      },
      { origin: 'https://api.example', token: 'tok', renewal: { check: CHECK, renew: () => 'other' } },
    );
    expect((await send({ method: 'PUT', url: 'https://api.example/', headers: {}, body: 'x' })).status).toBe(403);
    expect(sent).toEqual(['https://api.example/', CHECK]);
  }
});

test('returns the rejection if there is no other token', async () => {
  const failing = () => {
    throw new Error('locked');
  };
  for (const renew of [undefined, () => undefined, () => 'tok', failing]) {
    const send = authorized(async () => ({ status: 401, headers: {}, body: 'no' }), {
      origin: 'https://api.example',
      token: 'tok',
      renewal: renew && { check: CHECK, renew },
    });
    expect((await send({ method: 'GET', url: 'https://api.example/', headers: {} })).status).toBe(401);
  }
});
