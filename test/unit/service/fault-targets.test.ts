/** Which requests faults affect, and how calls in process fail. */
import { expect, test } from 'vitest';
import { parseFault } from '../../../src/service/serve/faults.js';
import { made } from './demo-service.js';

test.each([
  ['GET /v1/licenses?type=TEACHER 503', [200, 503, 200, 200]],
  ['as=school 503', [200, 200, 503, 200]],
  ['as=u3 503', [200, 200, 503, 200]],
  ['POST where.code=abc where.expiration.days=30 503', [200, 200, 200, 503]],
  ['POST where.code=other 503', [200, 200, 200, 200]],
  ['503 percent=50', [200, 503, 200, 503]],
])('%s', async (fault, expected) => {
  const { service, call } = await made({ faults: [fault], randomSeed: 1 });
  const expiration = { type: 'Days', days: 30 };
  const licence = { name: 'N', type: 'Books', maximumActivations: 1, books: ['B1'], code: 'abc', expiration };
  const answers = [
    await call('/v1/licenses?type=BOOKS'),
    await call('/v1/licenses?type=TEACHER'),
    await call('/v1/account', { headers: { authorization: `Bearer ${service.personas.school}` } }),
    await call('/v1/licenses', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(licence),
    }),
  ];
  expect(answers.map(({ status }) => status)).toEqual(expected);
});

test.each([
  ['GET /v1/licences 503', 'no endpoint is GET /v1/licences'],
  ['POST /v1/account 503', 'no endpoint is POST /v1/account'],
  ['/v1/user/** 503', 'no endpoint is /v1/user/**'],
  ['503 percent=0', 'not a valid percent'],
  ['latency=1000000001', 'not a valid latency'],
  ['reset status=503', 'a fault with the action reset has no use for "status"'],
  ['truncate when=after', 'a fault with the action truncate has no use for "when"'],
])('refuses %s', (fault, message) => {
  expect(() => parseFault(fault)).toThrow(message);
});

test.each([
  'GET /v1/licenses/*',
  'PUT /v1/licenses/7/cancel',
  '/v1/schools/s1/**',
  '/v1/**/classes',
  '/v1/lic**',
  '/**',
  'POST /login/oauth/access_token',
  'GET /v1/licenses/code/*?x=1',
  'HEAD',
])('accepts %s', (target) => {
  expect(() => parseFault(`${target} 503`)).not.toThrow();
});

test('a path with an e-mail address affects requests that encode it', async () => {
  const { call } = await made({ faults: ['GET /v1/users/userId/ada@example.org 503'] });
  expect((await call('/v1/users/userId/ada%40example.org')).status).toBe(503);
});

test('a fault for an unknown user is refused, and leaves the others as they are', async () => {
  const { service } = await made({ faults: ['503'] });
  expect(() => service.addFaults('500', 'as=shcool 503')).toThrow('no persona or user is shcool');
  const { baseUrl } = await service.listen();
  const init = { method: 'PUT', headers: { 'x-edu-control': '1' }, body: '["as=shcool 503"]' };
  expect((await fetch(`${baseUrl}/_control/faults`, init)).status).toBe(400);
  expect(service.faults()).toHaveLength(1);
  await expect(made({ faults: ['as=shcool 503'] })).rejects.toThrow('no persona or user is shcool');
});

/** The name, message and code of the error of a call, and of the reading of its body. */
async function failureOf(call: () => Promise<Response>): Promise<readonly unknown[]> {
  const error = await call()
    .then((response) => response.text())
    .catch((reason: unknown) => reason);
  if (!(error instanceof Error)) return [error];
  const { cause } = error as { cause?: { code?: unknown } };
  return [error.name, error.message, cause?.code];
}

test.each(['reset', 'reset when=after', 'truncate', 'hang'])('in process, %s fails as over a socket', async (fault) => {
  const { service } = await made({ faults: [`GET /v1/account ${fault}`] });
  const { baseUrl } = await service.listen();
  const headers = { authorization: `Bearer ${service.personas.school}` };
  const init = () => ({ headers, ...(fault === 'hang' ? { signal: AbortSignal.timeout(50) } : {}) });
  const overSocket = await failureOf(() => fetch(`${baseUrl}/v1/account`, init()));
  expect(overSocket).not.toHaveLength(1);
  expect(await failureOf(() => service.fetch('/v1/account', init()))).toEqual(overSocket);
});

test('another origin and a closed service fail with the codes of the network', async () => {
  const { service, call } = await made();
  expect(await failureOf(() => service.fetch('http://elsewhere.test/'))).toEqual([
    'TypeError',
    'fetch failed',
    'ENOTFOUND',
  ]);
  await service.close();
  expect(await failureOf(() => call('/v1/account'))).toEqual(['TypeError', 'fetch failed', 'ECONNREFUSED']);
});
