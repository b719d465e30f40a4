import { describe, expect, test } from 'vitest';
import { made } from './demo-service.js';

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
    await service.reset({ seed: 'empty' });
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
    expect(() => service.advance(8.64e15)).toThrow('cannot be used');
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
});
