import { describe, expect, test } from 'vitest';
import { defaultVariants } from '../../../../src/service/variants.js';
import { licence, start } from './serving.js';

describe('the control route', () => {
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
  });

  test('resets to a seed', async () => {
    const { call, control } = await start();
    await call('/v1/licenses', licence('gone1'));
    expect((await control('POST', '/reset')).json).toEqual({ seed: 'demo' });
    expect((await call('/v1/licenses/code/gone1')).status).toBe(404);
    expect((await control('POST', '/reset', { seed: 'empty' })).json).toEqual({ seed: 'empty' });
    expect((await call('/v1/licenses/code/welcome1')).status).toBe(404);
    expect((await control('POST', '/reset', { seed: 'tiny' })).status).toBe(400);
  });

  test('takes and restores snapshots, which invalidates cursors issued in between', async () => {
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
    expect((await control('POST', '/snapshots', { name: '../x' })).status).toBe(400);
  });

  test('moves the clock', async () => {
    const { call, control } = await start();
    const { url } = (await (await call('/v1/books/B1/editor?language=EN')).json()) as { url: string };
    expect((await control('POST', '/clock', { advance: '61s' })).json).toEqual({ now: '2026-03-01T12:01:01.000Z' });
    expect((await fetch(url)).status).toBe(403);
    expect((await control('POST', '/clock', { now: '2030-01-01T00:00:00Z' })).json).toEqual({
      now: '2030-01-01T00:00:00.000Z',
    });
    expect((await control('DELETE', '/clock')).json).toEqual({ now: '2026-03-01T12:00:00.000Z' });
    for (const body of [{}, { advance: 'soon' }, { now: 'soon' }, { advance: 1, now: 2 }]) {
      expect((await control('POST', '/clock', body)).status).toBe(400);
    }
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
    expect((await control('POST', '/faults', ['explode'])).status).toBe(400);
  });

  test('returns the requests, except those to the control route', async () => {
    const { call, control } = await start();
    await call('/v1/account');
    await call('/v1/licenses', licence('seen1'));
    const { requests } = (await control('GET', '/requests')).json as { requests: Record<string, unknown>[] };
    expect(requests.map(({ number, method, path, status }) => [number, method, path, status])).toEqual([
      [1, 'GET', '/v1/account', 200],
      [2, 'POST', '/v1/licenses', 200],
    ]);
    expect(requests[1]).toMatchObject({ body: { code: 'seen1' } });
    expect((await control('GET', '/requests?after=1')).json).toMatchObject({ requests: [{ number: 2 }] });
    await control('DELETE', '/requests');
    expect((await control('GET', '/requests')).json).toEqual({ requests: [] });
  });

  test('rejects requests from web pages', async () => {
    const { serving, control } = await start({ cors: ['http://app.example'] });
    const address = `${serving.facts.baseUrl}/_control`;
    expect((await fetch(address)).status).toBe(403);
    expect((await fetch(`${address}/reset`, { method: 'POST' })).status).toBe(403);
    const headers = { 'x-edu-control': '1', origin: 'http://app.example' };
    expect((await fetch(address, { headers })).status).toBe(403);
    const preflight = await fetch(address, {
      method: 'OPTIONS',
      headers: {
        origin: 'http://app.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-edu-control',
      },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
    expect((await control('GET', '/nothing')).status).toBe(404);
    expect((await control('PATCH', '/faults')).status).toBe(404);
  });

  test('accepts JSON bodies of limited size', async () => {
    const { serving } = await start();
    const post = (body: string) =>
      fetch(`${serving.facts.baseUrl}/_control/reset`, { method: 'POST', headers: { 'x-edu-control': '1' }, body });
    expect((await post('{')).status).toBe(400);
    expect((await post('5')).status).toBe(400);
    expect((await post(`"${'x'.repeat(1024 * 1024)}"`)).status).toBe(413);
  });
});
