import { describe, expect, test } from 'vitest';
import { made } from './demo-service.js';

describe('the service for JavaScript tests', () => {
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
    expect(() => service.token(undefined as never)).toThrow('no user has the ID or e-mail address undefined');
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
    expect(() => service.token(id)).toThrow('cannot log in');
    await expect(service.authorize({ user: 'eve@example.org' })).rejects.toThrow('cannot log in');
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
