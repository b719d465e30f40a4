/** What a plan keeps: classes that a row may mean, and roles of users who move. */
import { expect, test } from 'vitest';
import type { Actual } from '../../../src/plan/actual.js';
import { actual, at, plan } from './small-states.js';

test('prunes no class that a row may mean', () => {
  const classOf = (id: string, name: string, subjectId: string) => ({
    id,
    name,
    subjectId,
    schoolId: 's1',
    users: [],
  });
  const several = [classOf('c1', '5a', '01'), classOf('c2', '5a', '02'), classOf('c3', '5b', '01')];
  const prune = new Set(['classes'] as const);
  const deleted = (is: Actual, subject?: string) =>
    plan({ classes: [{ at, name: '5a', school: 's1', subject }] }, is, { prune }).steps.map(({ id }) => id);
  expect(deleted(actual({ classes: several }))).toEqual(['c3']);
  expect(deleted(actual({ classes: several, subjects: undefined }), 'Biology')).toEqual(['c3']);
});

test('keeps the roles of a user who moves, by name, also to a school that is created', () => {
  const schools = [{ at, name: 'Neu', country: 'DE', city: 'Ulm' }];
  const users = [
    { at, id: 'mia', organization: 'Neu', roles: ['teacher'] },
    { at, id: 'tom', organization: 'Lycée' },
  ];
  const moved = plan({ schools, users }).steps.slice(1);
  expect(moved.map(({ after }) => after?.roles)).toEqual([[{ name: 'Teacher' }], ['q1']]);
});
