/** The client with the bundled service in process, without a socket. */
import { randomBytes } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createClient } from '../../../../src/client/request/create-client.js';
import { authorized } from '../../../../src/client/transport/authorization.js';
import { createLocal, OFFLINE_BASE_URL } from '../../../../src/client/transport/local.js';
import { account } from '../../../../src/contract/account.js';
import { licenses } from '../../../../src/contract/licenses.js';
import { type PersonaName, personaToken } from '../../../../src/service/personas.js';
import { temporaryFolder } from '../../../support/run.js';
import { withResolvers } from '../../../support/with-resolvers.js';
import { all, failure } from '../support.js';

let directory: string;
beforeEach(() => {
  directory = temporaryFolder();
});

function open(persona: PersonaName, folder = directory) {
  const transport = createLocal({ directory: folder, now: () => Date.UTC(2026, 0, 5), randomBytes });
  const token = personaToken(persona);
  const send = authorized(transport.send, { origin: OFFLINE_BASE_URL, token });
  return { client: createClient({ send, baseUrl: OFFLINE_BASE_URL, token }), close: transport.close };
}

test('answers calls and lists in process, and keeps the state', async () => {
  const first = open('distributor');
  expect((await first.client.call(account.show, {})).permissions.length).toBeGreaterThan(0);
  const body = { name: 'Kept', code: 'keptbetween1', type: 'Teacher', maximumActivations: 1 } as const;
  const made = await first.client.call(licenses.create, { body });
  await first.close();

  const second = open('distributor');
  expect(await second.client.call(licenses.getByCode, { params: { code: 'keptbetween1' } })).toMatchObject({
    id: made.id,
    name: 'Kept',
  });
  const listed = await all(second.client.pages(licenses.list, { query: { type: 'TEACHER' } }, { pageSize: 7 }));
  expect(listed.filter(({ id }) => id === made.id)).toHaveLength(1);
  expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
  await second.close();
});

test('reports a persona without permission as forbidden, not as logged out', async () => {
  const { client, close } = open('viewer');
  const body = { name: 'x', code: 'viewerscode1', type: 'Teacher', maximumActivations: 1 } as const;
  expect(await failure(client.call(licenses.create, { body }))).toMatchObject({ kind: 'forbidden', exitCode: 6 });
  await close();
});

test('reports an unusable state with a remedy', async () => {
  const file = join(directory, 'not-a-folder');
  writeFileSync(file, '');
  const { client, close } = open('distributor', file);
  const error = await failure(client.call(account.show, {}));
  expect(error.kind).toBe('internal');
  expect(error.hint).not.toBeUndefined();
  await close();
});

test('ends an aborted request before it closes the state', async () => {
  const { send, close } = createLocal({ directory, now: () => Date.UTC(2026, 0, 5), randomBytes });
  const giveUp = new AbortController();
  const { promise: held, resolve: go } = withResolvers();
  async function* body() {
    const lines = ['--b', 'Content-Disposition: form-data; name="file"; filename="a.png"', '', 'x'.repeat(100_000)];
    yield Buffer.from(lines.join('\r\n'));
    await held;
    yield Buffer.from('y');
  }
  const request = {
    method: 'POST',
    url: `${OFFLINE_BASE_URL}/v1/files`,
    headers: {
      authorization: `Bearer ${personaToken('distributor')}`,
      'content-type': 'multipart/form-data; boundary=b',
    },
    body: body(),
    signal: giveUp.signal,
  } as const;
  const refused = expect(send(request)).rejects.toThrow('aborted');
  const left = () =>
    readdirSync(directory, { recursive: true })
      .map(String)
      .filter((name) => name.endsWith('.part'));
  await expect.poll(() => left().length).toBe(1);
  giveUp.abort();
  await close();
  // The file of the upload still exists, in case the process ends now.
  expect(left()).toHaveLength(1);
  go();
  await refused;
  expect(left()).toEqual([]);
});

test('opens nothing when it closes an unused state', async () => {
  await open('distributor').close();
});
