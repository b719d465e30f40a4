/** The check of responses must be able to fail. */
import { expect, it } from 'vitest';
import { problemsOfAnswer } from './answer-check.js';

const publisher = { id: 'p1', name: 'Acme', roles: [{ id: 'r1', name: 'Editor' }] };
const full = {
  classId: 'c',
  className: 'n',
  classCode: 'k',
  subjectId: 's',
  usersInClass: null,
  schoolId: 'o',
  creationDate: '2026-01-01T00:00:00.000',
  deactivationDate: null,
};
const brief = Object.fromEntries(Object.entries(full).slice(0, 5));

it.each([
  ['the documented fields', 'GET /v1/publishers/{id}', publisher, []],
  ['a missing field', 'GET /v1/publishers/{id}', { id: 'p1', name: 'A' }, ['answer.roles is missing']],
  ['an extra field', 'GET /v1/publishers/{id}', { ...publisher, x: 1 }, ['answer.x is not documented']],
  [
    'a wrong kind',
    'GET /v1/publishers/{id}',
    { ...publisher, id: 7 },
    ['answer.id is 7, not a string (see BOOLEANS and NUMBERS in answer-check.ts)'],
  ],
  [
    'a null that is not allowed',
    'GET /v1/publishers/{id}',
    { ...publisher, name: null },
    ['answer.name is null (see NULLABLE in documented-shapes.ts)'],
  ],
  [
    'an extra field in a list item',
    'GET /v1/publishers/{id}',
    { ...publisher, roles: [{ id: 'r', name: 'n', permissions: [] }] },
    ['answer.roles[0].permissions is not documented'],
  ],
  ['an object for a list', 'GET /v1/publishers/{id}', { ...publisher, roles: {} }, ['answer.roles is not a list']],
  ['an envelope', 'GET /v1/publishers', { publishers: [publisher], paging: { nextCursor: null } }, []],
  ['an envelope without paging', 'GET /v1/publishers', { publishers: [] }, ['answer.paging is missing']],
  ['a bare array', 'GET /v1/schools/{id}/classes', [full], []],
  [
    'a bare array with an item that lacks a field',
    'GET /v1/schools/{id}/classes',
    [brief],
    ['answer[0].schoolId is missing', 'answer[0].creationDate is missing', 'answer[0].deactivationDate is missing'],
  ],
  ['an envelope for a bare array', 'GET /v1/schools/{id}/classes', { classes: [full] }, ['answer is not a list']],
  ['fields that may be absent', 'GET /v1/classes/{id}', brief, []],
  ['fields that may be present', 'GET /v1/classes/{id}', full, []],
  ['null for the whole answer', 'GET /v1/account', null, ['answer is null (see NULLABLE in documented-shapes.ts)']],
])('recognises %s', (_, route, json, problems) => {
  expect(problemsOfAnswer(route, json).sort()).toEqual([...problems].sort());
});
