/** Steps to requests, by what the service returns now. */
import { expect, test } from 'vitest';
import { memberGuard } from '../../../src/plan/apply/member-guard.js';
import type { PresentReader } from '../../../src/plan/apply/present.js';
import { prepareStep } from '../../../src/plan/apply/write-of.js';
import type { Fields, Step } from '../../../src/plan/steps.js';

const TEACHER = { id: 'n7-1', name: 'Teacher' };

/** A service with one user and a new school n7, which step 1 created. */
const host = (user: Fields) => ({
  reader: { item: async () => user, roles: async () => [TEACHER] } as unknown as PresentReader,
  language: 'EN' as const,
  guard: memberGuard([], false, () => true),
  idOf: (step: number) => (step === 1 ? 'n7' : undefined),
  schoolOf: () => undefined,
});

const here = { firstName: 'Mia', organization: { id: 's1', type: 'School' }, roles: ['s1-1'] };
const there = { firstName: 'Mia', organization: { id: 'n7', type: 'School' }, roles: [TEACHER.id] };
/** Moves the user to the new school, whose roles had no IDs when it was planned. */
const step: Step = {
  step: 2,
  verb: 'update',
  resource: 'users',
  id: 'u1',
  before: here,
  after: { firstName: 'Mia', organization: { id: { step: 1 }, type: 'School' }, roles: [{ name: 'Teacher' }] },
};

test('recognizes a user who was moved to a new organization before an interruption', async () => {
  expect(await prepareStep(step, true, host(there))).toEqual({ outcome: { state: 'updated', id: 'u1' } });
});

test('moves a user back from an organization that the same plan created', async () => {
  const back = { ...step, before: { ...step.after, organization: there.organization }, after: here };
  expect(await prepareStep(back, false, host(there))).toMatchObject({
    writes: [{ input: { body: { organization: here.organization, roles: ['s1-1'] } } }],
  });
  expect(await prepareStep(back, false, host({ ...there, roles: [] }))).toMatchObject({
    outcome: { state: 'conflict', error: expect.stringContaining('roles has changed since the plan') },
  });
});
