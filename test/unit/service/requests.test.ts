/** Requests around their handler: caller, address, body, checks, failures, editor addresses. The rules: test/conformance. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Method } from '../../../src/core/http.js';
import { secretId } from '../../../src/service/identifiers.js';
import { personaToken } from '../../../src/service/personas.js';
import { type Bundled, bundled, closeBundled } from '../../support/bundled-service.js';
import { folder } from './store/open-store.js';

afterEach(closeBundled);

const licence = { name: 'L', type: 'Teacher', maximumActivations: 1 };
const ofBooks = { ...licence, type: 'Books', books: ['B1'] };

describe('the caller', () => {
  const token = personaToken('distributor');

  it('is read from one token in the header, in its own form', async () => {
    const service = await bundled({ seed: 'empty' });
    for (const [authorization, status] of [
      [`bEARER   ${token} `, 200],
      [`Bearer ${token}, Bearer ${token}`, 403],
      [`Bearer ${token}x`, 401],
      [`Bearer ${secretId(token)}`, 401],
    ] as const) {
      const answer = await service.call('GET', '/v1/account', { as: null, headers: { authorization } });
      expect([authorization, answer.status]).toEqual([authorization, status]);
      if (status === 401) expect(answer.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
    }
  });

  it('loses permissions and access at once, also when another process revokes them', async () => {
    const directory = folder();
    const [one, other] = [await bundled({ directory }), await bundled({ directory })];
    expect((await one.call('POST', '/v1/licenses', { as: 'publisher', json: licence })).status).toBe(200);
    const publisher = (await one.call('GET', '/v1/account', { as: 'publisher' })).json;
    const organization = { id: 'p1', type: 'Publisher' };
    const json = { firstName: 'F', lastName: 'L', organization, roles: ['p1-viewer'] };
    expect((await other.call('PUT', `/v1/users/${publisher.id}`, { json })).status).toBe(200);
    expect((await one.call('POST', '/v1/licenses', { as: 'publisher', json: licence })).status).toBe(403);
    const { roles } = (await one.call('GET', '/v1/account', { as: 'publisher' })).json;
    expect(roles).toEqual([{ id: 'p1-viewer', name: 'Viewer' }]);
    expect((await other.call('PUT', `/v1/users/${publisher.id}/anonymize`)).status).toBe(200);
    expect((await one.call('GET', '/v1/account', { as: 'publisher' })).status).toBe(401);
  });
});

it('the address is read as it is written, without inherited names', async () => {
  const service = await bundled();
  for (const [method, path, status] of [
    ['GET', '/v1/account?unknown=1', 200],
    ['HEAD', '/v1/account', 404],
    ['OPTIONS', '/v1/account', 404],
    ['GET', '/v1/licenses/%', 400],
    ['GET', '/v1/licenses/..', 404],
    ['GET', '/v1/licenses/%2e%2e', 404],
    ['GET', '/v1/licenses/__proto__', 404],
    ['GET', '/v1/books/constructor?language=EN', 404],
    ['GET', '/v1/licenses?type=BOOKS&__proto__=1', 200],
  ] as const) {
    expect([path, (await service.call(method as Method, path)).status]).toEqual([path, status]);
  }
  expect(service.errors).toEqual([]);
});

describe('a JSON body', () => {
  const send = (service: Bundled, body: string | Uint8Array, type: string | null = 'application/json') =>
    service.call('POST', '/v1/licenses', { body, headers: type === null ? {} : { 'content-type': type } });

  it('is refused if it is anything but one object in UTF-8', async () => {
    const service = await bundled({ seed: 'empty' });
    for (const body of [
      `${JSON.stringify(licence)} {}`,
      `\ufeff${JSON.stringify(licence)}`,
      Buffer.from('{"name":"\xfc","type":"Teacher","maximumActivations":1}', 'latin1'),
      JSON.stringify({ ...licence, name: 'x'.repeat(17 * 1024 * 1024) }),
    ]) {
      const answer = await send(service, body);
      expect([answer.status, answer.json]).toEqual([400, { error: 'BadRequest', message: expect.any(String) }]);
    }
    expect(service.errors).toEqual([]);
  });

  it('has a JSON type, or none', async () => {
    const service = await bundled({ seed: 'empty' });
    for (const [type, status] of [
      ['Application/JSON; charset=utf-8', 200],
      ['application/merge-patch+json', 200],
      [null, 200],
      ['application/jsonp', 400],
      ['application/x-www-form-urlencoded', 400],
    ] as const) {
      expect([type, (await send(service, JSON.stringify(licence), type)).status]).toEqual([type, status]);
    }
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

  it('is checked as a whole, with a message for each field', async () => {
    const service = await bundled();
    const problemsOf = async (json: object): Promise<string[]> => {
      const { fields = [] } = (await service.call('POST', '/v1/licenses', { json })).json;
      return fields.map(({ field, message }: { field: string; message: string }) => `${field} ${message}`);
    };
    const wrong = {
      name: ' ',
      maximumActivations: '3',
      type: 'Book',
      code: 7,
      books: 'B1',
      expiration: [],
      organization: { id: 4, type: 'Shop' },
    };
    expect(await problemsOf(wrong)).toEqual([
      'name is required',
      'maximumActivations must be a number, not "3"',
      'type must be one of Books, Teacher, not "Book"',
      'books must be a list, not "B1"',
      'expiration must be an object, not []',
      'code must be text, not 7',
      'organization.id must be text, not 4',
      'organization.type must be one of School, Publisher, Distributor, not "Shop"',
    ]);
    for (const [expiration, problem] of [
      [{ type: 'Days', days: 31 }, 'days must be one of 30, 90, 365, 455, 820, 1095, 1185, 1550, 3650, not 31'],
      [{ type: 'Date', date: '2027-02-29' }, 'date must be a day of the calendar, which 2027-02-29 is not'],
      [{ type: 'Date', date: '2027-2-1' }, 'date must be a day written yyyy-MM-dd, not "2027-2-1"'],
      [{ days: 30 }, 'type is required'],
      [{ type: 'Days', days: 30, date: 'never' }, 'date must be a day written yyyy-MM-dd, not "never"'],
    ] as const) {
      expect(await problemsOf({ ...ofBooks, expiration })).toContain(`expiration.${problem}`);
    }
    expect(await problemsOf({ ...ofBooks, expiration: null })).toEqual(['expiration is required']);
  });

  it('keeps only the value of an expiration that its type needs', async () => {
    const service = await bundled();
    const expiration = { type: 'Days', days: 30, date: '2030-01-01' };
    const { json } = await service.call('POST', '/v1/licenses', { json: { ...ofBooks, expiration } });
    expect(json.expiration).toEqual({ type: 'Days', days: 30, date: null });
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
    await expect(service.service.handle(request)).rejects.toThrow('aborted');
    expect(service.errors).toEqual([]);
  });
});

describe('an editor address', () => {
  it('opens no other item, cannot be forged, and shows titles as text', async () => {
    const service = await bundled();
    const book = service.store.read(() => service.store.books.get('B1'));
    if (book === undefined) throw new Error('the samples have no book B1');
    service.store.write(() => service.store.books.update({ ...book, title: '<script>alert("1")</script>' }));
    const visit = (path: string) => service.call('GET', path, { as: null });
    const address = async () => {
      const { url } = (await service.call('GET', '/v1/books/B1/editor?language=EN')).json;
      expect(url).toMatch(/^http:\/\/service\.test\/base\/editor\/books\/B1\?token=[\w-]{43}$/);
      return new URL(url);
    };
    for (const path of ['/editor/books/B2', '/editor/readers/B1', '/editor/']) {
      expect((await visit(`${path}${(await address()).search}`)).status).toBe(403);
    }
    expect((await visit('/editor/books/B1')).status).toBe(403);
    const page = await visit(`/editor/books/B1${(await address()).search}`);
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).not.toContain('<script>');
    expect(page.text).toContain('&lt;script&gt;');
  });

  it('is only for users who may change the book', async () => {
    const service = await bundled();
    expect((await service.call('GET', '/v1/books/B1/editor?language=EN', { as: 'viewer' })).status).toBe(403);
  });
});
