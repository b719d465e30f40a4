/** Requests around their handler: checks, errors, editor addresses. */
import { afterEach, describe, expect, it } from 'vitest';
import { personaToken } from '../../../src/service/personas.js';
import { type Bundled, bundled, closeBundled } from '../../support/bundled-service.js';
import { licence, problems } from './request-cases.js';

afterEach(closeBundled);

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
    await expect(service.service.handle(request)).rejects.toThrow('aborted');
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
