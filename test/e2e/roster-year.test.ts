/** A school year by rosters, whose formats are in test/unit/plan/roster/formats.test.ts: match, plan, a leaver, a bad row, new classes in the place of the old ones, undo. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { offline } from '../support/offline.js';
import { filesOf, type SchoolModel } from '../support/roster-formats.js';

const RULES = ['--role-map', 'teacher=Teacher,student=', '--default-subject', 'Biology'];

const person = (id: string, role: 'student' | 'teacher') => ({
  id,
  role,
  first: `First${id}`,
  last: `Last${id}`,
  email: `${id}@year.example`,
});
const pupils = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index}`);

/** Pupils of 5a and 6a, with a teacher in both. */
function yearOf(
  ids: readonly [string, string],
  ends: string,
  fifth: readonly string[],
  sixth: readonly string[],
): SchoolModel {
  const [a, b] = ids;
  return {
    school: 'Year School',
    people: [person('t1', 'teacher'), ...[...fifth, ...sixth].map((id) => person(id, 'student'))],
    classes: [
      { id: a, title: '5a', ends },
      { id: b, title: '6a', ends },
    ],
    members: [
      ...ids.map((id) => [id, 't1'] as const),
      ...fifth.map((id) => [a, id] as const),
      ...sixth.map((id) => [b, id] as const),
    ],
  };
}

const FIRST = yearOf(['c1', 'c2'], '2027-07-31', pupils(1, 4), pupils(5, 9));
/** Pupil 9 has left. */
const NEXT_DAY = yearOf(['c1', 'c2'], '2027-07-31', pupils(1, 4), pupils(5, 8));
/** The pupils of 5a are in 6a, others have come, and the file still has the old classes. */
function secondYear(): SchoolModel {
  const { people, classes, members, school } = yearOf(['c3', 'c4'], '2028-07-31', pupils(31, 34), pupils(1, 4));
  return { school, people, classes: [...NEXT_DAY.classes, ...classes], members: [['c1', 't1'], ...members] };
}

test('over a year', async () => {
  const format = 'OneRoster 1.1';
  const { edu, json: data, path } = offline();
  function write(name: string, model: SchoolModel, change = (text: string): string => text): string {
    mkdirSync(path(name));
    for (const [file, text] of Object.entries(filesOf(format, model)))
      writeFileSync(join(path(name), file), change(text));
    return path(name);
  }
  const map = ['--roster-map', path('roster-map.csv')];
  const plan = (roster: string, on: string, ...flags: string[]) =>
    edu('roster', 'plan', roster, ...RULES, ...map, '--on', on, ...flags, '--out', path('a.plan'));
  async function apply(...flags: readonly string[]): Promise<void> {
    const { hash } = JSON.parse(readFileSync(path('a.plan'), 'utf8').split('\n')[0] ?? '') as { hash: string };
    const applied = await edu('apply', path('a.plan'), '--confirm', hash.slice(0, 8), ...flags);
    expect(applied.code, applied.stderr).toBe(0);
  }
  const summaryOf = ({ stdout }: { readonly stdout: string }): string => stdout.trimEnd().split('\n').at(-1) ?? '';
  const { id: school } = (await data(
    ...['schools', 'create', '--name', 'Year School', '--country', 'DE', '--city', 'Bonn'],
  )) as { readonly id: string };
  /** The numbers of pupils by class, and whether the teacher is in it. */
  async function members(): Promise<unknown> {
    const users = (await data(
      ...['users', 'list', '--organization', school, '--organization-type', 'School'],
    )) as readonly { readonly id: string; readonly email: string }[];
    const classes = (await data('classes', 'list', '--school', school)) as readonly {
      readonly className: string;
      readonly usersInClass: readonly string[];
    }[];
    const names = new Map(users.map(({ id, email }) => [id, email.split('@')[0]]));
    const listOf = (ids: readonly string[]) => ids.map((id) => names.get(id)).sort();
    return Object.fromEntries(classes.map(({ className, usersInClass }) => [className, listOf(usersInClass ?? [])]));
  }
  const of = (ids: readonly string[]): readonly string[] => [...ids, 't1'].sort();

  // The first year: only the school exists.
  const first = write('first', FIRST);
  expect(await data('roster', 'check', first)).toMatchObject({
    format,
    people: 10,
    teachers: 1,
    classes: 2,
    memberships: 11,
  });
  expect(await data('roster', 'match', first, ...map)).toMatchObject({ schools: '1 of 1', people: '0 of 10' });
  const planned = await plan(first, '2026-11-23');
  expect([planned.code, summaryOf(planned)]).toEqual([10, expect.stringMatching(/^23 to add, 10 e-mails\. Plan /)]);
  await apply();
  expect(await members()).toEqual({ '5a': of(pupils(1, 4)), '6a': of(pupils(5, 9)) });
  expect(await plan(first, '2026-11-23')).toMatchObject({ code: 0 });
  expect(await data('roster', 'match', first, ...map)).toMatchObject({ people: '10 of 10', classes: '2 of 2' });

  // The next day a pupil has left, and the address of another one is damaged.
  const bad = write('bad', NEXT_DAY, (text) => text.replace('8@year.example', '#N/A'));
  expect(await plan(bad, '2026-11-24')).toMatchObject({ code: 2, stdout: '' });
  expect(await plan(bad, '2026-11-24', '--skip-invalid')).toMatchObject({ code: 3 });
  const next = write('next', NEXT_DAY);
  // The addresses of two pupils were swapped: the map says who they are.
  const swapped = write('swapped', NEXT_DAY, (text) =>
    text.replace(/\b[12]@year/g, (found) => (found === '1@year' ? '2@year' : '1@year')),
  );
  const kept = await plan(swapped, '2026-11-24');
  expect([kept.code, kept.stdout]).toEqual([3, expect.stringContaining('e-mail 1@year.example → 2@year.example: the')]);
  expect(summaryOf(kept)).toMatch(/^1 to remove \(1 of 6 in 6a\), 2 conflicts\. Plan /);
  const left = await plan(next, '2026-11-24');
  expect([left.code, summaryOf(left)]).toEqual([10, expect.stringMatching(/^1 to remove \(1 of 6 in 6a\)\. Plan /)]);
  await apply();
  expect(await members()).toMatchObject({ '6a': of(pupils(5, 8)) });

  // A mistake: the leaver comes back.
  const undone = await edu('undo', path('a.plan.receipt'), '--out', path('a.plan'));
  expect([undone.code, undone.stderr]).toEqual([10, '']);
  await apply();
  expect(await members()).toMatchObject({ '6a': of(pupils(5, 9)) });

  // The classes have ended: they stay as they are.
  const summer = await plan(next, '2027-08-15', '--leavers', 'keep');
  expect([summer.code, summer.stderr]).toEqual([0, expect.stringContaining('A class whose terms have ended: 2 times')]);

  // The second year: new classes of the same names take the place of the old ones.
  const second = write('second', secondYear());
  expect(await data('roster', 'match', second, '--on', '2027-09-01', ...map)).toMatchObject({ classes: '2 of 2' });
  const refused = await plan(second, '2027-09-01');
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/--allow-removals \d+%/)]);
  const allowed = ['--allow-removals', '100%'];
  expect(await plan(second, '2027-09-01', ...allowed)).toMatchObject({ code: 10 });
  await apply(...allowed);
  expect(await members()).toEqual({ '5a': of(pupils(31, 34)), '6a': of(pupils(1, 4)) });
  expect(await plan(second, '2027-09-01')).toMatchObject({ code: 0 });
}, 120_000);
