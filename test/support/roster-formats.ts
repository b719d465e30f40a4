/** One school as each roster format writes it, from the public field lists of the formats. */
import { csvFiles, manifest, type RosterTables } from './roster-files.js';

export interface SchoolModel {
  readonly school: string;
  readonly people: readonly {
    readonly id: string;
    readonly role: 'student' | 'teacher';
    readonly first: string;
    readonly last: string;
    readonly email: string;
  }[];
  readonly classes: readonly { readonly id: string; readonly title: string; readonly ends: string }[];
  /** Class and person. */
  readonly members: readonly (readonly [name: string, person: string])[];
}

const american = (day: string): string => {
  const [year, month, date] = day.split('-').map(Number);
  return `${month}/${date}/${year}`;
};

type Table = readonly (readonly string[])[];

const ofRole = ({ people }: SchoolModel, role: string) => people.filter((person) => person.role === role);
const roleOf = ({ people }: SchoolModel, id: string): string => people.find((one) => one.id === id)?.role ?? '';
const terms = ({ classes }: SchoolModel): Table =>
  [...new Set(classes.map(({ ends }) => ends))].map((end) => [end, end]);

function oneRoster(model: SchoolModel): RosterTables {
  const { school, people, classes, members } = model;
  const bulk = { orgs: 'bulk', academicSessions: 'bulk', users: 'bulk', classes: 'bulk', enrollments: 'bulk' };
  return {
    manifest: manifest('1.1', bulk),
    orgs: [
      ['sourcedId', 'status', 'name', 'type'],
      ['g1', 'active', school, 'school'],
    ],
    academicSessions: [
      ['sourcedId', 'title', 'type', 'startDate', 'endDate'],
      ...terms(model).map(([id = '', end = '']) => [id, 'Term', 'term', '2020-08-01', end]),
    ],
    users: [
      ['sourcedId', 'enabledUser', 'orgSourcedIds', 'role', 'username', 'givenName', 'familyName', 'email', 'password'],
      ...people.map(({ id, role, first, last, email }) => [id, 'true', 'g1', role, id, first, last, email, 'secret']),
    ],
    classes: [
      ['sourcedId', 'title', 'schoolSourcedId', 'termSourcedIds', 'subjects'],
      ...classes.map(({ id, title, ends }) => [id, title, 'g1', ends, 'Biology']),
    ],
    enrollments: [
      ['classSourcedId', 'userSourcedId', 'role'],
      ...members.map(([name, person]) => [name, person, roleOf(model, person)]),
    ],
  };
}

function sds2(model: SchoolModel): RosterTables {
  const { school, people, classes, members } = model;
  return {
    orgs: [
      ['sourcedId', 'name', 'type', 'parentSourcedId'],
      ['g1', school, 'school', ''],
    ],
    users: [
      ['sourcedId', 'username', 'givenName', 'familyName', 'password', 'activeDirectoryMatchId', 'email', 'phone'],
      ...people.map(({ id, first, last, email }) => [id, email, first, last, 'secret', '', '', '']),
    ],
    roles: [
      [
        'userSourcedId',
        'orgSourcedId',
        'role',
        'sessionSourcedId',
        'grade',
        'isPrimary',
        'roleStartDate',
        'roleEndDate',
      ],
      ...people.map(({ id, role }) => [id, 'g1', role, '', '', 'true', '', '']),
    ],
    classes: [
      ['sourcedId', 'orgSourcedId', 'title', 'sessionSourcedIds', 'courseSourcedId', 'code'],
      ...classes.map(({ id, title, ends }) => [id, 'g1', title, ends, '', '']),
    ],
    enrollments: [
      ['classSourcedId', 'userSourcedId', 'role'],
      ...members.map(([name, person]) => [name, person, roleOf(model, person)]),
    ],
    academicSessions: [
      ['sourcedId', 'title', 'type', 'schoolYear', 'startDate', 'endDate'],
      ...terms(model).map(([id = '', end = '']) => [id, 'Term', 'term', '2026', '2020-08-01', end]),
    ],
  };
}

function sds1(model: SchoolModel): RosterTables {
  const { school, classes, members } = model;
  const people = (role: string): Table => [
    ['SIS ID', 'School SIS ID', 'First Name', 'Last Name', 'Username', 'Password', 'Secondary Email'],
    ...ofRole(model, role).map(({ id, first, last, email }) => [
      id,
      'g1',
      first,
      last,
      email,
      'secret',
      'at@home.example',
    ]),
  ];
  const membersOf = (role: string): Table => [
    ['Section SIS ID', 'SIS ID'],
    ...members.filter(([, person]) => roleOf(model, person) === role),
  ];
  return {
    School: [
      ['SIS ID', 'Name'],
      ['g1', school],
    ],
    Student: people('student'),
    Teacher: people('teacher'),
    Section: [
      ['SIS ID', 'School SIS ID', 'Section Name', 'Term EndDate', 'Course Subject', 'Status'],
      ...classes.map(({ id, title, ends }) => [id, 'g1', title, american(ends), 'Biology', 'Active']),
    ],
    StudentEnrollment: membersOf('student'),
    TeacherRoster: membersOf('teacher'),
  };
}

function clever(model: SchoolModel): RosterTables {
  const { school, classes, members } = model;
  const people = (role: 'Student' | 'Teacher'): Table => [
    ['School_id', `${role}_id`, `${role}_number`, 'First_name', 'Last_name', `${role}_email`, 'Username', 'Password'],
    ...ofRole(model, role.toLowerCase()).map(({ id, first, last, email }) => [
      'g1',
      id,
      '',
      first,
      last,
      email,
      id,
      'secret',
    ]),
  ];
  const TEACHERS = ['Teacher_id', ...Array.from({ length: 9 }, (_, index) => `Teacher_${index + 2}_id`)];
  return {
    schools: [
      ['School_id', 'School_name', 'School_number'],
      ['g1', school, '1'],
    ],
    students: people('Student'),
    teachers: people('Teacher'),
    sections: [
      ['School_id', 'Section_id', ...TEACHERS, 'Name', 'Course_name', 'Subject', 'Term_start', 'Term_end'],
      ...classes.map(({ id, title, ends }) => {
        const teachers = members.flatMap(([name, who]) =>
          name === id && roleOf(model, who) === 'teacher' ? [who] : [],
        );
        const cells = TEACHERS.map((_, index) => teachers[index] ?? '');
        return ['g1', id, ...cells, title, 'Course', 'Biology', '8/1/2020', american(ends)];
      }),
    ],
    enrollments: [
      ['School_id', 'Section_id', 'Student_id'],
      ...members.filter(([, who]) => roleOf(model, who) === 'student').map(([name, who]) => ['g1', name, who]),
    ],
  };
}

/** The tables of a school by format, and the name of the format in `edu roster check`. */
export const SCHOOL_FORMATS = {
  'OneRoster 1.1': oneRoster,
  'School Data Sync V1': sds1,
  'School Data Sync V2.1': sds2,
  'Clever CSV': clever,
} as const satisfies Record<string, (model: SchoolModel) => RosterTables>;

export const filesOf = (format: keyof typeof SCHOOL_FORMATS, model: SchoolModel): Readonly<Record<string, string>> =>
  csvFiles(SCHOOL_FORMATS[format](model));
