/** The bundled service under ten mixes of what the document leaves open: what the document does say holds in all of them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createService, type TestService } from '../../src/service/index.js';

describe.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])('mix %i', (strange) => {
  let service: TestService;
  beforeAll(async () => {
    service = await createService({ strange });
  });
  afterAll(() => service.close());

  const call = async (path: string, json?: unknown, method = json === undefined ? 'GET' : 'POST') => {
    const answer = await service.fetch(path, {
      method,
      headers: { authorization: `Bearer ${service.personas.distributor}`, 'content-type': 'application/json' },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    return { status: answer.status, text: await answer.text() };
  };

  const walk = async (path: string, key: string) => {
    const ids: string[] = [];
    let cursor = '';
    do {
      const { status, text } = await call(`${path}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`);
      expect(status).toBe(200);
      const page = JSON.parse(text) as Record<string, { id: string }[]> & { paging?: { nextCursor?: string | null } };
      ids.push(...(page[key] ?? []).map(({ id }) => id));
      cursor = page.paging?.nextCursor ?? '';
    } while (cursor !== '');
    return ids;
  };

  it('lists every item once, whatever its pages and its last cursor are like', async () => {
    const ids = await walk('/v1/licenses?type=BOOKS', 'licenses');
    const all = service.state('licences') as { id: string; type: string; creatorId: string }[];
    const expected = all.filter(({ type, creatorId }) => type === 'Books' && creatorId === 'd1').map(({ id }) => id);
    expect([...ids].sort()).toEqual(expected.sort());
  });

  it('creates with a success, answers the same data when read, and refuses what exists with 400', async () => {
    const licence = { name: 'Strange', code: `strange${strange}`, type: 'Teacher', maximumActivations: 2 };
    const made = await call('/v1/licenses', licence);
    expect([200, 201]).toContain(made.status);
    const read = await call(`/v1/licenses/code/${licence.code}`);
    expect(JSON.parse(read.text)).toMatchObject({ ...licence, id: (JSON.parse(made.text) as { id: string }).id });
    expect((await call('/v1/licenses', licence)).status).toBe(400);
    expect((await call(`/v1/licenses/${(JSON.parse(made.text) as { id: string }).id}/cancel`, {}, 'PUT')).status).toBe(
      200,
    );
  });

  it('answers errors with the documented statuses, and requests without authentication with 401 or 403', async () => {
    expect((await call('/v1/licenses/none')).status).toBe(404);
    expect((await call('/v1/books?organization=d2&type=Distributor&language=EN')).status).toBe(403);
    expect([401, 403]).toContain((await service.fetch('/v1/account')).status);
    const headers = { authorization: 'Bearer nobody' };
    expect([401, 403]).toContain((await service.fetch('/v1/account', { headers })).status);
  });
});
