/** Rosters as other systems export them, also unusual and broken ones. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRoster } from '../../../../src/plan/roster/read-roster.js';
import type { Roster } from '../../../../src/plan/roster/roster.js';
import { csvFiles, manifest, type RosterTables, SMALL_11, SMALL_12, user11 } from '../../../support/roster-files.js';
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
const peopleOf = ({ people }: Roster) =>
  [...people.values()].map(({ firstName, lastName, email, role, school }) => [
    firstName,
    lastName,
    email,
    role,
    school,
  ]);

test('a plain list may be the only table of a folder or archive', async () => {
  const files = {
    'Klassen.csv': 'school;class;first name;last name;e-mail\ns1;5a;Mia;Brandt;mia@s1.example\n',
    'roster-map.csv': 'kind,sourcedId,id,key,ignore\n',
    // Beside it are files that macOS and Office write.
    '._list.csv': '\u0000',
    '~$list.xlsx': 'Mia',
  };
  const expected = [['Mia', 'Brandt', 'mia@s1.example', 'student', 's1']];
  expect(peopleOf(await readRoster(folderOf(files), OPTIONS))).toEqual(expected);
  expect(peopleOf(await readRoster(fileOf('a.zip', zipOf(files)), OPTIONS))).toEqual(expected);
  const two = folderOf({ ...files, 'Lehrer.csv': '' });
  await expect(readRoster(two, OPTIONS)).rejects.toMatchObject({ kind: 'usage' });
});

describe('OneRoster', () => {
  test('is what has a manifest, although its columns are those of another format', async () => {
    const roles = [['userSourcedId', 'role', 'orgSourcedId']];
    expect((await read({ roles })).format).toBe('School Data Sync V2.1');
    expect((await read({ manifest: manifest('1.2', { roles: 'delta' }), roles })).format).toBe('OneRoster 1.2');
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

  test.each<[string, RosterTables, string, string]>([
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
  ])('names %s', async (_, tables, where, message) => {
    const { problems } = await read(tables);
    expect(problems).toContainEqual({ where, message: expect.stringContaining(message) });
  });

  test('distinguishes rows that repeat an earlier one from rows that contradict it', async () => {
    const [mia, other] = ['Mia', 'Pia'].map((first) => user11('p7', 'g1', 'student', first, 'Li')) as [
      string[],
      string[],
    ];
    const users = [...(SMALL_11.users ?? []), mia, other, mia];
    const { people, problems, notes } = await read({ ...SMALL_11, users });
    expect(people.get('p7')?.firstName).toBe('Mia');
    expect(problems).toEqual([{ where: 'users.csv line 9', message: 'sourcedId is not unique: p7' }]);
    expect(notes).toContain('a row that repeats an earlier one: users.csv line 10');
  });

  test('uses the primary role of several, wherever it is', async () => {
    const [head = [], ...roles] = SMALL_12.roles ?? [];
    const more = [
      ['r8', 'p1', 'primary', 'teacher', '', '', 'g1'],
      ['r9', 'x9', 'secondary', 'teacher', '', '', 'd1'],
      ['r10', 'x9', 'secondary', 'teacher', '', '', 'g2'],
      ['r11', 'x9', 'primary', 'Student', '', '', 'g1'],
      ['r12', 'x8', 'primary', 'teacher', '', '', 'd1'],
      ['r13', 'x8', 'primary', 'aide', '', '', 'g2'],
      ['r14', 'x8', 'primary', 'student', '', '', 'g1'],
      ['r15', 'x7', 'primary', 'aide', '', '', 'g1'],
      ['r16', 'x6', 'primary', 'Parent', '', '', 'g1'],
      ['r17', 'x6', 'secondary', 'teacher', '', '', 'g2'],
    ];
    const users = (SMALL_12.users ?? []).map(([id = '', ...row]) => [
      id,
      ...row.slice(0, -1),
      id === 'x1' ? '' : (row.at(-1) ?? ''),
    ]);
    users.push(['x9', 'true', 'x9', 'Zoe', 'Li', '', '', '', '']);
    users.push(['x8', 'true', 'x8', 'Bo', 'Li', '', '', '', 'g1'], ['x7', 'true', 'x7', 'Al', 'Li', '', '', '', 'd1']);
    users.push(['x6', 'true', 'x6', 'Cy', 'Li', '', '', '', '']);
    const { people, problems, notes } = await read({ ...SMALL_12, users, roles: [head, ...more, ...roles] });
    expect(problems).toEqual([]);
    expect(notes).toContain(
      'a person in several organizations; the primary one is used: 5 times, first users.csv line 2',
    );
    const of = (id: string) => [people.get(id)?.role, people.get(id)?.school];
    expect([of('p1'), of('x9'), of('x8'), of('x7'), of('x6')]).toEqual([
      ['teacher', 'g1'],
      ['student', 'g1'],
      ['student', 'g1'],
      ['aide', 'g1'],
      ['teacher', 'g2'],
    ]);
  });

  test('refuses a damaged archive, one without CSV files, and a missing file', async () => {
    const path = fileOf('a.zip', zipOf(csvFiles(SMALL_11)).subarray(0, 300));
    for (const [name, why] of [
      [path, 'the archive is damaged (End of'],
      [fileOf('b.zip', zipOf({ 'list.txt': 'a' })), 'the archive has no CSV files'],
      [`${path}.none`, 'no such file or folder'],
    ] as const)
      await expect(readRoster(name, OPTIONS)).rejects.toMatchObject({
        kind: 'usage',
        message: expect.stringContaining(`Cannot read the roster ${name}: ${why}`),
      });
  });

  test('has no roles in a file without rows', async () => {
    const roles = (SMALL_12.roles ?? []).slice(0, 1);
    expect(await read({ ...SMALL_12, roles })).toMatchObject({ problems: [] });
  });
});

describe('a plain list', () => {
  const ROWS = [
    ['Schule', 'Klasse', 'Rufname', 'Nachname', 'E-Mail', 'Rolle'],
    ['Gymnasium', '5a', 'Mia', 'Brandt', 'mia@g1.example', ''],
    ['Gymnasium', '5A', 'Noor', 'Smit', 'noor@g1.example', 'Teacher'],
    ['Gymnasium', '7b', 'Noor', 'Smit', 'NOOR@g1.example', 'Teacher'],
    ['Gymnasium', '7b', 'Lea', 'Kurz', '', ''],
    ['Gymnasium', '5a', 'LEA', 'Kurz', '', ''],
    ['Gymnasium', '', 'Mia', 'Brandt', 'mia@g1.example', ''],
  ];
  const MAP = { map: ['Rufname=first-name', 'E-Mail=email'] };

  test('is read from CSV and Excel, with mapped headers', async () => {
    const csv = ROWS.map((cells) => `${cells.join(';')}\r\n`).join('');
    const xlsx = workbookOf({ sheets: [{ name: 'A', rows: ROWS, hidden: [3] }] });
    for (const path of [fileOf('list.csv', csv), fileOf('list.xlsx', xlsx)]) {
      const roster = await readRoster(path, { ...OPTIONS, reading: MAP });
      expect(roster.problems).toEqual([]);
      expect([...roster.people.values()].map(({ firstName, email, role }) => [firstName, email, role])).toEqual([
        ['Mia', 'mia@g1.example', 'student'],
        ['Noor', 'noor@g1.example', 'teacher'],
        ['Lea', undefined, 'student'],
      ]);
      expect([...roster.classes.values()].map(({ title }) => title)).toEqual(['5a', '7b']);
      expect(roster.memberships).toHaveLength(5);
      const hidden = `a row that the sheet hides, which is read too: ${path} line 3`;
      expect(roster.notes).toEqual([
        ...(path.endsWith('.xlsx') ? [hidden] : []),
        `a row without a class: ${path} line 7`,
      ]);
    }
  });

  test.each([
    'school,class,first-name,last-name,email,role',
    'School Name,Class Name,Given Name,Family Name,Mail,Rolle',
    'Schule,Klasse,Vorname,Surname,E-Mail-Adresse,Role',
    'Schulname,Klassenname,Vorname,Nachname,Email Address,Rolle',
  ])('has columns in English and German: %s', async (header) => {
    const roster = await readRoster(fileOf('list.csv', `${header}\nA,5a,Mia,Kurz,mia@a.example,Teacher\n`), OPTIONS);
    expect(roster).toMatchObject({ problems: [], isPlain: true, format: 'plain list' });
    expect([...roster.people.values()]).toMatchObject([
      { firstName: 'Mia', lastName: 'Kurz', email: 'mia@a.example', role: 'teacher' },
    ]);
    expect([...roster.classes.values()]).toMatchObject([{ title: '5a' }]);
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
    const titled = fileOf('list.csv', 'Klasse 5a\nschool,class,first-name,last-name\nA,5a,Mia,B\n');
    expect((await readRoster(titled, OPTIONS)).problems).toMatchObject([
      { where: `${titled} line 1`, message: expect.stringContaining('the header seems to be in line 2') },
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
});
