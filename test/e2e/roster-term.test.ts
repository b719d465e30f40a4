/** A school's term with rosters: first match, autumn sync, three weeks of deltas, a leaver, a wrong file, undo. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { csvFiles, DELTA, manifest, type RosterTables, user11 } from '../support/roster-files.js';
import { home, run, temporaryFolder } from '../support/run.js';

const BULK = { orgs: 'bulk', users: 'bulk', classes: 'bulk', enrollments: 'bulk' };
const [HEAD] = [
  [
    'sourcedId',
    'status',
    'dateLastModified',
    'enabledUser',
    'orgSourcedIds',
    'role',
    'username',
    'userIds',
    'givenName',
    'familyName',
    'middleName',
    'identifier',
    'email',
    'sms',
    'phone',
    'agentSourcedIds',
    'grades',
    'password',
  ],
];
const ENROLLMENT = ['sourcedId', 'status', 'classSourcedId', 'userSourcedId', 'role'];
const RULES = ['--role-map', 'teacher=Teacher,student=', '--default-subject', 'Mathematics'];

const person = (id: string, role = 'student', status = ''): string[] => {
  const row = user11(id, 'g1', role, `First${id}`, `Last${id}`, `${id}@term.example`);
  row[1] = status;
  return row;
};
const member = (name: string, id: string, status = ''): string[] => [`${name}-${id}`, status, name, id, 'student'];

const ids = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `p${from + index}`);
/** 24 pupils in two classes, with a teacher in both. */
const AUTUMN: RosterTables = {
  manifest: manifest('1.1', BULK),
  orgs: [
    ['sourcedId', 'name', 'type'],
    ['g1', 'Term School', 'school'],
  ],
  users: [HEAD, person('t1', 'teacher'), ...ids(1, 24).map((id) => person(id))],
  classes: [
    ['sourcedId', 'title', 'schoolSourcedId'],
    ['5a', '5a', 'g1'],
    ['5b', '5b', 'g1'],
  ],
  enrollments: [
    ENROLLMENT,
    ...['5a', '5b'].map((name) => member(name, 't1')),
    ...ids(1, 12).map((id) => member('5a', id)),
    ...ids(13, 24).map((id) => member('5b', id)),
  ],
};
const deltaOf = (users: readonly string[][], members: readonly string[][]): RosterTables => ({
  manifest: manifest('1.1', {
    ...DELTA,
    ...(users.length === 0 ? { users: 'absent' } : {}),
    ...(members.length === 0 ? { enrollments: 'absent' } : {}),
  }),
  ...(users.length === 0 ? {} : { users: [HEAD, ...users] }),
  ...(members.length === 0 ? {} : { enrollments: [ENROLLMENT, ...members] }),
});

test('a roster over a term', async () => {
  const env = { ...home(), EDU_OFFLINE: '1' };
  const folder = temporaryFolder();
  const edu = (...argv: string[]) => run(argv, { env, randomBytes });
  const path = (name: string): string => join(folder, name);
  function write(name: string, tables: RosterTables): string {
    mkdirSync(path(name));
    for (const [file, content] of Object.entries(csvFiles(tables))) writeFileSync(join(path(name), file), content);
    return path(name);
  }
  const data = async (...argv: string[]): Promise<unknown> => JSON.parse((await edu(...argv, '--json')).stdout);

  const { id: school } = (await data(
    ...['schools', 'create', '--name', 'Term School', '--country', 'DE', '--city', 'Bonn'],
  )) as { readonly id: string };
  const autumn = write('autumn', AUTUMN);
  const map = ['--roster-map', join(autumn, 'roster-map.csv')];

  const plan = (roster: string, out: string, ...flags: string[]) =>
    edu('roster', 'plan', roster, ...RULES, ...map, ...flags, '--out', path(out));
  async function apply(out: string): Promise<void> {
    const { hash } = JSON.parse(readFileSync(path(out), 'utf8').split('\n')[0] ?? '') as { hash: string };
    const applied = await edu('apply', path(out), '--confirm', hash.slice(0, 8));
    expect(applied.code, applied.stderr).toBe(0);
  }
  /** Plans and applies. @returns the summary of the plan */
  async function sync(roster: string, out: string): Promise<string> {
    const planned = await plan(roster, out);
    expect(planned.code, planned.stderr).toBe(10);
    await apply(out);
    await edu('roster', 'match', roster, ...map);
    return planned.stdout.trimEnd().split('\n').at(-1) ?? '';
  }
  /** Pupils of a class by their number, in order. */
  async function pupils(name: string): Promise<readonly number[]> {
    const users = (await data(
      ...['users', 'list', '--organization', school, '--organization-type', 'School'],
    )) as readonly { readonly id: string; readonly email: string }[];
    const classes = (await data('classes', 'list', '--school', school)) as readonly {
      readonly className: string;
      readonly usersInClass: readonly string[];
    }[];
    const emails = new Map(users.map(({ id, email }) => [id, email]));
    const has = classes.find(({ className }) => className === name)?.usersInClass ?? [];
    return has
      .flatMap((id) => /^p(\d+)@/.exec(emails.get(id) ?? '')?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b);
  }
  const numbers = (from: number, to: number): readonly number[] =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index);

  // First match: only the school exists.
  expect(await data('roster', 'check', autumn)).toMatchObject({ people: 25, classes: 2, memberships: 26 });
  expect(await data('roster', 'match', autumn)).toMatchObject({
    ...{ schools: '1 of 1', people: '0 of 25', classes: '0 of 2' },
  });

  // Autumn sync.
  expect(await sync(autumn, 'autumn.plan')).toMatch(/^53 to add, 25 e-mails\. Plan /);
  expect([await pupils('5a'), await pupils('5b')]).toEqual([numbers(1, 12), numbers(13, 24)]);
  expect(await plan(autumn, 'again.plan')).toMatchObject({ code: 0 });
  expect(await data('roster', 'match', autumn)).toMatchObject({ people: '25 of 25', classes: '2 of 2' });

  // Week 1: a new pupil. Week 2: a pupil changes class. Week 3: a leaver.
  const week1 = write('week1', deltaOf([person('p25')], [member('5b', 'p25', 'active')]));
  expect(await sync(week1, 'week1.plan')).toMatch(/^2 to add, 1 e-mail\. Plan /);
  const moves = [member('5a', 'p1', 'tobedeleted'), member('5b', 'p1', 'active')];
  expect(await sync(write('week2', deltaOf([], moves)), 'week2.plan')).toMatch(
    /^1 to add, 1 to remove \(1 of 13 in 5a\)\. Plan /,
  );
  const week3 = write('week3', deltaOf([person('p24', 'student', 'tobedeleted')], []));
  expect(await sync(week3, 'week3.plan')).toMatch(/^1 to remove \(1 of 15 in 5b\)\. Plan /);
  expect([await pupils('5a'), await pupils('5b')]).toEqual([numbers(2, 12), [1, ...numbers(13, 23), 25]]);

  // A wrong file: half of the people are missing.
  const half = new Set(ids(7, 24));
  const wrong = write('wrong', {
    ...AUTUMN,
    users: (AUTUMN.users ?? []).filter(([id = '']) => !half.has(id)),
    enrollments: (AUTUMN.enrollments ?? []).filter(([, , , id = '']) => !half.has(id)),
  });
  const refused = await plan(wrong, 'wrong.plan');
  expect([refused.code, refused.stdout]).toEqual([2, '']);
  expect(refused.stderr).toContain('Refusing an unsafe plan; nothing was sent.');
  expect(refused.stderr).toContain(`19 of 26 would be removed in ${school}`);

  // The leaver was a mistake.
  const undone = await edu('undo', path('week3.plan.receipt'), '--out', path('undo.plan'));
  expect([undone.code, undone.stderr]).toEqual([10, '']);
  await apply('undo.plan');
  expect(await pupils('5b')).toEqual([1, ...numbers(13, 25)]);
}, 60_000);
