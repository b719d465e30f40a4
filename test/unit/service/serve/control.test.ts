/** Invalid requests to the control route are refused, and change nothing. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createService, type Listening, type TestService } from '../../../../src/service/index.js';

let service: TestService;
let socket: Listening;
beforeAll(async () => {
  service = await createService();
  socket = await service.listen();
});
afterAll(() => service.close());

test.each([
  ['POST', '/reset', 5, 400, 'the body must be a JSON object or list, not 5'],
  ['POST', '/reset', { seed: 5 }, 400, 'seed 5 cannot be used'],
  ['POST', '/variants', { strange: 'abc' }, 400, 'strange "abc" cannot be used'],
  ['PUT', '/variants', { pages: 'long' }, 400, '"long" is not a value of pages'],
  ['POST', '/variants', [], 400, 'give an object such as {"createdStatus": 201}'],
  ['POST', '/verify', [], 400, 'expectation [] cannot be used'],
  ['POST', '/verify', [5], 400, 'expectation 5 cannot be used'],
  ['POST', '/verify', [{}], 400, 'expectation {} cannot be used'],
  ['POST', '/users/%zz/verify', undefined, 400, 'URI malformed'],
  ['GET', '/requests?after=x', undefined, 400, 'after must be a whole number'],
  ['GET', '/state/users?after=x', undefined, 400, 'after must be a whole number'],
  ['POST', '/tokens', { user: 'u1', expiresIn: -5 }, 400, 'expiresIn -5 cannot be used'],
  ['POST', '/tokens', { user: 'unknown' }, 404, 'no user has the ID or e-mail address "unknown"'],
] as const)('refuses %s %s %j with %i', async (method, path, body, status, message) => {
  const answer = await fetch(`${socket.baseUrl}/_control${path}`, {
    method,
    headers: { 'x-edu-control': '1' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect([answer.status, await answer.json()]).toEqual([
    status,
    expect.objectContaining({ message: expect.stringContaining(message) }),
  ]);
  expect(service.state('licences')).toHaveLength(265);
});
