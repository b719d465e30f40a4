/** Rosters as other systems export them, also unusual and broken ones. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRoster } from '../../../../src/plan/roster/read-roster.js';
import type { Roster } from '../../../../src/plan/roster/roster.js';
import {
  csvFiles,
  DELTA,
  manifest,
  type RosterTables,
  SMALL_11,
  SMALL_12,
  user11,
} from '../../../support/roster-files.js';
import { temporaryFolder } from '../../../support/run.js';
import { workbookOf } from '../../../support/workbook.js';
import { zipOf } from '../../../support/zip-file.js';

const OPTIONS = { on: '2026-11-22', reading: undefined };

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = join(temporaryFolder(), 'roster');
  mkdirSync(folder);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}
function fileOf(name: string, content: string | Uint8Array): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return path;
}
const read = (tables: RosterTables): Promise<Roster> => readRoster(folderOf(csvFiles(tables)), OPTIONS);
const contentOf = ({ schools, people, classes, memberships }: Roster) => ({
  schools: [...schools.values()].map(({ name }) => name),
  people: [...people.values()].map(({ firstName, lastName, email, role, school }) => [
    firstName,
    lastName,
    email,
    role,
    school,
  ]),
  classes: [...classes.values()].map(({ title, subject }) => [title, subject]),
  memberships: memberships.map(({ class: name, person }) => [name, person]),
});

const EXPECTED = {
  schools: ['Gymnasium am Kirchplatz'],
  people: [
    ['Noor', 'Smit', 'noor@g1.example', 'teacher', 'g1'],
    ['Tom', 'Vos', 'tom@g1.example', 'teacher', 'g1'],
    ['Mia', 'Brandt', 'mia@g1.example', 'student', 'g1'],
    ['Jan', 'Öz', 'jan@g1.example', 'student', 'g1'],
    ['Lea', 'Kurz', undefined, 'student', 'g1'],
  ],
  classes: [
    ['5a', 'Mathematics'],
    ['7b', 'Mathematics'],
  ],
  memberships: [
    ['c5a', 't1'],
    ['c5a', 'p1'],
    ['c7b', 'p2'],
    ['c7b', 'p3'],
  ],
};

test('a plain list may lie beside the files that macOS and Office write', async () => {
  const list = 'school,class,first name,last name\nGymnasium,5a,Mia,Brandt\n';
  const folder = folderOf({ 'list.csv': list, '._list.csv': '\u0000', '~$list.xlsx': 'Mia', 'roster-map.csv': '' });
  expect(contentOf(await readRoster(folder, OPTIONS)).classes).toEqual([['5a', undefined]]);
});

test('a plain list may be the only table of a folder or archive', async () => {
  const files = {
    'Klassen.csv': 'school;class;first name;last name;e-mail\ns1;5a;Mia;Brandt;mia@s1.example\n',
    'roster-map.csv': 'kind,sourcedId,id,key,ignore\n',
  };
  const expected = { people: [['Mia', 'Brandt', 'mia@s1.example', 'student', 's1']], schools: ['s1'] };
  expect(contentOf(await readRoster(folderOf(files), OPTIONS))).toMatchObject(expected);
  expect(contentOf(await readRoster(fileOf('a.zip', zipOf(files)), OPTIONS))).toMatchObject(expected);
  const two = folderOf({ ...files, 'Lehrer.csv': '' });
  await expect(readRoster(two, OPTIONS)).rejects.toMatchObject({ kind: 'usage' });
});

describe('OneRoster', () => {
  test.each([
    ['1.1', SMALL_11],
    ['1.2', SMALL_12],
  ])('%s in a folder and in an archive', async (version, tables) => {
    const roster = await read(tables);
    expect(roster.problems).toEqual([]);
    expect(roster.format).toBe(`OneRoster ${version}`);
    expect(contentOf(roster)).toEqual(EXPECTED);
    const entries = Object.entries(csvFiles(tables)).map(([name, content]) => [`export/${name}`, content] as const);
    const archive = zipOf({ ...Object.fromEntries(entries), '__MACOSX/._users.csv': 'x' });
    expect(contentOf(await readRoster(fileOf('a.zip', archive), OPTIONS))).toEqual(EXPECTED);
  });

  test('does not take an unknown status for active', async () => {
    const users = 'sourcedId,status,enabledUser,orgSourcedIds,role,givenName,familyName\n';
    const rows =
      'p1,deleted,true,s1,student,Mia,Berg\np2,,N,s1,student,Noor,Azmi\np3,Active,FALSE,s1,student,Lea,Kurz\n';
    const { problems, people } = await readRoster(
      folderOf({ ...csvFiles(SMALL_11), 'users.csv': users + rows }),
      OPTIONS,
    );
    expect(problems).toContainEqual({
      where: 'users.csv line 2',
      message: 'status must be active, tobedeleted, inactive or blank, not "deleted"',
    });
    expect(problems).toContainEqual({
      where: 'users.csv line 3',
      message: 'enabledUser must be true, false or blank, not "N"',
    });
    expect(people.get('p3')?.state).toBe('gone');
  });

  test('has dates in another format, but no use for the flags of a single table', async () => {
    const enrollments = 'classSourcedId,userSourcedId,role,endDate\nc5a,p1,student,31.07.2020\n';
    const folder = folderOf({ ...csvFiles(SMALL_11), 'enrollments.csv': enrollments });
    const roster = await readRoster(folder, { ...OPTIONS, reading: { dateFormat: 'dd.MM.yyyy' } });
    expect(roster.problems).toEqual([]);
    expect(roster.notes).toContainEqual(expect.stringContaining('a membership that has ended'));
    await expect(readRoster(folder, { ...OPTIONS, reading: { map: ['a=role'] } })).rejects.toThrow(
      `--map is not for a roster in the format OneRoster, and ${folder} is one.`,
    );
  });

  test('never reads demographics, passwords and phone numbers', async () => {
    const files = csvFiles(SMALL_11);
    const roster = await readRoster(folderOf({ ...files, 'demographics.csv': '"never closed' }), OPTIONS);
    expect(roster.files.map(({ name }) => name)).not.toContain('demographics.csv');
    expect(JSON.stringify([...roster.people.values()])).not.toContain('secret');
  });

  test('accepts a byte order mark, any case and order of headers, and extra columns', async () => {
    const users = (SMALL_11.users ?? []).map((row, index) => [index === 0 ? 'ext_a' : 'x', ...[...row].reverse()]);
    const files = csvFiles({ ...SMALL_11, users });
    const [head = '', ...rest] = (files['users.csv'] ?? '').split('\n');
    const shouted = `\ufeff${head.toUpperCase()}\r\n${rest.join('\r\n')}`;
    expect(contentOf(await readRoster(folderOf({ ...files, 'users.csv': shouted }), OPTIONS))).toEqual(EXPECTED);
  });

  test('reads a delta with rows marked for deletion', async () => {
    const enrollments = [
      ['sourcedId', 'status', 'classSourcedId', 'userSourcedId', 'role', 'endDate'],
      ['e1', 'tobedeleted', 'c5a', 't1', 'teacher', ''],
      ['e2', 'active', 'c7b', 't1', 'teacher', ''],
      ['e3', 'active', 'c7b', 'p1', 'student', '2026-11-01'],
    ];
    const gone = user11('p1', 'g1', 'student', 'Mia', 'Brandt', 'mia@g1.example');
    gone[1] = 'toBeDeleted';
    const users = [(SMALL_11.users ?? [])[0] ?? [], gone];
    const roster = await read({ manifest: manifest('1.1', DELTA), users, enrollments });
    expect(roster.problems).toEqual([]);
    expect(roster.modes).toEqual({ people: 'delta', memberships: 'delta' });
    expect(roster.people.get('p1')?.state).toBe('gone');
    expect(roster.memberships.map(({ person, isGone }) => [person, isGone])).toEqual([
      ['t1', true],
      ['t1', false],
      ['p1', true],
    ]);
  });

  test.each<[string, RosterTables, string, string]>([
    [
      'a missing file',
      { ...SMALL_11, users: undefined as never },
      'users.csv',
      'is missing, but the manifest lists it as bulk',
    ],
    ['an empty file', { ...SMALL_11, users: SMALL_11.users?.slice(0, 1) ?? [] }, 'users.csv', 'has no rows'],
    [
      'no header',
      { ...SMALL_11, users: SMALL_11.users?.slice(1) ?? [] },
      'users.csv line 1',
      'has no column sourcedId',
    ],
    [
      'an unknown version',
      { ...SMALL_11, manifest: manifest('2.0', {}) },
      'manifest.csv',
      'OneRoster 2.0 is not supported',
    ],
    [
      'an unknown mode',
      { ...SMALL_11, manifest: manifest('1.1', { users: 'all' }) },
      'manifest.csv',
      'file.users must be',
    ],
    [
      'one ID for two people',
      { ...SMALL_11, users: [...(SMALL_11.users ?? []), user11('p1', 'g1', 'student', 'Bo', 'Li')] },
      'users.csv line 8',
      'sourcedId is not unique: p1',
    ],
    [
      'a membership of nobody',
      {
        ...SMALL_11,
        enrollments: [...(SMALL_11.enrollments ?? []), ['e9', '', '', 'c5a', 'g1', 'p9', 'student', '', '']],
      },
      'enrollments.csv line 8',
      'userSourcedId p9 is not in users.csv',
    ],
    [
      'a date that is none',
      {
        ...SMALL_11,
        enrollments: [...(SMALL_11.enrollments ?? []), ['e9', '', '', 'c5a', 'g1', 'p1', 'student', '1.8.2026', '']],
      },
      'enrollments.csv line 8',
      'beginDate is not a date: "1.8.2026"',
    ],
  ])('names %s', async (_, tables, where, message) => {
    const given = Object.fromEntries(Object.entries(tables).filter(([, table]) => table !== undefined));
    const { problems } = await read(given);
    expect(problems).toContainEqual({ where, message: expect.stringContaining(message) });
  });

  test('counts repeated rows, people in several schools and people in no class', async () => {
    const users = [...(SMALL_11.users ?? [])];
    users.push(users[3] ?? [], user11('p7', 'g1,g2', 'student', 'Bo', 'Li', 'bo@g1.example'));
    const { problems, notes } = await read({ ...SMALL_11, users });
    expect(problems).toEqual([]);
    expect(notes).toContain('a row that repeats an earlier one: users.csv line 8');
    expect(notes).toContain('a person in several organizations; the primary one is used: users.csv line 9');
    expect(notes).toContain('a person who is in no class (parent): users.csv line 7');
  });

  test('distinguishes rows that repeat an earlier one from rows that contradict it', async () => {
    const [mia, other] = ['Mia', 'Pia'].map((first) => user11('p7', 'g1', 'student', first, 'Li')) as [
      string[],
      string[],
    ];
    const users = [...(SMALL_11.users ?? []), mia, other, other, mia];
    const { people, problems, notes } = await read({ ...SMALL_11, users });
    expect(people.get('p7')?.firstName).toBe('Mia');
    expect(problems).toEqual([{ where: 'users.csv line 9', message: 'sourcedId is not unique: p7' }]);
    expect(notes).toContain('a row that repeats an earlier one: 2 times, first users.csv line 10');
  });

  test('uses the primary role of several, wherever it is', async () => {
    const [head = [], ...roles] = SMALL_12.roles ?? [];
    const more = [
      ['r8', 'p1', 'primary', 'teacher', '', '', 'g1'],
      ['r9', 'x9', 'secondary', 'teacher', '', '', 'd1'],
      ['r10', 'x9', 'primary', 'Student', '', '', 'g1'],
      ['r11', 'x9', 'secondary', 'teacher', '', '', 'g2'],
    ];
    const users = (SMALL_12.users ?? []).map(([id = '', ...row]) => [
      id,
      ...row.slice(0, -1),
      id === 'x1' ? '' : (row.at(-1) ?? ''),
    ]);
    users.push(['x9', 'true', 'x9', 'Zoe', 'Li', '', '', '', '']);
    const { people, problems, notes } = await read({ ...SMALL_12, users, roles: [head, ...more, ...roles] });
    expect(problems).toEqual([]);
    expect(notes).toContain(
      'a person in several organizations; the primary one is used: 2 times, first users.csv line 2',
    );
    const of = (id: string) => [people.get(id)?.role, people.get(id)?.school];
    expect([of('p1'), of('x9')]).toEqual([
      ['teacher', 'g1'],
      ['student', 'g1'],
    ]);
  });

  test('leaves out people of a district, and prefers a school among several organizations', async () => {
    const users = [
      ...(SMALL_11.users ?? []),
      user11('a1', 'd1', 'administrator', 'Ada', 'Amt', 'ada@d1.example'),
      user11('t3', 'd1,g1', 'teacher', 'Uma', 'Rot', 'uma@g1.example'),
    ];
    const { people, problems, notes } = await read({ ...SMALL_11, users });
    expect(problems).toEqual([]);
    expect(notes).toContain('a person whose organization is not a school: users.csv line 8');
    expect([people.get('a1')?.state, people.get('t3')?.school]).toEqual(['out', 'g1']);
  });

  test('refuses a damaged archive', async () => {
    const whole = zipOf(csvFiles(SMALL_11));
    await expect(readRoster(fileOf('a.zip', whole.subarray(0, 300)), OPTIONS)).rejects.toMatchObject({ kind: 'usage' });
  });
});

describe('a plain list', () => {
  const ROWS = [
    ['Schule', 'Klasse', 'Rufname', 'Nachname', 'E-Mail', 'Rolle'],
    ['Gymnasium', '5a', 'Mia', 'Brandt', 'mia@g1.example', ''],
    ['Gymnasium', '5A', 'Noor', 'Smit', 'noor@g1.example', 'Teacher'],
    ['Gymnasium', '7b', 'Noor', 'Smit', 'NOOR@g1.example', 'Teacher'],
    ['Gymnasium', '7b', 'Lea', 'Kurz', '', ''],
  ];
  const MAP = { map: ['Rufname=first-name', 'E-Mail=email'] };

  test('is read from CSV and Excel, with mapped headers', async () => {
    const csv = ROWS.map((cells) => `${cells.join(';')}\r\n`).join('');
    const xlsx = workbookOf({ sheets: [{ name: 'A', rows: ROWS }] });
    for (const path of [fileOf('list.csv', csv), fileOf('list.xlsx', xlsx)]) {
      const roster = await readRoster(path, { ...OPTIONS, reading: MAP });
      expect(roster.problems).toEqual([]);
      expect([...roster.people.values()].map(({ firstName, email, role }) => [firstName, email, role])).toEqual([
        ['Mia', 'mia@g1.example', 'student'],
        ['Noor', 'noor@g1.example', 'teacher'],
        ['Lea', undefined, 'student'],
      ]);
      expect([...roster.classes.values()].map(({ title }) => title)).toEqual(['5a', '7b']);
      expect(roster.memberships).toHaveLength(4);
    }
  });

  test('reports its problems with line numbers', async () => {
    const path = fileOf('list.csv', 'school,class,first-name\nA,5a,Mia\n,5a,Bo\n');
    await expect(readRoster(path, { ...OPTIONS, reading: { map: ['Ort=town'] } })).rejects.toThrow(
      '--map "Ort=town": there is no column "town".',
    );
    const { problems } = await readRoster(path, { ...OPTIONS, reading: { map: ['Ort=email'] } });
    expect(problems.map(({ where, message }) => `${where?.replace(/.*list/, 'list')} ${message}`)).toEqual([
      'list.csv line 1 has no column last-name',
      'list.csv line 3 school is missing',
      'list.csv line 1 there is no column "Ort", which --map names',
    ]);
  });

  test('is read from JSON and in any encoding', async () => {
    const row = { school: 'A', class: '5a', 'first-name': 'Zoë', 'last-name': 'Brandt' };
    const latin = Buffer.from(`${Object.keys(row)}\n${Object.values(row)}\n`, 'latin1');
    for (const [path, reading] of [
      [fileOf('list.json', JSON.stringify([row])), {}],
      [fileOf('list.csv', latin), { encoding: 'windows-1252' }],
    ] as const) {
      const roster = await readRoster(path, { ...OPTIONS, reading });
      expect(roster.problems).toEqual([]);
      expect([...roster.people.values()]).toMatchObject([{ firstName: 'Zoë' }]);
    }
    const { problems } = await readRoster(fileOf('list.json', '[{"school":"A"}]'), OPTIONS);
    expect(problems.map(({ message }) => message)).toContain('has no column class');
  });

  test('refuses what a spreadsheet damaged', async () => {
    const path = fileOf('list.csv', 'school,class,first-name,last-name\nA,#NV,Mia,Brandt\n');
    expect((await readRoster(path, OPTIONS)).problems).toEqual([
      { where: expect.stringMatching(/line 2, column 2 "class"$/), message: expect.stringContaining('is #NV') },
    ]);
  });
});
