// @ts-nocheck: JavaScript of a user, who has no types.
/** The tests of another team for its client, written with the documentation alone. Runs under vitest, `node --test`, jest and mocha. */
import assert from 'node:assert/strict';
import { createService } from 'edu-cli/service';
import { createClient, MISTAKES } from './client.mjs';

/** Jest and mocha define global functions. */
const isGlobal = 'describe' in globalThis;
const runner = isGlobal ? globalThis : await import(process.env.VITEST === undefined ? 'node:test' : 'vitest');
const { describe, beforeEach, test = runner.it } = runner;
const after = runner.afterAll ?? runner.after;

for (const mistake of ['none', ...MISTAKES]) {
  const service = await createService({ strictInput: true });
  describe(mistake, () => {
    beforeEach(() => service.restart());
    after(() => service.close());
    const { clientId, clientSecret, personas } = service;
    const client = createClient({ send: service.fetch, token: personas.distributor, clientId, clientSecret }, mistake);

    test('creates a licence', async () => {
      const { id } = await client.createLicence({ code: 'ours1', category: '02' });
      assert.equal((await client.licence('ours1')).id, id);
      service.verifyOnly('POST /v1/licenses 200', 'GET /v1/licenses/code/ours1 200');
    });

    test('lists all licences', async () => {
      const found = [...(await client.licences('BOOKS')), ...(await client.licences('TEACHER'))];
      assert.equal(new Set(found.map(({ id }) => id)).size, 250);
    });

    test('tries again after 429', async () => {
      service.addFaults('GET /v1/licenses/code/* 429 retry-after=0 times=1');
      assert.equal((await client.licence('welcome1')).id, '00000001');
      service.verifyOnly('GET /v1/licenses/code/welcome1 429', 'GET /v1/licenses/code/welcome1 200');
    });

    test('assigns a licence to a new user', async () => {
      const { id: userId } = await client.invite('ada@example.org');
      await client.assign(userId, '00000001');
      const body = { userId, licenseId: '00000001' };
      service.verifyOnly('POST /v1/users 200', {
        method: 'PUT',
        path: '/v1/licenses/assignLicense',
        status: 200,
        body,
      });
    });

    test('invites a user', async () => {
      await client.invite('ada@example.org');
      assert.equal(service.emails().length, 1);
      service.verifyOnly('POST /v1/users 200');
    });

    test('deletes a licence', async () => {
      const { id } = await client.createLicence({ code: 'ours2' });
      await client.deleteLicence(id);
      service.verify(`DELETE /v1/licenses/${id} 204`);
    });

    test('reports a licence of another organization', async () => {
      await assert.rejects(client.licence('taken01'), /403/);
      service.verifyOnly('GET /v1/licenses/code/taken01 403');
    });

    test('logs in, and refuses a forged callback', async () => {
      const { query, finish } = client.login();
      const callback = await service.authorize({ user: 'school', state: query.state });
      const forged = new URL(callback);
      forged.searchParams.set('state', 'forged');
      await assert.rejects(finish(forged), /state differs/);
      const { access_token: token } = await finish(callback);
      const answer = await service.fetch('/v1/account', { headers: { authorization: `Bearer ${token}` } });
      assert.equal((await answer.json()).id, 'u3');
    });
  });
}
