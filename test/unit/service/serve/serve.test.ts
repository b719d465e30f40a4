import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get as plainGet } from 'node:http';
import { get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { readDuration, readDurationRange } from '../../../../src/service/serve/durations.js';
import { OptionError } from '../../../../src/service/serve/options.js';
import { strangeVariants } from '../../../../src/service/serve/parse-variants.js';
import { type ServeOptions, type Serving, serve } from '../../../../src/service/serve/serve.js';
import { defaultVariants } from '../../../../src/service/variants.js';
import { CERTIFICATE, KEY } from '../../../support/self-signed.js';

const NOW = Date.UTC(2026, 2, 1, 12);
const running: Serving[] = [];
const folders: string[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((serving) => serving.stop()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'edu-serve-'));
  folders.push(folder);
  return folder;
};

async function start(options: Partial<ServeOptions> = {}) {
  const lines: string[] = [];
  const serving = await serve({
    port: 0,
    clock: () => NOW,
    random: (count) => crypto.getRandomValues(new Uint8Array(count)),
    log: (text) => lines.push(...text.split(/(?<=\n)/)),
    ...options,
  });
  running.push(serving);
  const { baseUrl, personas } = serving.facts;
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${baseUrl}${path}`, {
      redirect: 'manual',
      ...init,
      headers: { authorization: `Bearer ${personas.distributor}`, ...init.headers },
    });
  const control = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${baseUrl}/_control${path}`, {
      method,
      headers: { 'x-edu-control': '1' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
  };
  return { serving, lines, call, control };
}

const licence = (code: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ name: 'Served', code, type: 'Teacher', maximumActivations: 1 }),
});

describe('serving over HTTP', () => {
  test('prints what a client needs to use it', async () => {
    const { serving } = await start();
    expect(serving.facts).toEqual({
      baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      clientId: 'edu-offline',
      clientSecret: expect.stringMatching(/./),
      callbackUrl: 'http://127.0.0.1:8976/callback',
      personas: {
        distributor: 'edu-offline-distributor',
        publisher: 'edu-offline-publisher',
        school: 'edu-offline-school',
        viewer: 'edu-offline-viewer',
      },
    });
  });

  test('identifies each persona by its token', async () => {
    const { serving } = await start();
    const { baseUrl, personas } = serving.facts;
    const emails = await Promise.all(
      Object.values(personas).map(async (token) => {
        const answer = await fetch(`${baseUrl}/v1/account`, { headers: { authorization: `Bearer ${token}` } });
        return ((await answer.json()) as { email: string }).email;
      }),
    );
    expect(emails).toEqual(Object.keys(personas).map((name) => `${name}@example.org`));
  });

  test('keeps its state in a folder, or nowhere', async () => {
    const directory = temporaryFolder();
    const first = await start({ directory });
    expect((await first.call('/v1/licenses', licence('kept1'))).status).toBe(200);
    await first.serving.stop();
    const second = await start({ directory });
    expect((await second.call('/v1/licenses/code/kept1')).status).toBe(200);
    const memory = await start();
    expect((await memory.call('/v1/licenses/code/kept1')).status).toBe(404);
  });

  test('accepts a path for its base URL', async () => {
    const { serving, call, control } = await start({ basePath: '/content/' });
    expect(serving.facts.baseUrl).toMatch(/:\d+\/content$/);
    expect((await call('/v1/account')).status).toBe(200);
    expect((await call('/login/oauth/authorize?client_id=edu-offline')).status).toBe(200);
    expect((await control('GET', '')).status).toBe(200);
  });

  test('registers another callback URL, also after a reset, and the default in the next run', async () => {
    const directory = temporaryFolder();
    const callbackUrl = 'http://127.0.0.1:50123/cb';
    const { serving, call, control } = await start({ directory, callbackUrl });
    expect(serving.facts.callbackUrl).toBe(callbackUrl);
    const deny = async (caller: typeof call) => {
      const refused = await caller('/login/oauth/authorize?client_id=edu-offline&redirect_uri=http://evil.example/');
      return refused.headers.get('location')?.split('?')[0];
    };
    expect(await deny(call)).toBe(callbackUrl);
    await control('POST', '/reset');
    expect(await deny(call)).toBe(callbackUrl);
    await serving.stop();
    expect(await deny((await start({ directory })).call)).toBe('http://127.0.0.1:8976/callback');
  });

  test('logs one line for each request, without secrets', async () => {
    const { serving, call, lines } = await start({ faults: ['GET /v1/books/subjects 500'] });
    await call('/v1/licenses?type=BOOKS&limit=1&cursor=secretcursor');
    await call('/v1/books/subjects?language=EN');
    await call('/login/oauth/authorize?client_id=edu-offline&state=secretstate');
    await fetch(`${serving.facts.baseUrl}/login/oauth/access_token`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'a', client_secret: 'secretsecret', code: 'secretcode' }),
    });
    await expect.poll(() => lines.length).toBe(4);
    expect(lines[0]).toMatch(/^GET \/v1\/licenses\?type=BOOKS&limit=1&cursor=… 400 \d+\.\dms\n$/);
    expect(lines[1]).toMatch(/^GET \/v1\/books\/subjects\?language=EN 500 \d+\.\dms \(fault: 500\)\n$/);
    expect(lines[3]).toMatch(/^POST \/login\/oauth\/access_token 400 /);
    expect(lines.join('')).not.toMatch(/secret(?!s\b)|edu-offline-distributor/);
  });

  test('supports a whole login: page, consent, callback, token', async () => {
    const visits: string[] = [];
    const application = createServer((request, response) => {
      visits.push(request.url ?? '');
      response.end('ok');
    });
    await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve));
    const callbackUrl = `http://127.0.0.1:${(application.address() as AddressInfo).port}/callback`;
    const { serving, call } = await start({ callbackUrl });
    const { baseUrl, clientId, clientSecret } = serving.facts;
    const query = new URLSearchParams({ client_id: clientId, redirect_uri: `${callbackUrl}/x`, state: 'st' });
    const page = await (await call(`/login/oauth/authorize?${query}`)).text();
    const consent = /name="consent" value="([^"]+)"/.exec(page)?.[1] ?? '';
    await fetch(`${baseUrl}/login/oauth/authorize`, {
      method: 'POST',
      body: new URLSearchParams({ consent, persona: 'viewer', decision: 'allow' }),
    });
    const back = new URL(visits[0] ?? '', callbackUrl);
    expect([back.pathname, back.searchParams.get('state')]).toEqual(['/callback/x', 'st']);
    const exchange = await fetch(`${baseUrl}/login/oauth/access_token`, {
      method: 'POST',
      body: new URLSearchParams({
        client_id: clientId,
        client_secret: clientSecret,
        code: back.searchParams.get('code') ?? '',
        state: 'st',
      }),
    });
    const { access_token } = (await exchange.json()) as { access_token: string };
    const headers = { authorization: `Bearer ${access_token}` };
    expect(await (await fetch(`${baseUrl}/v1/account`, { headers })).json()).toMatchObject({
      id: 'u4',
      permissions: [],
    });
    const login = (await (await call('/v1/users/u4/lastlogin')).json()) as Record<string, unknown>;
    expect(JSON.stringify(login)).toContain('2026-03-01T12:00:00');
    application.close();
  });

  test.each([
    [{ latency: 'soon' }, 'latency "soon" cannot be used'],
    [{ faults: ['explode'] }, '"explode" is not a valid action'],
    [{ faults: ['@/no/such/file'] }, '/no/such/file'],
    [{ cors: ['*'] }, '"*" is not an origin'],
    [{ callbackUrl: 'javascript:alert(1)' }, 'callback URL'],
    [{ callbackUrl: 'http://127.0.0.1:1/é' }, 'callback URL'],
    [{ callbackUrl: 'http://127.0.0.1:1/#here' }, 'callback URL'],
    [{ basePath: '/../x' }, 'is not a path'],
  ] satisfies [Partial<ServeOptions>, string][])('refuses %j', async (options, message) => {
    const failed = start(options);
    await expect(failed).rejects.toThrow(OptionError);
    await expect(failed).rejects.toThrow(message);
  });

  test('names the taken port and the next step', async () => {
    const { serving } = await start();
    const port = Number(new URL(serving.facts.baseUrl).port);
    await expect(start({ port })).rejects.toMatchObject({
      message: `port ${port} is in use by another program`,
      hint: expect.stringContaining('--port'),
    });
  });

  test('reads faults from a file, and applies the latency', async () => {
    const script = join(temporaryFolder(), 'faults.txt');
    writeFileSync(script, '# the first two are refused\nGET /v1/account 429 retry-after=3 times=2\n');
    const { call } = await start({ faults: [`@${script}`], latency: '30ms-40ms' });
    const started = performance.now();
    expect((await call('/v1/account')).status).toBe(429);
    expect(performance.now() - started).toBeGreaterThanOrEqual(29);
    expect((await call('/v1/account')).headers.get('retry-after')).toBe('3');
    expect((await call('/v1/account')).status).toBe(200);
  });

  test('carries out the request before a reset with when=after', async () => {
    const { call } = await start({ faults: ['reset POST when=after times=1'] });
    await expect(call('/v1/licenses', licence('lost1'))).rejects.toThrow('fetch failed');
    expect((await call('/v1/licenses/code/lost1')).status).toBe(200);
    expect((await call('/v1/licenses', licence('lost1'))).status).toBe(400);
  });

  test('plays dead-cursor', async () => {
    const { call } = await start({ faults: ['dead-cursor times=1'] });
    const first = (await (await call('/v1/licenses?type=BOOKS&limit=2')).json()) as { paging: { nextCursor: string } };
    const next = `/v1/licenses?type=BOOKS&limit=2&cursor=${encodeURIComponent(first.paging.nextCursor)}`;
    expect((await call(next)).status).toBe(400);
    expect((await call(next)).status).toBe(200);
  });
});

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

describe('durations', () => {
  test('are numbers with a unit', () => {
    expect(['250ms', '90s', '1.5s', '2m', '3h', '2d', '40', ' 7 s ', 40, '1w'].map(readDuration)).toEqual([
      250, 90_000, 1_500, 120_000, 10_800_000, 172_800_000, 40_000, 7_000, 40, 604_800_000,
    ]);
    expect(['', 's', '-1s', '1y', '1e3', 'soon', -1, Number.NaN].map(readDuration)).toEqual(Array(8).fill(undefined));
    expect(readDurationRange('20ms-80ms')).toEqual({ from: 20, to: 80 });
    expect(readDurationRange('20ms')).toEqual({ from: 20, to: 20 });
    expect(['80-20', '1-2-3', '-', '1-x'].map(readDurationRange)).toEqual(Array(4).fill(undefined));
  });
});

describe('flags for tests', () => {
  test('has a health endpoint without a token', async () => {
    const { serving } = await start();
    expect(await (await fetch(`${serving.facts.baseUrl}/_health`)).json()).toEqual({ status: 'ok' });
  });

  test('serves HTTPS with the given certificate', async () => {
    const folder = temporaryFolder();
    const [tlsCert, tlsKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    writeFileSync(tlsCert, CERTIFICATE);
    writeFileSync(tlsKey, KEY);
    const { serving } = await start({ tlsCert, tlsKey });
    const { baseUrl } = serving.facts;
    expect(baseUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    const status = await new Promise((resolve, reject) => {
      get(`${baseUrl}/_health`, { ca: CERTIFICATE, rejectUnauthorized: false }, ({ statusCode }) =>
        resolve(statusCode),
      ).on('error', reject);
    });
    expect(status).toBe(200);
    await expect(start({ tlsCert })).rejects.toThrow('a certificate and its key belong together');
  });

  test('accepts only the given host names', async () => {
    const { serving } = await start({ hosts: ['edu.test', '127.0.0.1'] });
    const { port } = new URL(serving.facts.baseUrl);
    expect(new URL(serving.facts.baseUrl).hostname).toBe('edu.test');
    const status = (host: string) =>
      new Promise((resolve, reject) => {
        const path = '/_health';
        plainGet({ host: '127.0.0.1', port, path, headers: { host } }, ({ statusCode }) => resolve(statusCode)).on(
          'error',
          reject,
        );
      });
    expect(await Promise.all(['edu.test', `EDU.test:${port}`, 'localhost', 'evil.test'].map(status))).toEqual([
      200, 200, 200, 421,
    ]);
  });

  test('issues tokens, registers applications and sets variants at the start', async () => {
    const { serving, control } = await start({
      tokensFor: ['u3', 'u3=1h', 'u3=expired', 'u3=revoked'],
      clients: ['shop=https://shop.test/back'],
      strange: 3,
    });
    expect(serving.tokens.u3).toMatch(/^edu_/);
    const statusOf = async (token = '') => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${serving.facts.baseUrl}/v1/account`, { headers })).status;
    };
    const tokens = [
      serving.tokens.u3,
      serving.tokens['u3=1h'],
      serving.tokens['u3=expired'],
      serving.tokens['u3=revoked'],
    ];
    expect(await Promise.all(tokens.map(statusOf))).toEqual([200, 200, 401, 401]);
    await expect(start({ tokensFor: ['u3=soon'] })).rejects.toThrow('token "u3=soon" cannot be used');
    await expect(start({ verified: ['nobody'] })).rejects.toThrow('no user has the ID or e-mail address "nobody"');
    expect((await control('GET', '/variants')).json).toEqual(strangeVariants(3));
    expect((await fetch(`${serving.facts.baseUrl}/login/oauth/authorize?client_id=shop`)).status).toBe(200);
    await expect(start({ tokensFor: ['nobody'] })).rejects.toThrow('no user has the ID or e-mail address "nobody"');
  });

  test('changes users and variants through the control route', async () => {
    const { serving, call, control } = await start({ now: '2030-01-01T00:00:00Z', randomSeed: 1 });
    const { token } = (await control('POST', '/tokens', { user: 'u3', expiresIn: '1h' })).json as { token: string };
    const authorization = `Bearer ${token}`;
    expect(await (await call('/v1/account', { headers: { authorization } })).json()).toMatchObject({ id: 'u3' });
    expect((await control('POST', '/tokens/expire', { token })).status).toBe(200);
    expect((await call('/v1/account', { headers: { authorization } })).status).toBe(401);
    expect((await control('POST', '/tokens/revoke', { token: 'none' })).status).toBe(404);
    expect((await control('POST', '/variants', { createdStatus: 201 })).json).toMatchObject({ createdStatus: 201 });
    expect((await call('/v1/licenses', licence('made1'))).status).toBe(201);
    expect((await control('PUT', '/variants', { pages: 'short' })).json).toMatchObject({
      createdStatus: 200,
      pages: 'short',
    });
    expect((await control('POST', '/variants', { pages: 'long' })).json).toMatchObject({
      message: '"long" is not a value of pages: expected full, short, empty',
    });
    expect((await control('POST', '/users/nobody/verify')).status).toBe(404);
    expect((await control('GET', '/emails')).json).toEqual({ emails: [] });
    const client = { id: 'shop', callbackUrl: 'https://shop.test/back' };
    expect((await control('POST', '/clients', client)).json).toMatchObject(client);
    expect(serving.facts.personas.school).toBe('edu-offline-school');
  });
});
