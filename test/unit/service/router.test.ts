import { describe, expect, it } from 'vitest';
import { createRouter } from '../../../src/contract/routes.js';
import { addressOf } from '../../../src/service/router.js';

const paths = [
  'GET /v1/books/{id}',
  'GET /v1/books/subjects',
  'GET /v1/books/{id}/licenses',
  'GET /v1/licenses/{id}/activations',
  'GET /v1/licenses/code/{code}',
  'PUT /v1/licenses/{id}',
  'PUT /v1/licenses/assignLicense',
  'PUT /v1/classes/delete/{id}',
  'PUT /v1/classes/{id}',
  'PUT /v1/users/enduser/{id}',
  'PUT /v1/users/{id}/anonymize',
];
const route = createRouter(paths.map((target) => ({ method: target.slice(0, 3), path: target.slice(4), target })));

describe('router', () => {
  it.each([
    ['GET', '/v1/books/subjects', 'GET /v1/books/subjects', {}],
    ['GET', '/v1/books/b1', 'GET /v1/books/{id}', { id: 'b1' }],
    ['GET', '/v1/books/subjects/licenses', 'GET /v1/books/{id}/licenses', { id: 'subjects' }],
    ['GET', '/v1/licenses/code/activations', 'GET /v1/licenses/code/{code}', { code: 'activations' }],
    ['GET', '/v1/licenses/l1/activations', 'GET /v1/licenses/{id}/activations', { id: 'l1' }],
    ['PUT', '/v1/licenses/assignLicense', 'PUT /v1/licenses/assignLicense', {}],
    ['PUT', '/v1/classes/delete', 'PUT /v1/classes/{id}', { id: 'delete' }],
    ['PUT', '/v1/users/enduser/anonymize', 'PUT /v1/users/enduser/{id}', { id: 'anonymize' }],
    ['PUT', '/v1/users/u1/anonymize', 'PUT /v1/users/{id}/anonymize', { id: 'u1' }],
  ])('routes %s %s to %s', (method, path, target, params) => {
    expect(route(method, path)).toEqual({ target, params });
  });

  it('decodes segments once, so that an encoded slash stays inside its segment', () => {
    expect(route('GET', '/v1/books/a%2Fb%2525')?.params).toEqual({ id: 'a/b%25' });
    expect(route('GET', '/v1/books/%E2%82%AC')?.params).toEqual({ id: '€' });
  });
});

describe('addressOf', () => {
  it.each([
    ['http://h/v1/account', '', '/v1/account', ''],
    ['http://h:1/base/v1/account?a=1&b', '/base', '/v1/account', 'a=1&b'],
    ['http://h/v1/account?x#y', '/base', '/../v1/account', 'x'],
    ['http://h/based/v1', '/base', '/../based/v1', ''],
    ['http://h', '', '/', ''],
    ['http://h/v1/books/../x', '', '/v1/books/../x', ''],
    ['http://h/v1/books/%2e%2e?q=http://z/', '', '/v1/books/%2e%2e', 'q=http://z/'],
  ])('splits %s under "%s"', (url, base, path, query) => {
    expect(addressOf(url, base)).toEqual({ path, query });
  });
});
