/** The control route: each request does what the method of `createService` does. */
import { expect, test } from 'vitest';
import { defaultVariants } from '../../../../src/service/variants.js';
import { licence, start } from './serving.js';

test('returns the state', async () => {
  const { serving, control } = await start({ faults: ['503 every=100'] });
  expect((await control('GET', '')).json).toEqual({
    baseUrl: serving.facts.baseUrl,
    seed: 'demo',
    now: '2026-03-01T12:00:00.000Z',
    faults: [{ fault: { action: 'status', status: 503, every: 100 }, met: 0, hit: 0 }],
    variants: defaultVariants(),
    snapshots: [],
    requests: 0,
  });
  expect((await control('GET', '/state')).json).toMatchObject({ counts: { licences: 265 } });
  expect((await control('GET', '/state/organizations')).json).toMatchObject({
    items: expect.arrayContaining([expect.objectContaining({ id: 'd1' })]),
  });
});

test('resets, and takes and restores snapshots, which invalidates cursors issued in between', async () => {
  const { call, control } = await start();
  expect((await control('POST', '/snapshots', { name: 'before' })).json).toEqual({ name: 'before' });
  await call('/v1/licenses', licence('between1'));
  const page = (await (await call('/v1/licenses?type=BOOKS&limit=2')).json()) as { paging: { nextCursor: string } };
  expect((await control('POST', '/snapshots/before/restore')).json).toEqual({ name: 'before' });
  expect((await call('/v1/licenses/code/between1')).status).toBe(404);
  expect((await call('/v1/licenses/code/welcome1')).status).toBe(200);
  const cursor = encodeURIComponent(page.paging.nextCursor);
  expect((await call(`/v1/licenses?type=BOOKS&limit=2&cursor=${cursor}`)).status).toBe(400);
  expect((await control('POST', '/snapshots')).json).toEqual({ name: 'snapshot-2' });
  expect((await control('DELETE', '/snapshots/before')).status).toBe(200);
  expect((await control('GET', '/snapshots')).json).toEqual({ snapshots: ['snapshot-2'] });
  expect((await control('POST', '/snapshots/before/restore')).status).toBe(404);
  expect((await control('POST', '/restart')).json).toEqual({ seed: 'demo' });
  expect((await control('POST', '/reset', { seed: 'empty' })).json).toEqual({ seed: 'empty' });
  expect((await call('/v1/licenses/code/welcome1')).status).toBe(404);
});

test('reads no file that a request names', async () => {
  const { control } = await start();
  const message = 'seed must be one of demo, empty, large';
  for (const seed of [import.meta.filename, import.meta.dirname, 'no-such-seed', ['demo'], null])
    expect(await control('POST', '/reset', { seed })).toMatchObject({ status: 400, json: { message } });
});

test('refuses members that a request does not have', async () => {
  const { control } = await start();
  await control('POST', '/snapshots', { name: 'a' });
  for (const [path, body] of [
    ['/reset', { sed: 'empty' }],
    ['/reset', ['empty']],
    ['/snapshots', { nam: 'b' }],
    ['/snapshots/a/restore', { kept: ['faults'] }],
    ['/clock', { advance: '2d', by: '2d' }],
    ['/tokens', { user: 'u3', expiresin: '1h' }],
    ['/verify', { expected: [], onli: true }],
  ] as const)
    expect(await control('POST', path, body), path).toMatchObject({ status: 400, json: { error: 'OptionError' } });
  const hint = 'Write 90s, 2h or 3d, or give milliseconds.';
  expect(await control('POST', '/clock', { advance: 'soon' })).toMatchObject({ status: 400, json: { hint } });
});

test('moves the clock', async () => {
  const { control } = await start();
  expect((await control('POST', '/clock', { advance: '61s' })).json).toEqual({ now: '2026-03-01T12:01:01.000Z' });
  const set = await control('POST', '/clock', { now: '2030-01-01T00:00:00Z' });
  expect(set.json).toEqual({ now: '2030-01-01T00:00:00.000Z' });
  expect((await control('POST', '/clock', { now: '2030-02-31' })).status).toBe(400);
  expect((await control('DELETE', '/clock')).json).toEqual({ now: '2026-03-01T12:00:00.000Z' });
});

test('adds, replaces and clears faults', async () => {
  const { call, control } = await start();
  await control('POST', '/faults', 'GET /v1/account 503');
  await control('POST', '/faults', [{ action: 'reset', path: '/v1/roles' }]);
  expect((await control('GET', '/faults')).json).toMatchObject({ faults: [{ met: 0 }, { met: 0 }] });
  expect((await call('/v1/account')).status).toBe(503);
  await control('PUT', '/faults', [{ status: 500, path: '/v1/account' }]);
  expect((await call('/v1/account')).status).toBe(500);
  await control('DELETE', '/faults');
  expect((await call('/v1/account')).status).toBe(200);
});

test('returns the requests, except those to the control route', async () => {
  const { call, control } = await start();
  await call('/v1/account');
  await call('/v1/licenses', licence('seen1'));
  expect((await control('GET', '/requests')).json).toMatchObject({
    requests: [
      { number: 1, method: 'GET', path: '/v1/account', status: 200 },
      { number: 2, method: 'POST', path: '/v1/licenses', body: { code: 'seen1' } },
    ],
  });
  expect((await control('GET', '/requests?after=1')).json).toMatchObject({ requests: [{ number: 2 }] });
  expect((await control('POST', '/verify', ['POST /v1/licenses 200'])).json).toEqual({ ok: true });
  expect((await control('POST', '/verify', { expected: [], only: true })).json).toMatchObject({ ok: false });
  await control('DELETE', '/requests');
  expect((await control('GET', '/requests')).json).toEqual({ requests: [] });
});

test('changes users, applications and variants', async () => {
  const { call, control } = await start({ now: '2030-01-01T00:00:00Z', randomSeed: 1 });
  const { token } = (await control('POST', '/tokens', { user: 'u3', expiresIn: '1h' })).json as { token: string };
  const headers = { authorization: `Bearer ${token}` };
  expect(await (await call('/v1/account', { headers })).json()).toMatchObject({ id: 'u3' });
  expect((await control('POST', '/tokens/expire', { token })).status).toBe(200);
  expect((await call('/v1/account', { headers })).status).toBe(401);
  expect((await control('POST', '/variants', { createdStatus: 201 })).json).toMatchObject({ createdStatus: 201 });
  expect((await call('/v1/licenses', licence('made1'))).status).toBe(201);
  const set = await control('PUT', '/variants', { pages: 'short' });
  expect(set.json).toMatchObject({ createdStatus: 200, pages: 'short' });
  expect((await control('GET', '/emails')).json).toEqual({ emails: [] });
  const client = { id: 'shop', callbackUrl: 'https://shop.test/back' };
  expect((await control('POST', '/clients', client)).json).toMatchObject(client);
  const { location } = (await control('POST', '/authorize', { user: 'u3', clientId: 'shop' })).json;
  expect(location).toMatch(/^https:\/\/shop\.test\/back\?code=/);
});

test('refuses invalid requests, which change nothing', async () => {
  const { serving, control } = await start();
  for (const [method, path, body, status, message] of [
    ['POST', '/reset', 5, 400, 'the body must be a JSON object or list, not 5'],
    ['POST', '/snapshots', { name: '../x' }, 400, 'name must consist of'],
    ['POST', '/clock', {}, 400, 'give either advance'],
    ['POST', '/clock', { advance: 1, now: 2 }, 400, 'give either advance'],
    ['POST', '/faults', ['explode'], 400, 'action must be one of'],
    ['PUT', '/faults', ['as=shcool 503'], 400, 'no persona or user is shcool'],
    ['POST', '/variants', [], 400, 'give an object such as {"createdStatus": 201}'],
    ['POST', '/verify', [], 400, 'expectation [] cannot be used'],
    ['POST', '/users/%zz/verify', undefined, 400, 'URI malformed'],
    ['POST', '/users/nobody/verify', undefined, 404, 'no user has the ID'],
    ['GET', '/requests?after=x', undefined, 400, 'after must be a whole number'],
    ['POST', '/tokens', { user: 'u1', expiresIn: -5 }, 400, 'expiresIn -5 cannot be used'],
    ['POST', '/tokens/revoke', { token: 'none' }, 404, 'no such token was issued'],
    ['GET', '/nothing', undefined, 404, 'there is no GET /_control/nothing'],
    ['PATCH', '/faults', undefined, 404, 'there is no PATCH'],
  ] as const) {
    const answer = await control(method, path, body);
    expect([path, answer.status, answer.json.message]).toEqual([path, status, expect.stringContaining(message)]);
  }
  const post = (body: string) =>
    fetch(`${serving.facts.baseUrl}/_control/reset`, { method: 'POST', headers: { 'x-edu-control': '1' }, body });
  expect((await post('{')).status).toBe(400);
  expect((await post(`"${'x'.repeat(1024 * 1024)}"`)).status).toBe(400);
  expect((await control('GET', '/state')).json).toMatchObject({ counts: { licences: 265 } });
});

test('rejects requests from web pages', async () => {
  const { serving } = await start({ cors: ['http://app.example'] });
  const address = `${serving.facts.baseUrl}/_control`;
  expect((await fetch(address)).status).toBe(403);
  expect((await fetch(`${address}/reset`, { method: 'POST' })).status).toBe(403);
  const origin = 'http://app.example';
  expect((await fetch(address, { headers: { 'x-edu-control': '1', origin } })).status).toBe(403);
});
