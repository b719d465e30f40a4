/** Each format of rosters: the same school as each of them writes it, and what is special about each. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { group } from '../../../../src/commands/roster/index.js';
import { isWant, readRoster } from '../../../../src/plan/roster/read-roster.js';
import { filesOf, SCHOOL_FORMATS, type SchoolModel } from '../../../support/roster-formats.js';
import { temporaryFolder } from '../../../support/run.js';
import { zipOf } from '../../../support/zip-file.js';

const FORMATS = Object.keys(SCHOOL_FORMATS) as (keyof typeof SCHOOL_FORMATS)[];
const OPTIONS = { on: '2026-11-22', reading: undefined };

const MODEL: SchoolModel = {
  school: 'Gymnasium',
  people: [
    { id: '1', role: 'teacher', first: 'Noor', last: 'Smit', email: 'noor@g.example' },
    { id: '2', role: 'teacher', first: 'Tom', last: 'Vos', email: 'tom@g.example' },
    { id: '3', role: 'student', first: 'Mia', last: 'Brandt', email: 'mia@g.example' },
    { id: '4', role: 'student', first: 'Jan', last: 'Öz', email: 'jan@g.example' },
  ],
  classes: [
    { id: 'a', title: '5a', ends: '2027-07-31' },
    { id: 'b', title: '6a', ends: '2026-07-31' },
  ],
  members: [
    ['a', '1'],
    ['a', '2'],
    ['a', '3'],
    ['b', '4'],
  ],
};

function folderOf(files: Readonly<Record<string, string>>, inner = ''): string {
  const folder = join(temporaryFolder(), 'roster');
  mkdirSync(join(folder, inner), { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, inner, name), content);
  return folder;
}
const read = (files: Readonly<Record<string, string>>) => readRoster(folderOf(files), OPTIONS);
/** Changes lines of a file. */
const edited = (files: Readonly<Record<string, string>>, name: string, change: (text: string) => string) => ({
  ...files,
  [name]: change(files[name] ?? ''),
});

test('every format is tested with the school below', () => {
  const files = readdirSync('src/plan/roster/formats');
  expect(FORMATS, `write the school in each of ${files.join(', ')}: test/support/roster-formats.ts`).toHaveLength(
    files.length,
  );
});

test.each(FORMATS)('help, guide and hint name %s', async (format) => {
  const [name = ''] = format.split(/ (?:CSV|V?[\d.]+)$/);
  expect(group.details, `name ${name} in src/commands/roster/index.ts`).toContain(name);
  expect(readFileSync('docs/guides/rosters.md', 'utf8'), `name ${name} in docs/guides/rosters.md`).toContain(name);
  await expect(read({ 'a.csv': 'a\n', 'b.csv': 'b\n' })).rejects.toMatchObject({ hint: expect.stringContaining(name) });
});

describe.each(FORMATS)('%s', (format) => {
  const files = filesOf(format, MODEL);

  test('is recognized, and has the schools, people and classes of the others', async () => {
    const roster = await read(files);
    expect([roster.format, roster.problems]).toEqual([format, []]);
    expect(roster.modes).toEqual({ people: 'bulk', memberships: 'bulk' });
    expect([...roster.schools.values()].map(({ name }) => name)).toEqual(['Gymnasium']);
    const people = [...roster.people.values()].map((one) => [one.firstName, one.lastName, one.email, one.role]);
    expect(people.sort()).toEqual([
      ['Jan', 'Öz', 'jan@g.example', 'student'],
      ['Mia', 'Brandt', 'mia@g.example', 'student'],
      ['Noor', 'Smit', 'noor@g.example', 'teacher'],
      ['Tom', 'Vos', 'tom@g.example', 'teacher'],
    ]);
    const names = new Map([...roster.people.values()].map(({ sourcedId, firstName }) => [sourcedId, firstName]));
    const members = roster.memberships.map(({ class: name, person }) => [name, names.get(person)]);
    expect(members.sort()).toEqual([
      ['a', 'Mia'],
      ['a', 'Noor'],
      ['a', 'Tom'],
      ['b', 'Jan'],
    ]);
  });

  test('leaves out classes whose terms have ended, and counts them', async () => {
    const { classes, notes } = await read(files);
    expect([...classes.values()].map(({ title, state }) => [title, state])).toEqual([
      ['5a', 'active'],
      ['6a', 'out'],
    ]);
    expect(notes).toContainEqual(expect.stringContaining('a class whose terms have ended: '));
    const before = await readRoster(folderOf(files), { ...OPTIONS, on: '2026-07-31' });
    expect(before.classes.get('b')?.state).toBe('active');
  });

  test('reads neither passwords nor further addresses, and opens no demographics', async () => {
    const { people } = await read({ ...files, 'demographics.csv': '"never closed' });
    expect(JSON.stringify([...people.values()])).not.toMatch(/secret|at@home/);
  });

  test('is no wanted state, and may be in a folder within a folder or archive', async () => {
    expect(await isWant(folderOf(files))).toBe(false);
    const inner = folderOf({ ...files, '._users.csv': 'x' }, 'export');
    writeFileSync(join(inner, 'roster-map.csv'), 'kind,sourcedId,id\n');
    expect((await readRoster(inner, OPTIONS)).people.size).toBe(4);
    const entries = Object.entries(files).map(([name, content]) => [`export/${name}`, content] as const);
    const path = join(temporaryFolder(), 'a.zip');
    writeFileSync(path, zipOf({ ...Object.fromEntries(entries), '__MACOSX/._users.csv': 'x' }));
    expect((await readRoster(path, OPTIONS)).people.size).toBe(4);
  });
});

const PERSON = 'SIS ID!, School SIS ID!, First Name, Last Name, Username, Status';
const TEACHERS = ['Teacher_id', ...Array.from({ length: 9 }, (_, index) => `Teacher_${index + 2}_id`)].join(', ');
/** The files of each format and the columns that are read, both with `!` if they must be there. */
const COLUMNS: Readonly<Record<keyof typeof SCHOOL_FORMATS, readonly string[]>> = {
  'OneRoster 1.1': [
    'orgs: sourcedId!, name!, type!, status',
    'academicSessions: sourcedId!, endDate!, status',
    'roles: userSourcedId!, role!, orgSourcedId!, sourcedId, status, roleType, beginDate, endDate',
    'users: sourcedId!, givenName!, familyName!, preferredGivenName, preferredFamilyName, status, enabledUser, orgSourcedIds, primaryOrgSourcedId, role, username, identifier, email',
    'classes: sourcedId!, title!, schoolSourcedId!, status, subjects, subjectCodes, termSourcedIds',
    'enrollments: classSourcedId!, userSourcedId!, sourcedId, status, beginDate, endDate',
  ],
  'School Data Sync V1': [
    'school!: SIS ID!, Name!',
    `student!: ${PERSON}, Student Number`,
    `teacher!: ${PERSON}, Teacher Number`,
    'section!: SIS ID!, School SIS ID!, Section Name!, Course Subject, Term EndDate, Status',
    'studentenrollment!: Section SIS ID!, SIS ID!',
    'teacherroster!: Section SIS ID!, SIS ID!',
  ],
  'School Data Sync V2.1': [
    'orgs!: sourcedId!, name!, type!',
    'academicSessions: sourcedId!, endDate!',
    'roles!: userSourcedId!, orgSourcedId!, role!, isPrimary, roleStartDate, roleEndDate',
    'users!: sourcedId!, username!, givenName, familyName, email',
    'classes: sourcedId!, orgSourcedId!, title!, sessionSourcedIds',
    'enrollments: classSourcedId!, userSourcedId!, status',
  ],
  'Clever CSV': [
    'schools!: School_id!, School_name!',
    'students!: Student_id!, School_id!, First_name!, Last_name!, Student_email, Username, Student_number',
    'teachers!: Teacher_id!, School_id!, First_name!, Last_name!, Teacher_email, Username, Teacher_number',
    'staff: Staff_id!, School_id!, First_name!, Last_name!, Staff_email, Username',
    `sections!: Section_id!, School_id!, Name, Course_name, Subject, Term_end, ${TEACHERS}`,
    'enrollments!: Section_id!, Student_id!',
  ],
};

const problemsOf = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> =>
  (await read(files)).problems.map(({ where, message }) => `${where} ${message}`);

test.each(Object.entries(COLUMNS))('%s has these files and columns', async (format, tables) => {
  const files = Object.fromEntries(
    Object.entries(filesOf(format as keyof typeof COLUMNS, MODEL)).map(([name, text]) => [name.toLowerCase(), text]),
  );
  const found: string[] = [];
  for (const table of tables) {
    const [name = '', list = ''] = table.replaceAll('!', '').split(': ');
    const file = `${name.toLowerCase()}.csv`;
    const columns = [...list.split(', '), 'password', 'sms', 'phone', 'Secondary Email'];
    const { [file]: _, ...others } = files;
    const without = await problemsOf(others);
    expect(without.filter((problem) => problem.includes('undefined'))).toEqual([]);
    const isNeeded = without.includes(`${file} is missing`);
    const missing = await problemsOf({ ...files, [file]: 'password\nx\n' });
    const damaged = columns.map((_, place) => columns.map((__, at) => (at === place ? '#N/A' : '')).join(','));
    const { rows } = (await read({ ...files, [file]: `${[columns.join(','), ...damaged].join('\n')}\n` })).findings;
    const used = columns.flatMap((column, at) => {
      const isRequired = missing.includes(`${file} line 1 has no column ${column}`);
      const isRead = rows.get(`${file} line ${at + 2}`)?.some((why) => why.startsWith('is #N/A'));
      return isRead ? `${column}${isRequired ? '!' : ''}` : [];
    });
    found.push(`${name}${isNeeded ? '!' : ''}: ${used.join(', ')}`);
  }
  expect(found).toEqual(tables);
});

test.each([
  ['Clever CSV', 'sections', 'x'],
  ['Clever CSV', 'students', 'Student_id'],
  ['Clever CSV', 'enrollments', 'Section_id'],
  ['School Data Sync V1', 'studentEnrollment', 'x'],
  ['School Data Sync V1', 'teacherRoster', 'x'],
  ['School Data Sync V1', 'student', 'School SIS ID'],
  ['School Data Sync V1', 'section', 'School SIS ID'],
  ['OneRoster 1.1', 'manifest', 'x'],
  ['OneRoster 1.1', 'classes', 'schoolSourcedId'],
  ['OneRoster 1.1', 'users', 'orgSourcedIds'],
  ['OneRoster 1.1', 'users', 'enabledUser'],
  ['OneRoster 1.2', 'roles', 'roleType'],
  ['School Data Sync V2.1', 'classes', 'orgSourcedId'],
  ['School Data Sync V2.1', 'roles', 'userSourcedId'],
  ['OneRoster 1.1', 'orgs', 'x'],
  ['OneRoster 1.1', 'enrollments', 'x'],
])('%s is recognized by %s.csv with a column %s', async (format, name, column) => {
  expect((await read({ [`${name}.csv`]: `${column}\n` })).format).toBe(format);
});

test('refuses tables in several folders', async () => {
  const folder = folderOf(filesOf('Clever CSV', MODEL), 'a');
  mkdirSync(join(folder, 'b'));
  writeFileSync(join(folder, 'b', 'users.csv'), 'sourcedId\n1\n');
  await expect(readRoster(folder, OPTIONS)).rejects.toThrow('it has tables in several folders: a, b.');
});

test.each([
  ['Clever CSV', 'schools', 'students', 'Student_id is not unique: 3'],
  ['Clever CSV', 'schools', 'teachers', 'Teacher_id is not unique: 1'],
  ['School Data Sync V1', 'School', 'Student', 'SIS ID is not unique: 3'],
  ['School Data Sync V1', 'School', 'Teacher', 'SIS ID is not unique: 1'],
] as const)('%s has a row of a person for each school: %s, %s', async (format, schools, people, problem) => {
  const file = `${people}.csv`;
  const again = (text: string) => `${text}${text.split('\n')[1]?.replace('g1', 'g2')}\n`;
  const two = edited(edited(filesOf(format, MODEL), `${schools}.csv`, again), file, again);
  const roster = await read(two);
  expect([roster.problems, new Set([...roster.people.values()].map(({ school }) => school))]).toEqual([
    [],
    new Set(['g1']),
  ]);
  expect(roster.notes).toContain(`a person in several organizations; the first one is used: ${file} line 4`);
  const other = edited(two, file, (text) => text.replace(/(g2.*)(Mia|Noor)/, '$1Other'));
  expect((await read(other)).problems).toEqual([{ where: `${file} line 4`, message: problem }]);
});

describe('Clever', () => {
  const files = filesOf('Clever CSV', MODEL);

  test('has up to ten teachers of a section, and reports one that is missing', async () => {
    const people = Array.from({ length: 11 }, (_, index) => ({
      id: `9${index}`,
      role: 'teacher' as const,
      first: `A${index}`,
      last: 'B',
      email: `a${index}@g.example`,
    }));
    const members = people.slice(0, 10).map(({ id }) => ['a', id] as const);
    const many = filesOf('Clever CSV', {
      ...MODEL,
      people: [...people, ...MODEL.people.slice(2)],
      members: [...members, ['a', '3']],
    });
    expect((await read(many)).memberships).toHaveLength(11);
    const { problems } = await read(
      edited(many, 'sections.csv', (text) => text.replace('g1,a,90,91,92', 'g1,a,90,91,77')),
    );
    expect(problems).toEqual([{ where: 'sections.csv line 2', message: 'Teacher_3_id 77 is not in teachers.csv' }]);
  });

  test('tells a student from a teacher or staff of the same number', async () => {
    const staff =
      'School_id,Staff_id,Staff_email,First_name,Last_name\ng1,3,office@g.example,Ada,Amt\n,4,d@g.example,Di,St\n';
    const { people, problems, notes } = await read({ ...files, 'staff.csv': staff });
    expect(problems).toEqual([]);
    expect(people.get('student:3')?.firstName).toBe('Mia');
    expect(people.get('staff:3')).toMatchObject({ firstName: 'Ada', role: 'staff', state: 'active' });
    expect(people.get('staff:4')?.state).toBe('out');
    expect(notes).toContain('a person without a school: staff.csv line 3');
  });
});

describe('School Data Sync', () => {
  test('V1 may lack names, and has user names with and without a domain', async () => {
    const files = edited(filesOf('School Data Sync V1', MODEL), 'Student.csv', (text) =>
      text.replace('Mia,Brandt,mia@g.example', ',,mia').replace('Jan,Öz', ','),
    );
    const { people, problems } = await read(files);
    expect(problems).toEqual([]);
    expect(people.get('student:3')).toMatchObject({ firstName: undefined, username: 'mia', email: undefined });
    expect(people.get('student:4')).toMatchObject({ lastName: undefined, email: 'jan@g.example' });
  });

  test('V1 has dates of either form, and sections that are not active', async () => {
    const files = edited(filesOf('School Data Sync V1', MODEL), 'Section.csv', (text) =>
      text.replace('7/31/2026,Biology,Active', '20270731,Biology,Inactive'),
    );
    const { classes, problems } = await read(files);
    expect([problems, classes.get('b')?.state]).toEqual([[], 'gone']);
  });

  test('V2.1 prefers the address to the user name, and has schools of other types and roles of its own', async () => {
    const whole = filesOf('School Data Sync V2.1', MODEL);
    const users = (text: string) => text.replace('secret,,,', 'secret,,noor.smit@g.example,');
    const roles = (text: string) =>
      text.replace('1,g1,teacher', '1,g1,faculty').replace('4,g1,student', '4,g0,student');
    const orgs = (text: string) => `${text.replace('school', 'college')}g0,Region,region,\n`;
    const files = edited(edited(edited(whole, 'users.csv', users), 'roles.csv', roles), 'orgs.csv', orgs);
    const { people, schools, problems } = await read(files);
    expect([problems, [...schools.keys()]]).toEqual([[], ['g1']]);
    expect(people.get('1')).toMatchObject({ email: 'noor.smit@g.example', role: 'faculty' });
    expect(people.get('4')?.state).toBe('out');
  });

  test('V2.1 may have people only', async () => {
    const { 'classes.csv': _, 'enrollments.csv': __, ...files } = filesOf('School Data Sync V2.1', MODEL);
    const roster = await read(files);
    expect([roster.format, roster.problems, roster.modes.memberships]).toEqual(['School Data Sync V2.1', [], 'delta']);
  });
});
