/** The service for JavaScript tests: `createService` and its methods. Resets: isolation.test.ts. `verify`: assertions.test.ts. */
import { describe, expect, test } from 'vitest';
import { createService, type ServiceOptions, type VariantsGiven } from '../../../src/service/index.js';
import { made } from './demo-service.js';

describe('calls', () => {
  test('take paths, addresses and Request objects, like fetch, and have the URL of the request', async () => {
    const { service, call } = await made();
    const answer = await call('/v1/account');
    expect(answer).toBeInstanceOf(Response);
    expect([answer.status, answer.url]).toEqual([200, `${service.baseUrl}/v1/account`]);
    expect(await answer.json()).toMatchObject({ id: 'u1', email: 'distributor@example.org' });
    const request = new Request(`${service.baseUrl}/v1/account`);
    expect((await service.fetch(request)).status).toBe(403);
    expect((await service.fetch(new URL('/v1/account', service.baseUrl))).status).toBe(403);
  });

  test('take JSON and forms, and return 204 without a body', async () => {
    const { call, create } = await made();
    const created = (await (await create('brandnew')).json()) as { id: string; code: string };
    expect(created.code).toBe('brandnew');
    const gone = await call(`/v1/licenses/${created.id}`, { method: 'DELETE' });
    expect([gone.status, await gone.text()]).toEqual([204, '']);
    const form = new FormData();
    form.set('fileType', 'Document');
    form.set('file', new Blob(['%PDF-1.4 …'], { type: 'application/pdf' }), 'a.pdf');
    const uploaded = await call('/v1/files', { method: 'POST', body: form });
    const file = (await uploaded.json()) as { url: string };
    const bytes = await call(new URL(file.url).pathname);
    expect(await bytes.text()).toBe('%PDF-1.4 …');
  });

  test('reject when they are aborted, during the latency without an effect', async () => {
    const { service, call, create } = await made({ faults: ['POST /v1/licenses latency=10000'] });
    const early = AbortSignal.abort(new Error('enough'));
    await expect(service.fetch('/v1/account', { signal: early })).rejects.toThrow('enough');
    const abort = new AbortController();
    const aborted = create('aborted1', { signal: abort.signal });
    setImmediate(() => abort.abort(new Error('enough')));
    await expect(aborted).rejects.toThrow('enough');
    const late = create('aborted1', { signal: AbortSignal.timeout(1) });
    await expect(late).rejects.toMatchObject({ name: 'TimeoutError' });
    expect((await call('/v1/licenses/code/aborted1')).status).toBe(404);
    expect(service.requests().map(({ status }) => status)).toEqual([0, 0, 404]);
  });

  test('fail after close(), as every method does', async () => {
    const { service, call } = await made();
    const restore = service.snapshot();
    await service.close();
    await service.close();
    await expect(call('/v1/account')).rejects.toMatchObject({ cause: { message: 'the service is closed' } });
    await expect(service.reset()).rejects.toThrow('the service is closed');
    await expect(service.listen()).rejects.toThrow('the service is closed');
    for (const use of [
      () => service.snapshot(),
      restore,
      () => service.advance('1s'),
      () => service.addFaults('503'),
      () => service.requests(),
      () => service.token('u1'),
    ]) {
      expect(use).toThrow('the service is closed');
    }
  });

  test('over a port are the same, with its address and the base path in responses', async () => {
    const { service, call } = await made({ baseUrl: 'https://service.test/content/' });
    const addressIn = async (answer: Response) => ((await answer.json()) as { url: string }).url;
    const path = '/v1/books/B1/editor?language=EN';
    expect(await addressIn(await call(path))).toMatch(/^https:\/\/service\.test\/content\/editor\//);
    const socket = await service.listen();
    const headers = { authorization: `Bearer ${service.personas.distributor}` };
    expect(socket.baseUrl).toBe(`http://127.0.0.1:${socket.port}/content`);
    const { url } = (await (await fetch(`${socket.baseUrl}${path}`, { headers })).json()) as { url: string };
    expect(url).toMatch(new RegExp(`^${socket.baseUrl}/editor/`));
    expect(await (await fetch(`${socket.baseUrl}/_health`)).json()).toEqual({ status: 'ok' });
    expect(service.requests().map((request) => request.path)).toEqual([path, path]);
    await socket.close();
    await expect(fetch(`${socket.baseUrl}/_health`)).rejects.toThrow();
  });
});

describe('methods', () => {
  test('requests() returns them with headers and bodies, without secrets', async () => {
    const { service, create, call } = await made();
    await create('noted1');
    await call('/v1/licenses?type=BOOKS&limit=2&cursor=abc');
    await call('/v1/books/B1/editor?language=EN');
    const [first, second, third] = service.requests();
    expect(first).toMatchObject({ number: 1, method: 'POST', path: '/v1/licenses', status: 200, faults: [] });
    expect(first).toMatchObject({ body: { code: 'noted1' }, at: '2026-03-01T12:00:00.000Z' });
    expect(second).toMatchObject({ path: '/v1/licenses?type=BOOKS&limit=2&cursor=…', status: 400 });
    expect(third?.headers.authorization).toBe('Bearer …');
    expect(third?.answer?.headers['content-type']).toContain('application/json');
    expect(third?.answer?.body).toEqual({ url: `${service.baseUrl}/editor/books/B1?token=…` });
    expect(JSON.stringify(service.requests())).not.toContain(service.personas.distributor);
  });

  test('state() has the logins of which lastlogin shows the last one on each device, and of all', async () => {
    const { service, call } = await made();
    const logins = service.state('logins') as readonly { userId: string; device: string; at: number }[];
    const users = service.state('users') as readonly { id: string; creatorId: string }[];
    const last = (userId: string, devices: readonly string[]): string | null => {
      const times = logins.filter((one) => one.userId === userId && devices.includes(one.device)).map(({ at }) => at);
      return times.length === 0 ? null : `${new Date(Math.max(...times)).toISOString().slice(0, 19)}+00:00`;
    };
    for (const { id } of users.filter(({ creatorId }) => creatorId === 'd1').slice(0, 40)) {
      const [iPad, web, overall] = [last(id, ['iPad']), last(id, ['web']), last(id, ['iPad', 'web'])];
      expect(await (await call(`/v1/users/${id}/lastlogin`)).json()).toEqual({ iPad, web, overall });
    }
  });

  test('token() issues tokens for any user, which can be revoked and expire', async () => {
    const { service } = await made();
    const status = async (token: string) =>
      (await service.fetch('/v1/account', { headers: { authorization: `Bearer ${token}` } })).status;
    const tokens = [service.token('u3'), service.token('school@example.org'), service.token('u3', '1m')] as const;
    expect(await Promise.all(tokens.map(status))).toEqual([200, 200, 200]);
    service.revoke(tokens[0]);
    service.expire(tokens[1]);
    service.advance('61s');
    expect(await Promise.all(tokens.map(status))).toEqual([401, 401, 401]);
    for (const time of ['soon', 8.64e15]) expect(() => service.advance(time)).toThrow('cannot be used');
    expect(() => service.token(undefined as never)).toThrow('no user has the ID or e-mail address undefined');
    expect(() => service.revoke('edu_x')).toThrow('no such token was issued');
  });

  test('emails() returns passwords, and verifyUser() verifies end users', async () => {
    const { service, call, post } = await made();
    const json = { firstName: 'Eve', lastName: 'End', email: 'eve@example.org', language: 'NL' };
    const { id, email } = (await (await post('/v1/users/enduser', json)).json()) as { id: string; email: unknown };
    expect(email).toBeNull();
    expect(() => service.token(id)).toThrow('cannot log in');
    await expect(service.authorize({ user: 'eve@example.org' })).rejects.toThrow('cannot log in');
    expect(service.emails()).toMatchObject([
      { to: 'eve@example.org', userId: id, language: 'NL', at: '2026-03-01T12:00:00+00:00' },
    ]);
    expect(service.emails()[0]?.password).toMatch(/^[a-z0-9]{12}$/);
    service.verifyUser('eve@example.org');
    expect(await (await call('/v1/users/userId/eve@example.org')).json()).toEqual({ id });
  });

  test('addClient() and the option register applications with callbacks of their own', async () => {
    const own = { id: 'edu-offline', callbackUrl: 'https://own.test/back', secret: 'own' };
    const { service } = await made({ clients: [{ id: 'shop', callbackUrl: 'https://shop.test/back' }, own] });
    expect(service).toMatchObject({ callbackUrl: 'https://own.test/back', clientSecret: 'own' });
    service.addClient({ id: 'old', callbackUrl: 'https://old.test/back', suspended: true });
    const page = await service.fetch('/login/oauth/authorize?client_id=shop&redirect_uri=https://shop.test/back/1');
    expect(page.status).toBe(200);
    const refused = await service.fetch('/login/oauth/authorize?client_id=old');
    expect(refused.headers.get('location')).toContain('https://old.test/back?error=application_suspended');
  });

  test('state() returns the records of a collection', async () => {
    const { service } = await made({ seed: 'empty' });
    expect(service.state('organizations')).toContainEqual(expect.objectContaining({ id: 'd1', type: 'Distributor' }));
    expect(() => service.state('accessTokens' as never)).toThrow('there is no collection "accessTokens"');
  });

  test('setVariants() changes behaviour while the service runs', async () => {
    const { service, call, create } = await made({ variants: { createdStatus: 201, lastCursor: 'absent' } });
    expect((await create('made1')).status).toBe(201);
    expect(await (await call('/v1/publishers')).json()).toMatchObject({ paging: {} });
    service.setVariants({ lastCursor: 'no-paging', errorBody: 'text', badTokenStatus: 403, maxLimit: 2 });
    const last = (await (await call('/v1/publishers?limit=100')).json()) as { publishers: []; paging: object };
    expect([last.publishers.length, Object.keys(last.paging)]).toEqual([2, ['nextCursor']]);
    const refused = await call('/v1/licenses/none');
    expect([refused.headers.get('content-type'), await refused.text()]).toEqual([
      'text/plain; charset=utf-8',
      'no licence has the ID "none"',
    ]);
  });
});

describe('variants where the API document can be read both ways', () => {
  test.each<readonly [VariantsGiven, byId: unknown, inList: unknown]>([
    [{}, undefined, '2026-03-01T12:00:00.000'],
    [{ deactivationDate: 'always' }, '2026-03-01T12:00:00.000', '2026-03-01T12:00:00.000'],
    [{ deactivationFormat: 'timestamp' }, undefined, '2026-03-01T12:00:00+00:00'],
  ])('a deleted class under %j', async (variants, byId, inList) => {
    const { call, put } = await made({ variants });
    await put('/v1/classes/delete/c1');
    const found = (await (await call('/v1/classes/c1')).json()) as { deactivationDate?: string };
    expect(found.deactivationDate).toBe(byId);
    type Listed = { classId: string; deactivationDate: unknown }[];
    const listed = (await (await call('/v1/schools/s1/classes')).json()) as Listed;
    expect(listed.find(({ classId }) => classId === 'c1')?.deactivationDate).toBe(inList);
  });

  test.each([
    ['accepted', 200],
    ['refused', 400],
  ] as const)('assigning an expired item again is %s', async (repeatedAssignment, status) => {
    const { service, post, put } = await made({ variants: { repeatedAssignment } });
    const idOf = async (path: string, body: object) => ((await (await post(path, body)).json()) as { id: string }).id;
    const expiration = { type: 'Days', days: 30 };
    const licence = { name: 'N', type: 'Books', books: ['B1'], maximumActivations: 2, expiration };
    const licenseId = await idOf('/v1/licenses', licence);
    const subscriptionId = await idOf('/v1/subscriptions', { maximumActivations: 2, expirationDate: '2026-03-30' });
    const assign = async () => [
      (await put('/v1/licenses/assignLicense', { userId: 'u1', licenseId })).status,
      (await put('/v1/subscriptions/assignSubscription', { userId: 'u1', subscriptionId })).status,
    ];
    expect(await assign()).toEqual([200, 200]);
    expect(await assign()).toEqual([200, 200]);
    service.advance('31d');
    expect(await assign()).toEqual([status, status]);
  });
});

describe('faults', () => {
  test('hang until the caller aborts, or until the service is closed', async () => {
    const { service, call } = await made({ faults: ['GET /v1/account hang'] });
    const signal = AbortSignal.timeout(20);
    await expect(call('/v1/account', { signal })).rejects.toMatchObject({ name: 'TimeoutError' });
    const hanging = call('/v1/account');
    await service.close();
    await expect(hanging).rejects.toThrow('fetch failed');
  });

  test('drip, change the content type, and change names', async () => {
    const { service, call } = await made({ faults: ['GET /v1/publishers drip pause=0'] });
    expect(await (await call('/v1/publishers?limit=1')).json()).toMatchObject({ publishers: [{ id: 'p1' }] });
    service.addFaults('content-type type=text/plain times=1', 'hostile');
    expect((await call('/v1/account')).headers.get('content-type')).toBe('text/plain');
    const { firstName, id } = (await (await call('/v1/account')).json()) as { firstName: string; id: string };
    expect(id).toBe('u1');
    expect(firstName).toMatch(/^Noémie\u001b\[31m/);
    expect(firstName.isWellFormed()).toBe(false);
  });

  test('insert, remove and move items while a client pages through a list', async () => {
    const { service, call } = await made();
    const page = async (query: string) => {
      const answer = await call(`/v1/licenses?type=TEACHER&limit=3${query}`);
      const { licenses = [], paging } = (await answer.json()) as {
        licenses: { id: string }[];
        paging: { nextCursor: string };
      };
      const ids = licenses.map(({ id }) => id);
      return { status: answer.status, ids, cursor: encodeURIComponent(paging?.nextCursor) };
    };
    const first = await page('');
    service.addFaults('GET /v1/licenses loop-cursor times=1');
    expect((await page(`&cursor=${first.cursor}`)).cursor).toBe(first.cursor);
    const count = () => service.state('licences').length;
    const before = count();
    service.addFaults('GET /v1/licenses insert times=1');
    expect((await page(`&cursor=${first.cursor}`)).status).toBe(200);
    expect(count()).toBe(before + 1);
    service.clearFaults();
    for (const change of ['remove', 'move']) {
      const start = await page('');
      service.addFaults(`GET /v1/licenses ${change} times=1`);
      expect((await page(`&cursor=${start.cursor}`)).status).toBe(400);
      expect((await page('')).ids).not.toContain(start.ids[0]);
      service.clearFaults();
    }
    expect(count()).toBe(before);
  });

  test.each(['remove', 'move'])('%s another user than the caller', async (change) => {
    const { service, call } = await made();
    const users = '/v1/users?organization=d1&type=Distributor&limit=2';
    const page = async () =>
      (await (await call(users)).json()) as { users: { id: string }[]; paging: { nextCursor: string } };
    const { users: before, paging } = await page();
    expect(before[0]?.id).toBe('u1');
    service.addFaults(`GET /v1/users ${change} times=1`);
    expect((await call(`${users}&cursor=${encodeURIComponent(paging.nextCursor)}`)).status).toBe(400);
    const { users: after } = await page();
    expect(after[0]?.id).toBe('u1');
    expect(after[1]?.id).not.toBe(before[1]?.id);
  });

  test('limit the rate of requests, by the clock of the service', async () => {
    const { service, call } = await made({ faults: ['rate-limit rate=1 burst=2'] });
    const answers = async () => {
      const answer = await call('/v1/account');
      return [answer.status, answer.headers.get('retry-after')];
    };
    expect([await answers(), await answers(), await answers()]).toEqual([
      [200, null],
      [200, null],
      [429, '1'],
    ]);
    service.advance('1s');
    expect((await answers())[0]).toBe(200);
    for (const [word, value] of [
      ['date', 'Sun, 01 Mar 2026 12:00:02 GMT'],
      ['0', '0'],
      ['none', null],
    ]) {
      service.clearFaults();
      service.addFaults(`rate-limit rate=1 burst=1 retry-after=${word}`);
      await answers();
      expect(await answers()).toEqual([429, value]);
    }
  });
});

describe('options', () => {
  test('now and randomSeed give the same times and IDs in each run', async () => {
    const ids = async () => {
      const { service, create } = await made({ now: '2030-01-01T00:00:00Z', randomSeed: 7 });
      const { id } = (await (await create('same1')).json()) as { id: string };
      return [id, service.requests()[0]?.at];
    };
    const first = await ids();
    expect(await ids()).toEqual(first);
    expect(first[1]).toBe('2030-01-01T00:00:00.000Z');
  });

  test.each([
    [{ sead: 'demo' }, 'sead is unknown. Did you mean seed?'],
    [{ seed: 'tiny' }, /^seed "tiny" cannot be used\. Choose from demo, empty/],
    [{ seed: './nowhere' }, 'cannot load ./nowhere: there is no such file or folder'],
    [{ seed: 3 }, 'seed 3 cannot be used'],
    [{ baseUrl: 'service.test' }, 'baseUrl "service.test" cannot be used'],
    [{ callbackUrl: '/back' }, 'callback URL "/back" cannot be used'],
    [{ callbackUrl: 'javascript:alert(1)' }, 'callback URL "javascript:alert(1)" cannot be used'],
    [{ callbackUrl: 'http://127.0.0.1:1/é' }, 'callback URL "http://127.0.0.1:1/é" cannot be used'],
    [{ callbackUrl: 'http://127.0.0.1:1/#here' }, 'callback URL "http://127.0.0.1:1/#here" cannot be used'],
    [{ latency: 'soon' }, 'latency "soon" cannot be used'],
    [{ faults: ['explode'] }, 'action must be one of status, reset'],
    [{ faults: ['@/no/such/file'] }, '/no/such/file'],
    [{ faults: '503' }, 'faults "503" cannot be used'],
    [{ now: 'tomorrow' }, 'now "tomorrow" cannot be used'],
    [{ randomSeed: 1.5 }, 'random seed 1.5 cannot be used'],
    [{ variants: { createdStatus: 202 } }, 'createdStatus must be one of 200, 201, not 202'],
    [{ variants: { color: 'red' } }, 'color is unknown'],
    [{ variants: { cursorLife: 'long' } }, 'cursorLife "long" cannot be used'],
    [{ strange: 'very' }, 'strange "very" cannot be used'],
    [{ strictInput: 'maybe' }, 'strictInput must be one of true, false, not "maybe"'],
    [{ clients: [{ id: 'a', callbackUrl: 'b' }] }, 'callback URL "b" cannot be used'],
    [{ clients: 'a=b' }, 'clients "a=b" cannot be used'],
    [{ clock: 5 }, 'clock 5 cannot be used'],
    [{ directory: '' }, 'directory "" cannot be used'],
    [null, 'the options null cannot be used'],
  ])('%j are refused', async (options, message) => {
    await expect(createService(options as ServiceOptions)).rejects.toThrow(message);
  });

  test('of listen() are checked, too', async () => {
    const { service } = await made();
    await expect(service.listen({ port: 70_000 })).rejects.toThrow('port 70000 cannot be used');
    await expect(service.listen({ prot: 1 } as object)).rejects.toThrow('prot is unknown. Did you mean port?');
  });
});
