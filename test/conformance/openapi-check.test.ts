/** The comparison with docs/openapi.json reports what the document does not contain. */
import { expect, it } from 'vitest';
import type { HttpRequest, HttpResponse } from '../../src/core/http.js';
import { checked } from './openapi-check.js';

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const BASE = 'http://service.test/base';
const PUBLISHER = { id: 'p', name: 'P', roles: [] };

async function problemsOf(request: Partial<HttpRequest>, response: Partial<HttpResponse>): Promise<string[]> {
  const problems = new Set<string>();
  const answer = { status: 200, headers: JSON_TYPE, body: JSON.stringify(PUBLISHER), ...response };
  const send = checked(async () => answer, BASE, problems);
  await send({ method: 'POST', url: `${BASE}/v1/publishers`, headers: JSON_TYPE, body: '{"name":"P"}', ...request });
  return [...problems].map((problem) => problem.replace(/^\S+ \S+ \d+: /, ''));
}

const licence = (given: object): Partial<HttpRequest> => {
  const expiration = { type: 'Days', days: 30 };
  const body = { name: 'N', type: 'Books', maximumActivations: 1, books: ['B1'], expiration, ...given };
  return { url: `${BASE}/v1/licenses`, body: JSON.stringify(body) };
};

it('accepts a documented exchange', async () => {
  expect(await problemsOf({}, {})).toEqual([]);
  const error = JSON.stringify({ error: 'BadRequest', message: 'name is required' });
  expect(await problemsOf({ body: '{}' }, { status: 400, body: error })).toEqual([]);
});

it.each([
  ['a status', {}, { status: 302 }, 'status 302 is not listed'],
  ['a media type', {}, { headers: { 'content-type': 'text/html' } }, 'a body of text/html is not listed for 200'],
  ['a missing member', {}, { body: '{"id":"p","name":"P"}' }, 'answer.roles is missing'],
  ['a wrong kind', {}, { body: '{"id":7,"name":"P","roles":[]}' }, 'answer.id is not string'],
  ['an error of another shape', {}, { status: 400, body: '{}' }, 'answer.error is missing'],
  ['a request that should not succeed', { body: '{}' }, {}, 'body.name is missing'],
  ['a long name that should not succeed', { body: `{"name":"${'x'.repeat(51)}"}` }, {}, 'body.name is longer than 50'],
  ['a blank name that should not succeed', { body: '{"name":" "}' }, {}, 'body.name does not match \\S'],
  ['a licence without its books', licence({ books: [] }), {}, 'body.books is too short'],
  ['a licence without its days', licence({ expiration: { type: 'Days' } }), {}, 'body.expiration.days is missing'],
  ['a licence without its expiration', licence({ expiration: undefined }), {}, 'body.expiration is missing'],
  ['a query parameter', { method: 'GET', url: `${BASE}/v1/readers` } as const, {}, 'the parameter language is missing'],
])('reports %s that is not documented', async (_, request, response, problem) => {
  expect(await problemsOf(request, response)).toContain(problem);
});
