/** Which steps of a plan are still to be sent, by what the service has now. */
import { expect, test } from 'vitest';
import type { Actual } from '../../../src/plan/actual.js';
import type { Step } from '../../../src/plan/steps.js';
import { viewOf } from '../../../src/plan/view/view.js';
import { actual, license, SCHOOL, user } from './small-states.js';

const CLASS = { name: '5a', subjectId: '01' };
const MIA = { firstName: 'A', lastName: 'mia', organization: SCHOOL, roles: ['r1'] };
const step = (verb: Step['verb'], resource: Step['resource'], more: Partial<Step>): Step => ({
  step: 1,
  verb,
  resource,
  id: null,
  before: null,
  after: null,
  ...more,
});
const rename = (before: object = {}) =>
  step('update', 'users', { id: 'mia', before: { ...MIA, ...before }, after: { ...MIA, lastName: 'B' } });
const invite = (more: object = {}) =>
  step('create', 'users', { after: { ...MIA, email: 'MIA@s1.example', language: 'DE', ...more } });
const found = (more: object = {}) => step('create', 'classes', { after: { ...CLASS, schoolId: 's1', ...more } });
const remove = (users: number) => step('delete', 'classes', { id: 'c1', before: { ...CLASS, users } });
const member = (verb: 'assign' | 'unassign', userId: unknown, classId: unknown = 'c1') =>
  step(verb, 'members', { [verb === 'assign' ? 'after' : 'before']: { classId, userId } });
const holder = (userId: unknown, licenseId: unknown = 'l1') =>
  step('assign', 'holders', { after: { licenseId, userId } });
const LICENSES = { licenses: [license({ holders: ['mia'] })] };
const PUBLISHER = { organizations: [{ id: 'p1', type: 'Publisher' as const, name: 'Verlag' }] };
const looked = (id: string | undefined) => ({ elsewhere: new Map([['id:lea', id]]) });

const NO_SCHOOL = 'stale: no school that your organization owns has the ID s9';
const LYCEE = { id: 's9', type: 'School' };

test.each<[string, Step, Partial<Actual>, string]>([
  ['a change', rename(), {}, 'open'],
  ['a change of a user who is gone', rename(), { users: [] }, 'stale: it no longer exists'],
  ['a change that is done', rename(), { users: [user('mia', { lastName: 'B' })] }, 'present: mia'],
  ['a change after another', rename({ lastName: 'C' }), {}, 'stale: lastName has changed since the plan'],
  ['one after two', rename({ firstName: 'C', roles: [] }), {}, 'stale: firstName, roles have changed since the plan'],
  ['a user of a school that is not listed', rename(), { organizations: [] }, 'open'],
  ['a new user', invite({ email: 'new@s1.example' }), {}, 'open'],
  ['a new user who exists', invite(), {}, 'present: mia'],
  ['one with a role by name', invite({ roles: [{ name: 'teacher' }] }), {}, 'present: mia'],
  ['one whose language is not shown', invite(), { users: [user('mia', { language: '' })] }, 'present: mia'],
  [
    'one in French',
    invite({ firstName: 'B', language: 'FR' }),
    {},
    'stale: it exists, but differs in firstName, language',
  ],
  ['one of an unknown school', invite({ organization: LYCEE }), {}, NO_SCHOOL],
  [
    'one of a school, not a publisher',
    invite({ organization: { ...LYCEE, id: 'p1' } }),
    PUBLISHER,
    NO_SCHOOL.replace('s9', 'p1'),
  ],
  ['one with an unknown role', invite({ roles: ['r1', 'r9'] }), {}, 'stale: s1 has no role with the ID r9'],
  ['a new class', found({ name: '5b' }), {}, 'open'],
  ['a new class of another subject', found({ subjectId: '02' }), {}, 'open'],
  ['a new class that exists', found(), {}, 'present: c1'],
  ['a new class of an unknown school', found({ schoolId: 's9' }), {}, NO_SCHOOL],
  ['the end of a class', remove(2), {}, 'open'],
  ['the end of a class that others use', remove(1), {}, 'stale: users has changed since the plan'],
  ['the end of a class that is gone', remove(2), { classes: [] }, 'present: c1'],
  ['a new member', member('assign', 'lea'), {}, 'open'],
  ['a new member who is in the class', member('assign', 'mia'), {}, 'present: mia'],
  ['a new member of a new class', member('assign', 'mia', { step: 0 }), {}, 'open'],
  ['a new user in a class', member('assign', { step: 0 }), {}, 'open'],
  ['a new user in no class', member('assign', { step: 0 }, 'c9'), {}, 'stale: the class no longer exists'],
  ['a leaver', member('unassign', 'mia'), {}, 'open'],
  ['a leaver who has left', member('unassign', 'lea'), {}, 'present: lea'],
  ['a member who is gone', member('assign', 'lea'), looked(undefined), 'stale: no user has this ID'],
  ['a member who is elsewhere', member('assign', 'lea'), looked('lea'), 'open'],
  ['a new holder', holder('tom'), LICENSES, 'open'],
  ['a new holder who has the licence', holder('mia'), LICENSES, 'present: mia'],
  ['a holder of a licence that is gone', holder('mia'), {}, 'stale: the licence no longer exists'],
])('%s', (_, one, is, expected) => {
  const [view] = viewOf({ hash: '', steps: [one], managed: [] }, actual(is)).steps;
  const { standing } = view ?? {};
  const rest = standing?.is === 'stale' ? `: ${standing.why}` : standing?.is === 'present' ? `: ${standing.id}` : '';
  expect(`${standing?.is}${rest}`).toBe(expected);
});

test('a step is not sent if one that it needs is not', () => {
  const school = step('create', 'schools', { after: { name: 'Gymnasium', country: 'FR', city: 'Lyon' } });
  const next = [found({ schoolId: { step: 1 } }), member('assign', 'mia', { step: 2 })];
  const steps = [school, ...next].map((one, index) => ({ ...one, step: index + 1 }));
  const standings = viewOf({ hash: '', steps, managed: [] }, actual()).steps.map(({ standing }) => standing);
  expect(standings).toEqual([
    { is: 'stale', why: expect.stringMatching(/^it exists, but differs in country, city$/) },
    { is: 'stale', why: 'step 1, which it needs, is not sent' },
    { is: 'stale', why: 'step 2, which it needs, is not sent' },
  ]);
});
