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

const ACCEPTED: readonly (readonly Expected[])[] = [
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
];

const REFUSED: readonly (readonly [expected: readonly Expected[], message: string])[] = [
  [
    ['POST /v1/licenses 200 times=1'],
    'expected POST /v1/licenses 200: exactly 1 expected, 2 came.\nCame:\n  #1 POST /v1/licenses 200 as distributor\n  #2 POST /v1/licenses 200 as distributor',
  ],
  [
    ['POST /v1/licenses 200 times=3'],
    'exactly 3 expected, 2 came.\nCame:\n  #1 POST /v1/licenses 200 as distributor\n  #2 POST /v1/licenses 200 as distributor\nNearest:\n  #3 POST /v1/licenses 400 as distributor: status is 400, not 200',
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
  [['GET /v1/account tmies=2'], 'tmies is unknown. Did you mean times?'],
  [['times=2'], 'expectation "times=2" cannot be used'],
  [['GET never times=2'], '"times" is given twice'],
  [['GET POST'], '"method" is given twice'],
  [['GET 4033 sometimes'], 'expectation "GET 4033 sometimes" cannot be used'],
  [[{}], 'expectation {} cannot be used'],
  [[{ path: '/v1/account', times: 1, atLeast: 1 }], 'cannot be used'],
  [[], 'expectation [] cannot be used'],
];

test('accepts what came, and refuses what did not', async () => {
  const service = await used();
  for (const expected of ACCEPTED) service.verify(...expected);
  for (const [expected, message] of REFUSED)
    expect(() => service.verify(...expected), JSON.stringify(expected)).toThrow(message);
});

test('compares paths decoded, and question marks in a query as text', async () => {
  const { service, call } = await made();
  await call('/v1/users/userId/ada%40example%2Forg');
  await call('/v1/users/checkModified?dateToCheck=a?b');
  service.verify('GET /v1/users/userId/ada@example%2forg', '/v1/users/checkModified?dateToCheck=a?b');
  expect(() => service.verify('GET /v1/users/userId/ada@* never')).toThrow('1 came');
  expect(() => service.verify('/v1/users/userId/ada@example/org')).toThrow('0 of 1 came');
  expect(() => service.verify('/v1/users/checkModified?dateToCheck=a')).toThrow('0 of 1 came');
});

test('shows the warnings of requests', async () => {
  const { service, call } = await made();
  await call('/v1/account?language=EN');
  expect(() => service.verifyOnly()).toThrow('#1 GET /v1/account?language=EN 200 as distributor (language is unknown)');
});

test('counts nothing once requests have left the journal', async () => {
  const { service, call } = await made();
  for (let count = 0; count < 1001; count++) await service.fetch('/v1/x');
  await call('/v1/account');
  service.verify('GET /v1/account');
  const counting = [
    () => service.verify('GET /v1/account times=1'),
    () => service.verify('GET /v1/roles never'),
    () => service.verifyOnly('GET at-least=1'),
  ];
  for (const verify of counting) expect(verify).toThrow('2 requests have left the journal');
  await service.restart();
  service.verifyOnly();
});

test('reads JSON bodies without a content type', async () => {
  const { service } = await made();
  const body = new TextEncoder().encode('{"name":"Q"}');
  const headers = { authorization: `Bearer ${service.personas.distributor}` };
  expect((await service.fetch('/v1/publishers', { method: 'POST', headers, body })).status).toBe(200);
  service.verify({ body: { name: 'Q' } });
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
