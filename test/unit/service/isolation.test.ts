/** What one test leaves behind in a service, the next one does not see. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { createService, type Part, type ServiceOptions, type TestService } from '../../../src/service/index.js';
import { temporaryFolder } from '../../support/run.js';
import { NOW } from './demo-service.js';

const OPTIONS: ServiceOptions = {
  seed: 'empty',
  clock: () => NOW,
  randomSeed: 1,
  faults: ['GET /v1/roles 503 times=1'],
  variants: { createdStatus: 201 },
};

async function opened(options: ServiceOptions = {}): Promise<TestService> {
  const service = await createService({ ...OPTIONS, ...options });
  onTestFinished(() => service.close());
  return service;
}

const call = (service: TestService, path: string, json?: object, token = service.personas.distributor) =>
  service.fetch(path, {
    method: json === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });

const EVE = { firstName: 'Eve', lastName: 'End', email: 'eve@example.org', language: 'NL' };

/** Changes everything that a test can see. @returns the token that it was issued */
async function use(service: TestService): Promise<string> {
  expect((await call(service, '/v1/users/enduser', EVE)).status).toBe(201);
  await call(service, '/v1/roles?organization=d1&type=Distributor');
  const token = service.token('u3');
  service.clearFaults();
  service.addFaults('GET /v1/account 429');
  service.advance('2d');
  service.setVariants({ createdStatus: 200, errorBody: 'text' });
  await call(service, '/v1/account');
  return token;
}

/** What is seen of each part. */
async function seen(service: TestService, token: string) {
  const requests = service.requests().map(({ number, path }) => `${number} ${path}`);
  const emails = service.emails().map(({ to }) => to);
  const faults = service.faults().map(({ fault, hit }) => `${fault.status} ${hit}`);
  const users = service.state('users').filter((user) => 'email' in user && user.email === EVE.email).length;
  service.clearFaults();
  const isKnown = (await call(service, '/v1/account', undefined, token)).status === 200;
  const refused = await call(service, '/v1/users/enduser', {});
  const variant = refused.headers.get('content-type')?.split(';')[0];
  const day = service.requests().at(-1)?.at.slice(0, 10);
  return { data: users, emails, tokens: isKnown, requests, faults, clock: day, variants: variant };
}

const AT_START = {
  data: 0,
  emails: [],
  tokens: false,
  requests: [],
  faults: ['503 0'],
  clock: '2026-03-01',
  variants: 'application/json',
};
const USED = {
  data: 1,
  emails: ['eve@example.org'],
  tokens: true,
  requests: ['1 /v1/users/enduser', '2 /v1/roles?organization=d1&type=Distributor', '3 /v1/account'],
  faults: ['429 1'],
  clock: '2026-03-03',
  variants: 'text/plain',
};

describe.each([
  ['reset', async (service: TestService) => (keep: readonly Part[]) => service.reset({ keep })],
  [
    'a restored snapshot',
    async (service: TestService) => {
      const restore = service.snapshot();
      return async (keep: readonly Part[]) => restore({ keep });
    },
  ],
])('%s', (_, prepare) => {
  test('sets back everything that a test can see', async () => {
    const service = await opened();
    const setBack = await prepare(service);
    for (let run = 0; run < 2; run++) {
      const token = await use(service);
      await setBack([]);
      expect(await seen(service, token)).toEqual(AT_START);
      await setBack([]);
    }
  });

  test.each([
    ['data', ['data', 'emails', 'tokens']],
    ['emails', ['emails']],
    ['tokens', ['tokens']],
    ['requests', ['requests']],
    ['faults', ['faults']],
    ['clock', ['clock']],
    ['variants', ['variants']],
  ] as const)('keeps %s if told so', async (part, kept) => {
    const service = await opened();
    const setBack = await prepare(service);
    const token = await use(service);
    await setBack([part]);
    const expected = Object.entries(AT_START).map(([name, value]) => {
      const isKept = (kept as readonly string[]).includes(name);
      return [name, isKept ? USED[name as keyof typeof USED] : value];
    });
    expect(await seen(service, token)).toEqual(Object.fromEntries(expected));
  });

  test('ends the requests that hang or wait, without an effect', async () => {
    const service = await opened();
    const setBack = await prepare(service);
    service.addFaults('GET /v1/account hang', 'latency=60000 POST', 'drip pause=60000 GET /v1/publishers');
    const failed = [
      call(service, '/v1/account'),
      call(service, '/v1/users/enduser', EVE),
      call(service, '/v1/publishers').then((response) => response.text()),
    ].map((answer) => answer.catch(({ cause }) => cause.code));
    await expect
      .poll(() => service.requests().filter(({ status, faults }) => status + faults.length > 0))
      .toHaveLength(3);
    await setBack([]);
    expect(await Promise.all(failed)).toEqual(['ECONNRESET', 'ECONNRESET', 'ECONNRESET']);
    expect(service.emails()).toEqual([]);
  });

  test('makes the same IDs come again', async () => {
    const service = await opened();
    const setBack = await prepare(service);
    const created = async () => (await (await call(service, '/v1/users/enduser', EVE)).json()) as { id: string };
    const first = await created();
    await service.fetch('/login/oauth/authorize?client_id=edu-offline');
    await setBack([]);
    expect(await created()).toEqual(first);
  });
});

test('a restart keeps the data of a folder with its e-mails, and sets everything else back', async () => {
  const directory = temporaryFolder();
  const service = await opened({ directory });
  const token = await use(service);
  await service.restart();
  const { data, emails, tokens } = USED;
  expect(await seen(service, token)).toEqual({ ...AT_START, data, emails, tokens });
  await service.close();
  expect((await opened({ directory })).emails()).toMatchObject([{ to: 'eve@example.org' }]);
});

test('a restart starts data in memory from its seed, and keeps ports open', async () => {
  const service = await opened();
  const { baseUrl } = await service.listen();
  const token = await use(service);
  await service.restart();
  expect(await seen(service, token)).toEqual(AT_START);
  expect((await fetch(`${baseUrl}/_health`)).status).toBe(200);
});

test('refuses to keep what there is not', async () => {
  const service = await opened();
  await expect(service.reset({ keep: ['journal' as Part] })).rejects.toThrow('keep ["journal"] cannot be used');
  expect(() => service.snapshot()({ keep: 'data' as never })).toThrow('keep "data" cannot be used');
});

test('a body nested thousands of levels deep breaks neither the journal nor a comparison', async () => {
  const service = await opened();
  const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
  const body = `{"name":${deep}}`;
  const headers = { authorization: `Bearer ${service.personas.distributor}`, 'content-type': 'application/json' };
  expect((await service.fetch('/v1/publishers', { method: 'POST', headers, body })).status).toBe(400);
  expect(service.requests()).toMatchObject([{ path: '/v1/publishers', status: 400 }]);
  service.verify('POST /v1/publishers 400');
  const { baseUrl } = await service.listen();
  const control = { method: 'POST', headers: { 'x-edu-control': '1' }, body: `[{"body":${deep}}]` };
  expect(await (await fetch(`${baseUrl}/_control/verify`, control)).json()).toMatchObject({
    message: 'the body is nested more than 100 levels deep',
  });
});
