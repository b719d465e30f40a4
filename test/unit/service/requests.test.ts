/** Requests before their handler: caller, address, body. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Method } from '../../../src/core/http.js';
import { secretId } from '../../../src/service/identifiers.js';
import { personaToken } from '../../../src/service/personas.js';
import { type Bundled, bundled, closeBundled, START } from '../../support/bundled-service.js';
import { bearer, licence } from './request-cases.js';

afterEach(closeBundled);

describe('the caller', () => {
  const token = personaToken('distributor');

  it.each([
    ['Bearer', `Bearer ${token}`, 200],
    ['bearer in other letters, and spaces', `bEARER   ${token} `, 200],
    ['no scheme', token, 403],
    ['another scheme', `Basic ${token}`, 403],
    ['nothing behind the scheme', 'Bearer ', 403],
    ['two tokens', `Bearer ${token}, Bearer ${token}`, 403],
    ['an unknown token', 'Bearer nobody', 401],
    ['a token with more behind it', `Bearer ${token}x`, 401],
    ['the stored form of a token', `Bearer ${secretId(token)}`, 401],
  ])('with %s', async (_what, header, status) => {
    const service = await bundled({ seed: 'empty' });
    const answer = await service.call('GET', '/v1/account', bearer(header));
    expect(answer.status).toBe(status);
    if (status === 401) expect(answer.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
  });

  it('is checked before anything else', async () => {
    const service = await bundled();
    for (const [method, path] of [
      ['GET', '/v1/licenses?type=NONE&limit=x'],
      ['GET', '/v1/books/none?language=EN'],
      ['POST', '/v1/licenses'],
      ['GET', '/v1/api/file/get/none'],
    ] as const) {
      expect((await service.call(method, path, { as: null, json: method === 'POST' ? {} : undefined })).status).toBe(
        403,
      );
    }
  });

  it('is refused once the token has expired', async () => {
    const service = await bundled({ seed: 'empty' });
    const grant = { id: secretId('short'), userId: 'u1', clientId: null, createdAt: START, expiresAt: START + 1000 };
    service.store.write(() => service.store.accessTokens.insert(grant));
    expect((await service.call('GET', '/v1/account', bearer('Bearer short'))).status).toBe(200);
    service.pass(1000);
    expect((await service.call('GET', '/v1/account', bearer('Bearer short'))).status).toBe(401);
  });

  it('loses permissions and access at once, also when another process revokes them', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'edu-callers-'));
    try {
      const [one, other] = [await bundled({ directory }), await bundled({ directory })];
      expect((await one.call('POST', '/v1/licenses', { as: 'publisher', json: licence })).status).toBe(200);
      const publisher = (await one.call('GET', '/v1/account', { as: 'publisher' })).json;
      const json = {
        firstName: 'F',
        lastName: 'L',
        organization: { id: 'p1', type: 'Publisher' },
        roles: ['p1-viewer'],
      };
      expect((await other.call('PUT', `/v1/users/${publisher.id}`, { json })).status).toBe(200);
      expect((await one.call('POST', '/v1/licenses', { as: 'publisher', json: licence })).status).toBe(403);
      expect((await one.call('GET', '/v1/account', { as: 'publisher' })).json.roles).toEqual([
        { id: 'p1-viewer', name: 'Viewer' },
      ]);
      expect((await other.call('PUT', `/v1/users/${publisher.id}/anonymize`)).status).toBe(200);
      expect((await one.call('GET', '/v1/account', { as: 'publisher' })).status).toBe(401);
    } finally {
      closeBundled();
      rmSync(directory, { recursive: true, force: true });
    }
  });
});

describe('the address', () => {
  it.each([
    ['GET', '/v1/account', 200],
    ['GET', '/v1/account?unknown=1', 200],
    ['GET', '/v1/account/', 404],
    ['GET', '/account', 404],
    ['GET', '/v2/account', 404],
    ['GET', '/', 404],
    ['POST', '/v1/account', 404],
    ['HEAD', '/v1/account', 404],
    ['OPTIONS', '/v1/account', 404],
    ['GET', '/v1/licenses/%', 400],
    ['GET', '/v1/licenses/..', 404],
    ['GET', '/v1/licenses/%2e%2e', 404],
    ['GET', '/v1/licenses/__proto__', 404],
    ['GET', '/v1/books/constructor?language=EN', 404],
    ['GET', '/v1/licenses?type=BOOKS&type=TEACHER', 400],
    ['GET', '/v1/licenses?type=BOOKS&__proto__=1', 200],
  ])('%s %s returns %d', async (method, path, status) => {
    const service = await bundled();
    expect((await service.call(method as Method, path)).status).toBe(status);
    expect(service.errors).toEqual([]);
  });

  it.each(['http://service.test', 'http://service.test/', 'http://service.test/a/b/'])(
    'may have the base path %s',
    async (baseUrl) => {
      const service = await bundled({ seed: 'empty', baseUrl });
      const url = `${baseUrl.replace(/\/$/, '')}/v1/account`;
      const headers = { authorization: `Bearer ${personaToken('distributor')}` };
      expect((await service.service.handle({ method: 'GET', url, headers })).status).toBe(200);
    },
  );
});

describe('a JSON body', () => {
  const send = (service: Bundled, body: string | Uint8Array, type: string | null = 'application/json') =>
    service.call('POST', '/v1/licenses', { body, headers: type === null ? {} : { 'content-type': type } });

  it.each([
    ['nothing', ''],
    ['half of it', JSON.stringify(licence).slice(0, -1)],
    ['more than one value', `${JSON.stringify(licence)} {}`],
    ['a list', JSON.stringify([licence])],
    ['null', 'null'],
    ['text', '"licence"'],
    ['a byte order mark', `\ufeff${JSON.stringify(licence)}`],
    ['Latin-1', Buffer.from('{"name":"\xfc","type":"Teacher","maximumActivations":1}', 'latin1')],
    ['17 MB', JSON.stringify({ ...licence, name: 'x'.repeat(17 * 1024 * 1024) })],
  ])('is refused if it is %s', async (_what, body) => {
    const service = await bundled({ seed: 'empty' });
    const answer = await send(service, body);
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({ error: 'BadRequest', message: expect.any(String) });
    expect(service.errors).toEqual([]);
  });

  it.each([
    ['application/json', 200],
    ['Application/JSON; charset=utf-8', 200],
    ['application/merge-patch+json', 200],
    [null, 200],
    ['text/plain', 400],
    ['application/jsonp', 400],
    ['application/x-www-form-urlencoded', 400],
  ])('of type %s returns %d', async (type, status) => {
    const service = await bundled({ seed: 'empty' });
    expect((await send(service, JSON.stringify(licence), type)).status).toBe(status);
  });

  it('is accepted with any length and any characters, and with unknown fields', async () => {
    const service = await bundled({ seed: 'empty' });
    const name = `=1+1 \u001b[31m \u202e \u0000 "\\" \ud800 😀 ${'x'.repeat(2_000_000)}`;
    const body = `{"constructor":1,"__proto__":{"code":"evil"},"id":"mine",${JSON.stringify({ ...licence, name }).slice(1)}`;
    const answer = await send(service, body);
    expect(answer.status, answer.text.slice(0, 200)).toBe(200);
    expect(answer.json.name).toBe(name);
    expect(answer.json.code).not.toBe('evil');
    expect((await service.call('GET', `/v1/licenses/${answer.json.id}`)).json.name).toBe(name);
  });
});
