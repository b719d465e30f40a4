/** Test rosters written from the OneRoster specifications. */

type Table = readonly (readonly string[])[];
export type RosterTables = Readonly<Record<string, Table>>;

const text = (table: Table): string =>
  table
    .map((cells) => cells.map((cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(','))
    .map((line) => `${line}\n`)
    .join('');

/** A manifest with the modes of these files. */
export const manifest = (version: string, modes: Readonly<Record<string, string>>): Table => [
  ['propertyName', 'value'],
  ['manifest.version', '1.0'],
  ['oneroster.version', version],
  ...Object.entries(modes).map(([file, mode]) => [`file.${file}`, mode]),
];

export const csvFiles = (tables: RosterTables): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(tables).map(([name, table]) => [`${name}.csv`, text(table)]));

const USERS_11 = [
  ...['sourcedId', 'status', 'dateLastModified', 'enabledUser', 'orgSourcedIds', 'role', 'username', 'userIds'],
  ...['givenName', 'familyName', 'middleName', 'identifier', 'email', 'sms', 'phone', 'agentSourcedIds', 'grades'],
  'password',
];

/** A row of users.csv 1.1. */
export const user11 = (id: string, school: string, role: string, first: string, last: string, email = ''): string[] => [
  ...[id, '', '', 'true', school, role, first.toLowerCase(), '', first, last, '', `nr-${id}`, email, '', '', '', ''],
  'secret',
];

const BULK = {
  orgs: 'bulk',
  users: 'bulk',
  classes: 'bulk',
  enrollments: 'bulk',
  demographics: 'bulk',
  courses: 'absent',
};

/** A small school in 1.1: two teachers, three pupils of whom one has no address, two classes. */
export const SMALL_11: RosterTables = {
  manifest: manifest('1.1', BULK),
  orgs: [
    ['sourcedId', 'status', 'dateLastModified', 'name', 'type', 'identifier', 'parentSourcedId'],
    ['d1', '', '', 'District', 'district', '', ''],
    ['g1', '', '', 'Gymnasium am Kirchplatz', 'school', '', 'd1'],
  ],
  users: [
    USERS_11,
    user11('t1', 'g1', 'teacher', 'Noor', 'Smit', 'noor@g1.example'),
    user11('t2', 'g1', 'teacher', 'Tom', 'Vos', 'tom@g1.example'),
    user11('p1', 'g1', 'student', 'Mia', 'Brandt', 'mia@g1.example'),
    user11('p2', 'g1', 'student', 'Jan', 'Öz', 'jan@g1.example'),
    user11('p3', 'g1', 'student', 'Lea', 'Kurz'),
    user11('x1', 'g1', 'parent', 'Eva', 'Brandt', 'eva@g1.example'),
  ],
  classes: [
    ['sourcedId', 'status', 'dateLastModified', 'title', 'courseSourcedId', 'classType', 'schoolSourcedId', 'subjects'],
    ['c5a', '', '', '5a', 'k', 'homeroom', 'g1', 'Mathematics'],
    ['c7b', '', '', '7b', 'k', 'homeroom', 'g1', 'Mathematics'],
  ],
  enrollments: [
    [
      'sourcedId',
      'status',
      'dateLastModified',
      'classSourcedId',
      'schoolSourcedId',
      'userSourcedId',
      'role',
      'beginDate',
      'endDate',
    ],
    ['e1', '', '', 'c5a', 'g1', 't1', 'teacher', '', ''],
    ['e2', '', '', 'c5a', 'g1', 'p1', 'student', '2026-08-01T00:00:00Z', ''],
    ['e3', '', '', 'c7b', 'g1', 'p2', 'student', '2026-08-01', '2027-07-31'],
    ['e4', '', '', 'c7b', 'g1', 'p3', 'student', '', ''],
    ['e5', '', '', 'c7b', 'g1', 't2', 'teacher', '2020-08-01', '2021-07-31'],
    ['e6', '', '', 'c7b', 'g1', 't1', 'teacher', '2030-08-01', ''],
  ],
  demographics: [
    ['sourcedId', 'birthDate'],
    ['p1', '2014-01-01'],
  ],
};

/** The same school in 1.2: roles in a separate file. */
export const SMALL_12: RosterTables = {
  ...SMALL_11,
  manifest: manifest('1.2', { ...BULK, roles: 'bulk' }),
  users: [
    [
      'sourcedId',
      'enabledUser',
      'username',
      'givenName',
      'familyName',
      'identifier',
      'email',
      'preferredGivenName',
      'primaryOrgSourcedId',
    ],
    ...(SMALL_11.users ?? [])
      .slice(1)
      .map(([id = '', , , , org = '', , name = '', , first = '', last = '', , nr = '', email = '']) => [
        ...[id, 'true', name, id === 'p1' ? 'Maria' : first, last, nr, email, id === 'p1' ? first : '', org],
      ]),
  ],
  roles: [
    ['sourcedId', 'userSourcedId', 'roleType', 'role', 'beginDate', 'endDate', 'orgSourcedId'],
    ...(SMALL_11.users ?? [])
      .slice(1)
      .map(([id = '', , , , org = '', role = '']) => [`r${id}`, id, 'primary', role, '', '', org]),
    ['rt1b', 't1', 'secondary', 'administrator', '', '', 'd1'],
  ],
};

export const DELTA = { orgs: 'absent', users: 'delta', classes: 'absent', enrollments: 'delta' };
