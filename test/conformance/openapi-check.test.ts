/** The comparison with docs/openapi.json reports what the document does not contain. */
import { expect, it } from 'vitest';
import type { HttpRequest, HttpResponse } from '../../src/core/http.js';
import { checked } from './openapi-check.js';

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const BASE = 'http://service.test/base';

it.each<readonly [string, Partial<HttpRequest>, Partial<HttpResponse>, readonly string[]]>([
  ['nothing for a documented exchange', {}, {}, []],
  ['a status', {}, { status: 302 }, ['status 302 is not listed']],
  ['a media type', {}, { headers: { 'content-type': 'text/html' } }, ['a body of text/html is not listed for 200']],
  ['a missing member', {}, { body: '{"id":"p","name":"P"}' }, ["answer must have required property 'roles'"]],
  ['a request that should not succeed', { body: '{}' }, {}, ["body must have required property 'name'"]],
  ['a query parameter', { method: 'GET', url: `${BASE}/v1/readers` }, {}, ['the parameter language is missing']],
])('reports %s', async (_, request, response, expected) => {
  const problems = new Set<string>();
  const body = '{"id":"p","name":"P","roles":[]}';
  const send = checked(async () => ({ status: 200, headers: JSON_TYPE, body, ...response }), BASE, problems);
  await send({ method: 'POST', url: `${BASE}/v1/publishers`, headers: JSON_TYPE, body: '{"name":"P"}', ...request });
  const found = [...problems].map((problem) => problem.replace(/^\S+ \S+ \d+: /, ''));
  if (expected.length === 0) expect(found).toEqual([]);
  else expect(found).toEqual(expect.arrayContaining([...expected]));
});
