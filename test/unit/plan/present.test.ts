/** Items as they are before their steps are sent. */
import { expect, test } from 'vitest';
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
  body: { classes: [{ classId, className: '5a', subjectId: '01', schoolId: 's1', deactivationDate }] },
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
