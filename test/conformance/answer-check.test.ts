/** The check of responses must be able to fail. */
import { expect, it } from 'vitest';
import { problemsOfAnswer } from './answer-check.js';

const publisher = { id: 'p1', name: 'Acme', roles: [{ id: 'r1', name: 'Editor' }] };

it.each([
  ['the documented fields', 'GET /v1/publishers/{id}', publisher, []],
  ['a missing field', 'GET /v1/publishers/{id}', { id: 'p1', name: 'A' }, ['answer.roles is missing']],
  ['an extra field', 'GET /v1/publishers/{id}', { ...publisher, x: 1 }, ['answer.x is not documented']],
  [
    'a wrong kind and a null that is not allowed',
    'GET /v1/publishers/{id}',
    { ...publisher, id: 7, name: null },
    [
      'answer.id is 7, not a string (see BOOLEANS and NUMBERS in answer-check.ts)',
      'answer.name is null (see NULLABLE in documented-shapes.ts)',
    ],
  ],
  ['an envelope without paging', 'GET /v1/publishers', { publishers: [] }, ['answer.paging is missing']],
  ['an envelope for a bare array', 'GET /v1/schools/{id}/classes', { classes: [] }, ['answer is not a list']],
])('recognises %s', (_, route, json, problems) => {
  expect(problemsOfAnswer(route, json).sort()).toEqual(problems);
});
