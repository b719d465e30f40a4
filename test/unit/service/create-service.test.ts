import { afterEach, describe, expect, test } from 'vitest';
import { createService, type ServiceOptions, type TestService } from '../../../src/service/index.js';

const NOW = Date.UTC(2026, 2, 1, 12);
const services: TestService[] = [];
afterEach(async () => {
  for (const service of services.splice(0)) await service.close();
});

async function made(options: ServiceOptions = {}) {
  const service = await createService({ seed: 'demo', clock: () => NOW, ...options });
  services.push(service);
  const call = (path: string, init: RequestInit = {}) =>
    service.fetch(path, {
      ...init,
      headers: { authorization: `Bearer ${service.personas.distributor}`, ...init.headers },
    });
  const create = (code: string) =>
    call('/v1/licenses', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Test', code, type: 'Teacher', maximumActivations: 1 }),
    });
  return { service, call, create };
}

describe('the service for JavaScript tests', () => {
  test('accepts paths, addresses and Request objects, like fetch', async () => {
    const { service, call } = await made();
    const answer = await call('/v1/account');
    expect(answer).toBeInstanceOf(Response);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ id: 'u1', email: 'distributor@example.org' });
    const request = new Request(`${service.baseUrl}/v1/account`);
    expect((await service.fetch(request)).status).toBe(403);
    expect((await service.fetch(new URL('/v1/account', service.baseUrl))).status).toBe(403);
  });

  test('accepts JSON and multipart bodies, and returns 204 without a body', async () => {
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

  test('rejects requests to other origins, as a network would', async () => {
    const { service } = await made();
    await expect(service.fetch('http://elsewhere.example/v1/account')).rejects.toThrow('fetch failed');
    const aborted = AbortSignal.abort(new Error('enough'));
    await expect(service.fetch('/v1/account', { signal: aborted })).rejects.toThrow('enough');
  });

  test('resets, and restores a snapshot', async () => {
    const { service, call, create } = await made();
    expect((await create('first')).status).toBe(200);
    const restore = service.snapshot();
    expect((await create('second')).status).toBe(200);
    restore();
    expect((await call('/v1/licenses/code/first')).status).toBe(200);
    expect((await call('/v1/licenses/code/second')).status).toBe(404);
    await service.reset();
    expect((await call('/v1/licenses/code/first')).status).toBe(404);
    expect((await call('/v1/licenses/code/welcome1')).status).toBe(200);
    await service.reset('empty');
    expect((await call('/v1/licenses/code/welcome1')).status).toBe(404);
  });

  test('moves its clock: an editor address expires after a minute', async () => {
    const { service, call } = await made();
    const address = async () => ((await (await call('/v1/books/B1/editor?language=EN')).json()) as { url: string }).url;
    const [early, late] = [await address(), await address()];
    service.advance('59s');
    expect((await service.fetch(early)).status).toBe(200);
    service.advance(2_000);
    expect((await service.fetch(late)).status).toBe(403);
    expect(() => service.advance('soon')).toThrow('time "soon" cannot be used');
  });

  test('plays faults, and counts them', async () => {
    const { service, call, create } = await made({ faults: ['GET /v1/account 503 retry-after=1 times=1'] });
    const busy = await call('/v1/account');
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await call('/v1/account')).status).toBe(200);
    service.clearFaults();
    service.addFaults({ action: 'reset', when: 'after', method: 'POST', times: 1 });
    await expect(create('lost1')).rejects.toThrow('fetch failed');
    expect((await call('/v1/licenses/code/lost1')).status).toBe(200);
    expect(service.faults().map(({ met, hit }) => [met, hit])).toEqual([[1, 1]]);
    service.addFaults('truncate times=1');
    const cut = await call('/v1/account');
    await expect(cut.text()).rejects.toThrow();
  });

  test('records requests, without tokens', async () => {
    const { service, create, call } = await made();
    await create('noted1');
    await call('/v1/licenses?type=BOOKS&limit=2&cursor=abc');
    const [first, second] = service.requests();
    expect(first).toMatchObject({ number: 1, method: 'POST', path: '/v1/licenses', status: 200, faults: [] });
    expect(first?.body).toMatchObject({ code: 'noted1' });
    expect(first?.at).toBe('2026-03-01T12:00:00.000Z');
    expect(second).toMatchObject({ path: '/v1/licenses?type=BOOKS&limit=2&cursor=…', status: 400 });
    expect(JSON.stringify(service.requests())).not.toContain(service.personas.distributor);
  });

  test('may have a base path, and returns addresses under it', async () => {
    const { service, call } = await made({ baseUrl: 'https://service.test/content/' });
    expect(service.baseUrl).toBe('https://service.test/content');
    expect((await call('/v1/account')).status).toBe(200);
    const { url } = (await (await call('/v1/books/B1/editor?language=EN')).json()) as { url: string };
    expect(url.startsWith('https://service.test/content/')).toBe(true);
  });

  test('is the same in each run with a fixed clock and random source', async () => {
    const random = (count: number) => new Uint8Array(count).fill(3);
    const list = async () =>
      (await made({ random })).call('/v1/licenses?type=BOOKS&limit=3').then((answer) => answer.text());
    expect(await list()).toBe(await list());
  });

  test('shows the consent page, and issues a token for the chosen persona', async () => {
    const { service } = await made();
    const page = await service.fetch(`/login/oauth/authorize?client_id=${service.clientId}&state=s1`);
    const html = await page.text();
    for (const name of ['Noémie Dvořáková', 'Matteo Ferrières', 'Anneliese Weiß', 'Пётр Королёв']) {
      expect(html).toContain(name);
    }
    const consent = /name="consent" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const decided = await service.fetch('/login/oauth/authorize', {
      method: 'POST',
      body: new URLSearchParams({ consent, persona: 'school', decision: 'allow' }),
    });
    expect(decided.status).toBe(303);
    const back = new URL(decided.headers.get('location') ?? '');
    const exchanged = await service.fetch('/login/oauth/access_token', {
      method: 'POST',
      body: new URLSearchParams({
        client_id: service.clientId,
        client_secret: service.clientSecret,
        code: back.searchParams.get('code') ?? '',
      }),
    });
    const { access_token } = (await exchanged.json()) as { access_token: string };
    const account = await service.fetch('/v1/account', { headers: { authorization: `Bearer ${access_token}` } });
    expect(await account.json()).toMatchObject({ id: 'u3' });
    expect(JSON.stringify(service.requests())).not.toContain(access_token);
  });

  test('rejects a call that is aborted during the latency, without effect', async () => {
    const { service, call } = await made({ faults: ['POST /v1/licenses latency=10000'] });
    const abort = new AbortController();
    const post = (signal: AbortSignal) =>
      call('/v1/licenses', {
        method: 'POST',
        signal,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Test', code: 'aborted1', type: 'Teacher', maximumActivations: 1 }),
      });
    const aborted = post(abort.signal);
    setImmediate(() => abort.abort(new Error('enough')));
    await expect(aborted).rejects.toThrow('enough');
    await expect(post(AbortSignal.timeout(1))).rejects.toMatchObject({ name: 'TimeoutError' });
    expect((await call('/v1/licenses/code/aborted1')).status).toBe(404);
    expect(service.requests().map(({ status }) => status)).toEqual([0, 0, 404]);
  });

  test('rejects every call after it was closed', async () => {
    const { service, call } = await made();
    const restore = service.snapshot();
    await service.close();
    await service.close();
    await expect(call('/v1/account')).rejects.toMatchObject({
      message: 'fetch failed',
      cause: { message: 'the service is closed' },
    });
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

  test('sets the URL of a response', async () => {
    const { service, call } = await made();
    expect((await call('/v1/account')).url).toBe(`${service.baseUrl}/v1/account`);
  });

  test('starts at the given time, and generates the same IDs for the same random seed', async () => {
    const ids = async () => {
      const { service, create } = await made({ now: '2030-01-01T00:00:00Z', randomSeed: 7 });
      const { id } = (await (await create('same1')).json()) as { id: string };
      return [id, service.requests()[0]?.at];
    };
    const [first, second] = [await ids(), await ids()];
    expect(first).toEqual(second);
    expect(first[1]).toBe('2030-01-01T00:00:00.000Z');
  });

  test('issues tokens for any user, revokes them, and lets them expire', async () => {
    const { service } = await made();
    const status = async (token: string) =>
      (await service.fetch('/v1/account', { headers: { authorization: `Bearer ${token}` } })).status;
    const [one, other, short] = [service.token('u3'), service.token('school@example.org'), service.token('u3', '1m')];
    expect(await Promise.all([one, other, short].map(status))).toEqual([200, 200, 200]);
    service.revoke(one);
    service.expire(other);
    service.advance('61s');
    expect(await Promise.all([one, other, short].map(status))).toEqual([401, 401, 401]);
    expect(() => service.token('nobody')).toThrow('no user has the ID or e-mail address "nobody"');
    expect(() => service.revoke('edu_x')).toThrow('no such token was issued');
  });

  test('keeps the e-mails with their passwords, and verifies end users', async () => {
    const { service, call } = await made();
    const json = { firstName: 'Eve', lastName: 'End', email: 'eve@example.org', language: 'NL' };
    const headers = { 'content-type': 'application/json' };
    const made1 = await call('/v1/users/enduser', { method: 'POST', headers, body: JSON.stringify(json) });
    const { id, email } = (await made1.json()) as { id: string; email: string | null };
    expect(email).toBeNull();
    const [mail, ...others] = service.emails();
    expect(mail).toMatchObject({ to: 'eve@example.org', userId: id, language: 'NL', at: '2026-03-01T12:00:00+00:00' });
    expect(mail?.password).toMatch(/^[a-z0-9]{12}$/);
    expect(others).toEqual([]);
    service.verifyUser('eve@example.org');
    expect(await (await call('/v1/users/userId/eve@example.org')).json()).toEqual({ id });
  });

  test('registers applications with callbacks of their own', async () => {
    const { service } = await made({ clients: [{ id: 'shop', callbackUrl: 'https://shop.test/back' }] });
    service.addClient({ id: 'old', callbackUrl: 'https://old.test/back', suspended: true });
    const page = await service.fetch('/login/oauth/authorize?client_id=shop&redirect_uri=https://shop.test/back/1');
    expect(page.status).toBe(200);
    const refused = await service.fetch('/login/oauth/authorize?client_id=old');
    expect(refused.headers.get('location')).toContain('https://old.test/back?error=application_suspended');
  });

  test('changes variants while it runs', async () => {
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

  test('listens on a port, with its address in responses', async () => {
    const { service } = await made({ baseUrl: 'http://service.test/content' });
    const socket = await service.listen();
    const headers = { authorization: `Bearer ${service.personas.distributor}` };
    expect(socket.baseUrl).toBe(`http://127.0.0.1:${socket.port}/content`);
    const answer = await fetch(`${socket.baseUrl}/v1/books/B1/editor?language=EN`, { headers });
    expect(((await answer.json()) as { url: string }).url).toMatch(new RegExp(`^${socket.baseUrl}/editor/`));
    expect(await (await fetch(`${socket.baseUrl}/_health`)).json()).toEqual({ status: 'ok' });
    expect(service.requests().map(({ path }) => path)).toEqual(['/v1/books/B1/editor?language=EN']);
    await socket.close();
    await expect(fetch(`${socket.baseUrl}/_health`)).rejects.toThrow();
  });

  test('compares requests with an expected sequence, and names the nearest', async () => {
    const { service, call, create } = await made();
    await create('first1');
    await call('/v1/account');
    service.verify('POST /v1/licenses 200', { method: 'GET', path: '/v1/*', headers: { authorization: 'Bearer …' } });
    service.verify({ path: '/v1/licenses', body: { code: 'first1' } });
    expect(() => service.verify('GET /v1/account', 'POST /v1/licenses')).toThrow('Nearest: none');
    expect(() => service.verify({ method: 'POST', body: { code: 'other' } })).toThrow(
      'POST /v1/licenses 200: body.code is "first1", not "other"',
    );
  });

  test('keeps headers and bodies of requests and answers, without secrets', async () => {
    const { service, call } = await made();
    await call('/v1/books/B1/editor?language=EN');
    const [entry] = service.requests();
    expect(entry?.headers.authorization).toBe('Bearer …');
    expect(entry?.answer?.headers['content-type']).toContain('application/json');
    expect(entry?.answer?.body).toEqual({ url: `${service.baseUrl}/editor/books/B1?token=…` });
  });

  test('returns the records of a collection', async () => {
    const { service } = await made({ seed: 'empty' });
    expect(service.state('organizations')).toContainEqual(expect.objectContaining({ id: 'd1', type: 'Distributor' }));
    expect(() => service.state('accessTokens' as never)).toThrow('there is no collection "accessTokens"');
  });

  test('plays hang until the caller aborts, or until it is closed', async () => {
    const { service, call } = await made({ faults: ['GET /v1/account hang'] });
    const signal = AbortSignal.timeout(20);
    await expect(call('/v1/account', { signal })).rejects.toMatchObject({ name: 'TimeoutError' });
    const hanging = call('/v1/account');
    await service.close();
    await expect(hanging).rejects.toThrow('fetch failed');
  });

  test('plays drip, content-type and hostile', async () => {
    const { service, call } = await made({ faults: ['GET /v1/account drip pause=0'] });
    expect(await (await call('/v1/account')).json()).toMatchObject({ id: 'u1' });
    service.clearFaults();
    service.addFaults('content-type type=text/plain times=1', 'hostile');
    expect((await call('/v1/account')).headers.get('content-type')).toBe('text/plain');
    const { firstName, id } = (await (await call('/v1/account')).json()) as { firstName: string; id: string };
    expect(id).toBe('u1');
    expect(firstName).toMatch(/^Noémie\u001b\[31m/);
    expect(firstName.isWellFormed()).toBe(false);
  });

  test('plays insert, remove and move while a client pages through a list', async () => {
    const { service, call } = await made();
    const page = async (query: string) => {
      const answer = await call(`/v1/licenses?type=TEACHER&limit=3${query}`);
      const { licenses = [], paging } = (await answer.json()) as {
        licenses: { id: string }[];
        paging: { nextCursor: string };
      };
      return {
        status: answer.status,
        ids: licenses.map(({ id }) => id),
        cursor: encodeURIComponent(paging?.nextCursor),
      };
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

  test('limits the rate of requests, by its clock', async () => {
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
