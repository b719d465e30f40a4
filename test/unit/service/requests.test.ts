/** Requests before and around their handler: address, caller, body, checks, errors, editor pages. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Method } from '../../../src/core/http.js';
import { personaToken } from '../../../src/service/personas.js';
import { secretId } from '../../../src/service/store/store.js';
import { type Bundled, bundled, type Call, closeBundled, START } from '../../support/bundled-service.js';

afterEach(closeBundled);

const bearer = (header: string): Call => ({ as: null, headers: { authorization: header } });
const licence = { name: 'L', type: 'Teacher', maximumActivations: 1 };
const problems = (json: { fields?: readonly { field: string; message: string }[] }): string[] =>
  (json.fields ?? []).map(({ field, message }) => `${field} ${message}`);

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

describe('checks', () => {
  it('report all problems at once, by field', async () => {
    const service = await bundled();
    const json = {
      name: ' ',
      maximumActivations: '3',
      type: 'Book',
      code: 7,
      books: 'B1',
      expiration: [],
      organization: { id: 4, type: 'Shop' },
    };
    const answer = await service.call('POST', '/v1/licenses', { json });
    expect(answer.status).toBe(400);
    expect(problems(answer.json)).toEqual([
      'name is required',
      'maximumActivations must be a number, not "3"',
      'type must be one of Books, Teacher, not "Book"',
      'books must be a list, not "B1"',
      'expiration must be an object, not []',
      'code must be text, not 7',
      'organization.id must be text, not 4',
      'organization.type must be one of School, Publisher, Distributor, not "Shop"',
    ]);
  });

  it.each([
    [{ type: 'Days' }, 'expiration.days is required'],
    [
      { type: 'Days', days: 31 },
      'expiration.days must be one of 30, 90, 365, 455, 820, 1095, 1185, 1550, 3650, not 31',
    ],
    [
      { type: 'Days', days: '30' },
      'expiration.days must be one of 30, 90, 365, 455, 820, 1095, 1185, 1550, 3650, not "30"',
    ],
    [{ type: 'Date' }, 'expiration.date is required'],
    [{ type: 'Date', date: '2027-02-29' }, 'expiration.date must be a day of the calendar, which 2027-02-29 is not'],
    [{ type: 'Date', date: '2027-2-1' }, 'expiration.date must be a day written yyyy-MM-dd, not "2027-2-1"'],
    [
      { type: 'Date', date: '2027-02-01T00:00' },
      'expiration.date must be a day written yyyy-MM-dd, not "2027-02-01T00:00"',
    ],
    [{ days: 30 }, 'expiration.type is required'],
    [{}, 'expiration.type is required'],
    [undefined, 'expiration is required'],
    [null, 'expiration is required'],
    [{ type: 'Days', days: 30, date: 'never' }, 'expiration.date must be a day written yyyy-MM-dd, not "never"'],
  ])('refuse the expiration %j', async (expiration, problem) => {
    const service = await bundled();
    const json = { ...licence, type: 'Books', books: ['B1'], expiration };
    expect(problems((await service.call('POST', '/v1/licenses', { json })).json)).toContain(problem);
  });

  it.each([
    [
      { type: 'Date', date: '2028-02-29' },
      { type: 'Date', days: null, date: '2028-02-29' },
    ],
    [
      { type: 'Days', days: 3650, date: null },
      { type: 'Days', days: 3650, date: null },
    ],
    [
      { type: 'Days', days: 30, date: '2030-01-01' },
      { type: 'Days', days: 30, date: null },
    ],
  ])('accept the expiration %j', async (expiration, kept) => {
    const service = await bundled();
    const json = { ...licence, type: 'Books', books: ['B1'], expiration };
    expect((await service.call('POST', '/v1/licenses', { json })).json.expiration).toEqual(kept);
  });

  it.each([
    ['50 characters', 'x'.repeat(50), 200],
    ['51 characters', 'x'.repeat(51), 400],
    ['50 characters of two units each', '😀'.repeat(50), 200],
    ['51 characters of two units each', '😀'.repeat(51), 400],
    ['a number', 5, 400],
    ['only spaces', '   ', 400],
  ])('count the characters of names: %s', async (_what, name, status) => {
    const service = await bundled({ seed: 'empty' });
    expect((await service.call('POST', '/v1/publishers', { json: { name } })).status).toBe(status);
  });

  it.each([
    ['DE', 200],
    ['de', 400],
    ['UK', 400],
    ['XK', 400],
    ['DEU', 400],
    ['', 400],
  ])('accept countries of ISO 3166-1 only: "%s"', async (country, status) => {
    const service = await bundled({ seed: 'empty' });
    const json = { name: 'School', country, city: 'C' };
    expect((await service.call('POST', '/v1/schools', { json })).status).toBe(status);
  });

  it.each([1.5, -1, 2 ** 60])('accept whole numbers of activations only: %d', async (maximumActivations) => {
    const service = await bundled({ seed: 'empty' });
    const json = { ...licence, maximumActivations };
    expect((await service.call('POST', '/v1/licenses', { json })).status).toBe(400);
  });
});

describe('failures', () => {
  it('return 500, are logged, and are rolled back', async () => {
    const service = await bundled({ seed: 'empty' });
    const boom = new Error('boom /home/secret');
    const { licences } = service.store;
    const insert = licences.insert;
    Object.assign(licences, {
      insert: (record: Parameters<typeof insert>[0]) => {
        insert(record);
        throw boom;
      },
    });
    const answer = await service.call('POST', '/v1/licenses', { json: licence });
    expect(answer.status).toBe(500);
    expect(answer.json).toEqual({ error: 'InternalServerError', message: 'the service failed' });
    expect(service.errors).toEqual([boom]);
    Object.assign(licences, { insert });
    expect(service.store.read(() => licences.count({}))).toBe(0);
    expect((await service.call('POST', '/v1/licenses', { json: licence })).status).toBe(200);
  });

  it('of a caller who disconnects are not logged', async () => {
    const service = await bundled({ seed: 'empty' });
    async function* body(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('{');
      throw new Error('aborted');
    }
    const headers = { authorization: `Bearer ${personaToken('distributor')}`, 'content-type': 'application/json' };
    const url = 'http://service.test/base/v1/licenses';
    const request = { method: 'POST', url, headers, body: body(), signal: AbortSignal.abort() } as const;
    expect((await service.service.handle(request)).status).toBe(500);
    expect(service.errors).toEqual([]);
  });
});

describe('an editor address', () => {
  const open = async (service: Bundled, path = '/v1/books/B1/editor?language=EN') => {
    const { url } = (await service.call('GET', path)).json;
    expect(url).toMatch(/^http:\/\/service\.test\/base\/editor\/(books|readers)\/\w+\?token=[\w-]{43}$/);
    return () => service.call('GET', url.slice('http://service.test/base'.length), { as: null });
  };

  it('opens once, without an access token', async () => {
    const service = await bundled();
    const visit = await open(service);
    const page = await visit();
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect((await visit()).status).toBe(403);
    expect((await (await open(service, '/v1/readers/r1/editor?language=EN'))()).status).toBe(200);
  });

  it('opens within a minute', async () => {
    const service = await bundled();
    const [soon, late] = [await open(service), await open(service)];
    service.pass(59_999);
    expect((await soon()).status).toBe(200);
    service.pass(1);
    expect((await late()).status).toBe(403);
  });

  it('opens no other item, and cannot be forged', async () => {
    const service = await bundled();
    const { url } = (await service.call('GET', '/v1/books/B1/editor?language=EN')).json;
    const token = new URL(url).searchParams.get('token');
    for (const path of ['/editor/books/B2', '/editor/readers/B1', '/editor/']) {
      expect((await service.call('GET', `${path}?token=${token}`, { as: null })).status).toBe(403);
    }
    expect((await service.call('GET', '/editor/books/B1', { as: null })).status).toBe(403);
  });

  it('shows titles as text', async () => {
    const service = await bundled();
    const book = service.store.read(() => service.store.books.get('B1'));
    if (book === undefined) throw new Error('the samples have no book B1');
    service.store.write(() => service.store.books.update({ ...book, title: '<script>alert("1")</script>' }));
    const page = await (await open(service))();
    expect(page.text).not.toContain('<script>');
    expect(page.text).toContain('&lt;script&gt;');
  });

  it('is only for users who may change the book', async () => {
    const service = await bundled();
    expect((await service.call('GET', '/v1/books/B1/editor?language=EN', { as: 'viewer' })).status).toBe(403);
  });
});
