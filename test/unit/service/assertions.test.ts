/** What `verify` accepts, and what it says if a client did something else. */
import { expect, test } from 'vitest';
import type { ExpectedRequest } from '../../../src/service/index.js';
import { made } from './demo-service.js';

type Expected = string | ExpectedRequest;

/** A service to which two licences, one invalid one, and a look at the school's account were sent. */
async function used() {
  const { service, call, create } = await made();
  await create('one');
  await create('two');
  await create('Not a code');
  await call('/v1/account', { headers: { authorization: `Bearer ${service.personas.school}` } });
  await call('/v1/licenses?type=BOOKS&limit=1');
  return service;
}

test.each<readonly Expected[]>([
  ['POST /v1/licenses 200'],
  ['POST /v1/licenses times=3'],
  ['POST /v1/licenses 200 at-least=2'],
  ['DELETE /v1/licenses/* never'],
  ['POST 200', 'POST 400', 'GET /v1/account as=school', '/v1/licenses?type=BOOKS'],
  ['POST times=3', 'GET /v1/account'],
  ['GET /v1/account as=u3'],
  ['GET as=school@example.org times=1', 'GET as=distributor'],
  [{ method: 'POST', body: { code: 'two' }, times: 1 }],
  [{ path: '/v1/licenses', headers: { authorization: 'Bearer …' }, atLeast: 4 }],
])('accepts %j', async (...expected) => {
  (await used()).verify(...expected);
});

test.each<readonly [expected: readonly Expected[], message: string]>([
  [
    ['POST /v1/licenses 200 times=1'],
    'expected POST /v1/licenses 200: exactly 1 expected, 2 of 1 came.\nCame:\n  #1 POST /v1/licenses 200 as distributor\n  #2 POST /v1/licenses 200 as distributor',
  ],
  [
    ['POST /v1/licenses 200 times=3'],
    'exactly 3 expected, 2 of 3 came.\nCame:\n  #1 POST /v1/licenses 200 as distributor\n  #2 POST /v1/licenses 200 as distributor\nNearest:\n  #3 POST /v1/licenses 400 as distributor: status is 400, not 200',
  ],
  [['POST 400 at-least=2'], 'expected POST 400: 1 of 2 came.'],
  [['POST /v1/licenses never'], 'expected no POST /v1/licenses: 3 came.'],
  [['GET /v1/account', 'POST 200'], 'expected POST 200: it came, but not in this order.'],
  [
    ['GET /v1/account as=viewer'],
    'expected GET /v1/account as viewer: 0 of 1 came.\nNearest:\n  #4 GET /v1/account 200 as school: the caller is school, not viewer',
  ],
  [['GET /v1/licenses?type=TEACHER'], 'path is /v1/licenses?type=BOOKS&limit=1, not /v1/licenses?type=TEACHER'],
  [
    [{ method: 'POST', body: { code: 'three' } }],
    '#1 POST /v1/licenses 200 as distributor: body.code is "one", not "three"',
  ],
  [['GET /v1/licence never'], 'no endpoint is GET /v1/licence'],
  [['GET as=shcool never'], 'no persona or user is shcool'],
  [['GET /v1/account tmies=2'], 'expectation "GET /v1/account tmies=2" cannot be used'],
  [['times=2'], 'expectation "times=2" cannot be used'],
  [[{ path: '/v1/account', times: 1, atLeast: 1 }], 'cannot be used'],
  [[], 'expectation [] cannot be used'],
])('refuses %j', async (expected, message) => {
  const service = await used();
  expect(() => service.verify(...expected)).toThrow(message);
});

test('fails if anything else came, or something more often', async () => {
  const service = await used();
  const rest = ['POST 400', 'GET /v1/account', 'GET /v1/licenses'] as const;
  service.verifyOnly('POST 200 times=2', ...rest);
  service.verifyOnly('POST 200', 'POST 200', ...rest);
  service.verifyOnly('POST at-least=1', ...rest.slice(1));
  expect(() => service.verifyOnly('POST 200', ...rest)).toThrow(
    'expected nothing else: 1 more came.\n  #2 POST /v1/licenses 200 as distributor',
  );
  await service.restart();
  service.verifyOnly();
});
