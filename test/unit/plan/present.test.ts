/** Items as they are before their steps are sent. */
import { expect, test } from 'vitest';
import { organizationIn, stateOf } from '../../../src/plan/actual.js';
import { presentReader } from '../../../src/plan/apply/present.js';
import type { Step } from '../../support/scripted-send.js';
import { bench } from '../client/support.js';

const reader = (answers: Readonly<Record<string, Step>>) => {
  const one = bench(({ path }) => answers[path.split('?')[0] ?? ''] ?? { status: 404 });
  const present = presentReader(one.client, 'EN', new AbortController().signal, one.clock.now);
  return { ...one, present };
};

const CLASS = { classId: 'c1', className: '5a', subjectId: '01', usersInClass: [] };
const listed = (classId: string, deactivationDate: string | null): Step => ({
  body: { classes: [{ ...CLASS, classId, schoolId: 's1', deactivationDate }] },
});

test.each<[string, Readonly<Record<string, Step>>, boolean]>([
  ['is active', { '/v1/schools/s1/classes': listed('c1', null), '/v1/classes/c1': { body: CLASS } }, true],
  [
    'was deleted, which only the list shows',
    { '/v1/schools/s1/classes': listed('c1', '2026-01-01'), '/v1/classes/c1': { body: CLASS } },
    false,
  ],
  ['is not listed', { '/v1/schools/s1/classes': listed('c2', null), '/v1/classes/c1': { body: CLASS } }, false],
  ['does not exist', { '/v1/schools/s1/classes': listed('c1', null) }, false],
])('a class that %s', async (_, answers, isThere) => {
  const state = await reader(answers).present.item('classes', 'c1', 's1');
  expect(state === undefined ? undefined : state.name).toBe(isThere ? '5a' : undefined);
});

test('a class whose school is not known is read by its ID alone', async () => {
  const { present, lines } = reader({ '/v1/classes/c1': { body: CLASS } });
  expect(await present.item('classes', 'c1', undefined)).toMatchObject({ name: '5a' });
  expect(lines()).toEqual(['GET /v1/classes/c1']);
});

test('a school without a city is read as its list was', async () => {
  const school = { id: 's1', name: 'East', country: 'NL', city: null, roles: [] };
  const { present } = reader({ '/v1/schools/s1': { body: school } });
  const listed = stateOf('schools', organizationIn('schools', school as never));
  expect(await present.item('schools', 's1', undefined)).toEqual(listed);
});

test('a licence of another organization is in the lists, which are read once; its activations name more holders', async () => {
  const more = { type: 'Teacher', maximumActivations: 9, endUsers: [{ id: 'u1' }] };
  const { present, lines } = reader({
    '/v1/account': { body: { id: 'u1', roles: [] } },
    '/v1/licenses/l1': { status: 403 },
    '/v1/licenses/l2': { status: 403 },
    '/v1/licenses': {
      body: {
        licenses: [
          { id: 'l1', code: 'a1', name: 'Autumn', numberOfActivations: 1, ...more },
          { id: 'l2', code: 'a2', name: 'Winter', numberOfActivations: 2, ...more },
        ],
      },
    },
    '/v1/licenses/l2/activations': { body: { activations: [{ user: 'u2' }] } },
  });
  expect(await present.item('licenses', 'l2', undefined)).toMatchObject({ name: 'Winter', numberOfActivations: 2 });
  expect(await present.people('holders', 'l1')).toEqual(new Set(['u1']));
  expect(await present.people('holders', 'l2')).toEqual(new Set(['u1', 'u2']));
  const lists = lines().filter((line) => line.startsWith('GET /v1/licenses?'));
  expect(lists).toEqual(['BOOKS', 'TEACHER'].map((type) => expect.stringContaining(`type=${type}`)));
  expect(lines().filter((line) => line.includes('activations'))).toHaveLength(1);
});

test('the members of a class are read again after two seconds, and a failed read at once', async () => {
  const answers: Record<string, Step> = { '/v1/classes/c1': { body: { ...CLASS, usersInClass: ['u1'] } } };
  const { present, lines, clock } = reader(answers);
  const members = async () => [...(await present.people('members', 'c1'))];
  expect(await members()).toEqual(['u1']);
  answers['/v1/classes/c1'] = { status: 404 };
  clock.pass(1999);
  expect(await members()).toEqual(['u1']);
  clock.pass(1);
  await expect(members()).rejects.toMatchObject({ kind: 'not_found' });
  answers['/v1/classes/c1'] = { body: { ...CLASS, usersInClass: ['u2'] } };
  expect(await members()).toEqual(['u2']);
  expect(lines()).toHaveLength(3);
});

test('roles are read once', async () => {
  const { present, lines, clock } = reader({ '/v1/roles': { body: { roles: [{ id: 'r1', name: 'Teacher' }] } } });
  const roles = () => present.roles({ id: 's1', type: 'School' });
  expect(await roles()).toEqual([{ id: 'r1', name: 'Teacher' }]);
  clock.pass(60_000);
  await roles();
  expect(lines()).toEqual([expect.stringMatching(/^GET \/v1\/roles\?(?=.*organization=s1)(?=.*type=School)/)]);
});
