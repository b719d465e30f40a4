/**
 * Cursors: opaque, for one caller and one list, short-lived, invalid after a removal (service-api-v1.md,
 * "Conventions").
 */
import { afterEach, describe, expect, it } from 'vitest';
import { type Answer, type Bundled, bundled, type Call, closeBundled } from '../../support/bundled-service.js';
import { folder } from './store/open-store.js';

afterEach(closeBundled);

const LIST = '/v1/licenses?type=BOOKS&limit=10';
const withCursor = (path: string, cursor: string): string => `${path}&cursor=${encodeURIComponent(cursor)}`;

async function firstCursor(service: Bundled, path = LIST, call: Call = {}): Promise<string> {
  const { json } = await service.call('GET', path, call);
  expect(json.paging.nextCursor).toEqual(expect.any(String));
  return json.paging.nextCursor;
}

const expectRefused = (answer: Answer): void => {
  expect(answer.status, answer.text).toBe(400);
  expect(answer.json.fields).toEqual([{ field: 'cursor', message: expect.any(String) }]);
};

describe('a cursor', () => {
  it('needs percent-encoding, as those of other services may', async () => {
    expect(await firstCursor(await bundled())).toMatch(/=$/);
  });

  it('becomes invalid when an item leaves its list, and stays valid when one leaves another', async () => {
    const service = await bundled();
    const body = { name: 'L', maximumActivations: 1 };
    const expiration = { type: 'Days', days: 30 };
    const create = async (json: object): Promise<string> =>
      (await service.call('POST', '/v1/licenses', { json: { ...body, ...json } })).json.id;
    const ofBooks = await create({ type: 'Books', books: ['B1'], expiration });
    const ofTeacher = await create({ type: 'Teacher' });
    const teachers = '/v1/licenses?type=TEACHER&limit=1';
    const lists = [LIST, teachers, '/v1/books/B1/licenses?limit=1', '/v1/books/B2/licenses?limit=1'];
    const statusesAfter = async (id: string): Promise<readonly number[]> => {
      const cursors = await Promise.all(lists.map((list) => firstCursor(service, list)));
      expect((await service.call('DELETE', `/v1/licenses/${id}`)).status).toBe(204);
      const answers = lists.map((list, at) => service.call('GET', withCursor(list, cursors[at] ?? '')));
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    expect(await statusesAfter(ofTeacher)).toEqual([200, 400, 200, 200]);
    expect(await statusesAfter(ofBooks)).toEqual([400, 200, 400, 200]);
  });

  it('of one state is invalid in another', async () => {
    const [one, other] = [await bundled(), await bundled()];
    expectRefused(await other.call('GET', withCursor(LIST, await firstCursor(one))));
  });

  it('is valid in another process with the same state', async () => {
    const directory = folder();
    const [one, other] = [await bundled({ directory }), await bundled({ directory })];
    const list = '/v1/licenses?type=TEACHER&limit=1';
    const cursor = await firstCursor(one, list);
    expect((await other.call('GET', withCursor(list, cursor))).status).toBe(200);
    const json = { name: 'L', type: 'Teacher', maximumActivations: 1 };
    const { id } = (await other.call('POST', '/v1/licenses', { json })).json;
    await other.call('DELETE', `/v1/licenses/${id}`);
    expectRefused(await one.call('GET', withCursor(list, cursor)));
  });
});

it.each([
  ['', 50],
  ['&limit=1', 1],
  ['&limit=101', 100],
])('the limit "%s" returns %d licences', async (limit, count) => {
  const service = await bundled();
  expect((await service.call('GET', `/v1/licenses?type=BOOKS${limit}`)).json.licenses).toHaveLength(count);
});
