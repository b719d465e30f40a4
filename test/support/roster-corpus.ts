/** Rosters as other systems export them, each with the resulting plan or problems. */
import { csvFiles, DELTA, manifest, type RosterTables, SMALL_11, SMALL_12, user11 } from './roster-files.js';

export interface CorpusEntry {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** Lines of the plan. */
  readonly plan?: readonly string[];
  /** File, line and message of each problem. */
  readonly problems?: readonly string[];
  /** Rows that cannot be used. */
  readonly failed?: readonly string[];
  /** Data that is left out. */
  readonly notes?: readonly string[];
  /** Rows of the map in addition to those of the small school. */
  readonly map?: readonly (readonly [kind: 'school' | 'user' | 'class', sourcedId: string, id: string])[];
}

const [HEAD = []] = SMALL_11.users ?? [];
const [ENROLLMENT = []] = SMALL_11.enrollments ?? [];
const [CLASS = []] = SMALL_11.classes ?? [];
const [ORG = []] = SMALL_11.orgs ?? [];
const rows = (file: string): readonly (readonly string[])[] => (SMALL_11[file] ?? []).slice(1);
const enrollment = (id: string, name: string, person: string, status = '', begin = '', end = ''): readonly string[] => [
  ...[id, status, '', name, 'g1', person, 'student', begin, end],
];
const className = (id: string, title: string, school = 'g1', subject = 'Mathematics'): readonly string[] => [
  ...[id, '', '', title, 'k', 'homeroom', school, subject],
];
const NO_ADDRESS = 'left out: a person without an e-mail address: users.csv line 6';
const PARENT = 'a person who is in no class (parent): users.csv line 7';
const DISTRICT = 'an organization that is not a school (district): orgs.csv line 2';
const ENDED = 'a membership that has ended: enrollments.csv line 6';
const FUTURE = 'a membership that has not begun: enrollments.csv line 7';
const NOTES = [DISTRICT, PARENT, ENDED, FUTURE, NO_ADDRESS];

/** Mia is known and in 5a, Noor is known, Zoe has left the school. */
const SMALL_PLAN = [
  '+ user jan@g1.example',
  '+ user tom@g1.example Teacher',
  '~ user mia@g1.example firstName Maria → Mia',
  '+ class 7b Mathematics',
  '+ member 5a  noor@g1.example',
  '+ member 7b  jan@g1.example',
  '- member 5a  zoe@g1.example',
];

const gone = (row: readonly string[]): readonly string[] => [row[0] ?? '', 'tobedeleted', ...row.slice(2)];
const without = (file: string): RosterTables =>
  Object.fromEntries(Object.entries(SMALL_11).filter(([name]) => name !== file));
const broken = (name: string, tables: RosterTables, ...problems: string[]): CorpusEntry => ({
  name,
  files: csvFiles(tables),
  problems,
});

const MESSY = csvFiles({
  ...SMALL_11,
  orgs: [ORG, ...rows('orgs'), ['g9', '', '', 'School without people', 'school', '', 'd1']],
  users: [
    [...HEAD.map((name) => name.toUpperCase()), 'ext_bus', 'metadata.shoe'],
    ...rows('users').map((row) => [...row, '7', '38']),
    [...(rows('users')[2] ?? []), '7', '38'],
    [...user11('t9', 'd1,g1', 'Teacher', ' Uma ', 'Rot', 'UMA@g1.example'), '', ''],
    [...user11('t8', 'd1', 'administrator', 'Ada', 'Amt'), '', ''],
  ],
  enrollments: [
    ENROLLMENT,
    ...rows('enrollments'),
    enrollment('e9', 'c5a', 't9', 'active', '2026-08-01T07:30:00.000Z'),
  ],
});

export const CORPUS: readonly CorpusEntry[] = [
  { name: '1.1', files: csvFiles(SMALL_11), plan: SMALL_PLAN, notes: NOTES },
  {
    name: '1.2, with a preferred name',
    files: csvFiles(SMALL_12),
    plan: SMALL_PLAN,
    notes: [
      DISTRICT,
      'a person in several organizations; the primary one is used: users.csv line 2',
      ...NOTES.slice(1),
    ],
  },
  {
    name: '1.1 with a byte order mark, CRLF, shouted headers, extra columns, repeated rows and district staff',
    files: { ...MESSY, 'users.csv': `\ufeff${(MESSY['users.csv'] ?? '').replaceAll('\n', '\r\n')}` },
    plan: [
      '+ user UMA@g1.example Teacher',
      ...SMALL_PLAN.slice(0, 4),
      '+ member 5a  UMA@g1.example',
      ...SMALL_PLAN.slice(4),
    ],
    notes: [
      DISTRICT,
      'an extension column, which is not read: 2 times, first users.csv ext_bus',
      PARENT,
      'a row that repeats an earlier one: users.csv line 8',
      'a person in several organizations; the primary one is used: users.csv line 9',
      'a person whose organization is not a school: users.csv line 10',
      ENDED,
      FUTURE,
      NO_ADDRESS,
    ],
  },
  {
    name: '1.1 with two classes of one name, told apart by subject',
    files: csvFiles({
      ...SMALL_11,
      classes: [CLASS, ...rows('classes'), className('c7c', '7b', 'g1', 'Biology')],
      enrollments: [ENROLLMENT, ...rows('enrollments'), enrollment('e9', 'c7c', 'p1')],
    }),
    plan: [
      ...SMALL_PLAN.slice(0, 3),
      '+ class 7b Biology',
      '+ class 7b Mathematics',
      '+ member 5a  noor@g1.example',
      '+ member 7b  mia@g1.example',
      ...SMALL_PLAN.slice(5),
    ],
    notes: NOTES,
  },
  {
    name: '1.1 with mixed status: deleted and disabled people leave, deleted memberships do not count',
    files: csvFiles({
      ...SMALL_11,
      users: [
        HEAD,
        ...rows('users').map((row) =>
          row[0] === 't1' ? gone(row) : row[0] === 'p1' ? [...row.slice(0, 3), 'false', ...row.slice(4)] : row,
        ),
      ],
      enrollments: [ENROLLMENT, ...rows('enrollments'), enrollment('e9', 'c7b', 't2', 'tobedeleted')],
    }),
    plan: [
      '+ user jan@g1.example',
      '+ user tom@g1.example Teacher',
      '+ class 7b Mathematics',
      '+ member 7b  jan@g1.example',
      '- member 5a  mia@g1.example',
      '- member 5a  zoe@g1.example',
      '- member 6a  noor@g1.example',
    ],
    notes: NOTES,
  },
  {
    name: 'a delta: one person leaves, one ends a class and begins another, one is new',
    files: csvFiles({
      manifest: manifest('1.1', DELTA),
      users: [
        HEAD,
        gone(user11('t1', 'g1', 'teacher', 'Noor', 'Smit', 'noor@g1.example')),
        user11('p8', 'g1', 'student', 'Neu', 'Ling', 'neu@g1.example'),
      ],
      enrollments: [
        ENROLLMENT,
        enrollment('e2', 'c5a', 'p1', 'active', '', '2026-11-01'),
        enrollment('e8', 'c6a', 'p1', 'active'),
        enrollment('e9', 'c6a', 'p8', 'active', '2026-11-01T00:00:00Z'),
      ],
    }),
    map: [
      ['school', 'g1', 's1'],
      ['user', 'p1', 'mia'],
      ['class', 'c5a', 'c1'],
      ['class', 'c6a', 'c2'],
    ],
    plan: [
      '+ user neu@g1.example',
      '+ member 6a  mia@g1.example',
      '+ member 6a  neu@g1.example',
      '- member 5a  mia@g1.example',
      '- member 6a  noor@g1.example',
    ],
    notes: ['a membership that has ended: enrollments.csv line 2'],
  },
  {
    name: '1.1 with a person of a new ID, and a deleted class: what is marked for deletion counts as absent',
    files: csvFiles({
      ...SMALL_11,
      users: [HEAD, ...rows('users'), gone(user11('p0', 'g1', 'student', 'Mia', 'Brandt', 'mia@g1.example'))],
      classes: [CLASS, ...rows('classes'), gone(className('c6a', '6a'))],
      enrollments: [ENROLLMENT, ...rows('enrollments'), enrollment('e8', 'c7b', 'p0'), enrollment('e9', 'c6a', 't1')],
    }),
    map: [
      ['user', 'p0', 'mia'],
      ['class', 'c6a', 'c2'],
    ],
    plan: [...SMALL_PLAN, '- member 6a  noor@g1.example'],
    notes: [
      ...NOTES.slice(0, 4),
      NO_ADDRESS,
      'not deleted: a class that is marked for deletion (edu classes delete): classes.csv line 4',
    ],
  },
  {
    name: 'a delta with a person of a new ID in the same class, and a deleted class',
    files: csvFiles({
      manifest: manifest('1.1', { ...DELTA, classes: 'delta' }),
      users: [
        HEAD,
        gone(user11('p0', 'g1', 'student', 'Mia', 'Brandt', 'mia@g1.example')),
        user11('p1', 'g1', 'student', 'Maria', 'Brandt', 'mia@g1.example'),
      ],
      classes: [CLASS, gone(className('c6a', '6a'))],
      enrollments: [
        ENROLLMENT,
        enrollment('e1', 'c5a', 'p0', 'tobedeleted'),
        enrollment('e2', 'c5a', 'p1', 'active'),
        enrollment('e3', 'c6a', 't1', 'tobedeleted'),
      ],
    }),
    map: [
      ['school', 'g1', 's1'],
      ['user', 'p0', 'mia'],
      ['user', 't1', 'noor'],
      ['class', 'c5a', 'c1'],
      ['class', 'c6a', 'c2'],
    ],
    plan: ['- member 6a  noor@g1.example'],
    notes: ['not deleted: a class that is marked for deletion (edu classes delete): classes.csv line 2'],
  },
  {
    name: 'a delta in 1.2 without roles: one person leaves, one has a new name, one is in no known school',
    files: csvFiles({
      manifest: manifest('1.2', { ...DELTA, roles: 'absent', enrollments: 'absent' }),
      users: [
        ['sourcedId', 'status', 'enabledUser', 'givenName', 'familyName', 'email', 'primaryOrgSourcedId'],
        ['t1', 'tobedeleted', 'true', 'Noor', 'Smit', 'noor@g1.example', ''],
        ['p1', 'active', 'true', 'Maria', 'Brand', 'mia@g1.example', ''],
        ['p8', 'active', 'true', 'Neu', 'Ling', 'neu@g1.example', ''],
      ],
    }),
    map: [['user', 'p1', 'mia']],
    plan: ['~ user mia@g1.example lastName Brandt → Brand', '- member 6a  noor@g1.example'],
    notes: ['left out: a person without a school: users.csv line 4'],
  },
  {
    name: 'a plain list with German headers',
    files: {
      'liste.csv':
        'Schule;Klasse;Vorname;Nachname;E-Mail;Rolle\n' +
        'Gymnasium am Kirchplatz;5a;Maria;Brandt;mia@g1.example;student\n' +
        'Gymnasium am Kirchplatz;6a;Noor;Smit;noor@g1.example;teacher\n' +
        'Gymnasium am Kirchplatz;5A;Maria;Brandt;MIA@g1.example;student\n',
    },
    plan: ['- member 5a  zoe@g1.example'],
    notes: ['a row that repeats an earlier one: liste.csv line 4'],
  },
  {
    name: 'a plain list with a person of two names, one of whom a later row is wrong, and a row without a person',
    files: {
      'list.csv':
        'school,class,first-name,last-name,email\n' +
        'Gymnasium am Kirchplatz,5a,Bo,Li,bo@g1.example\n' +
        'Gymnasium am Kirchplatz,6a,Bea,Li,bo@g1.example\n' +
        'Gymnasium am Kirchplatz,5a,Al,Li,al@g1.example\n' +
        'Gymnasium am Kirchplatz,#N/A,Al,Li,al@g1.example\n' +
        'Gymnasium am Kirchplatz,5a,,,\n',
    },
    problems: [
      'list.csv line 3: has another name than list.csv line 2: bo@g1.example is Bo Li there',
      'list.csv line 5, column 2 "class": is #N/A, which a spreadsheet writes where a formula failed',
      'list.csv line 6: has no person: its names, email and identifier are missing',
    ],
    plan: [],
    failed: [
      'list.csv line 3: has another name than list.csv line 2: bo@g1.example is Bo Li there; its person is left out: list.csv line 2',
      'list.csv line 2: list.csv line 3 gives bo@g1.example another name, Bea Li',
      'list.csv line 5: is #N/A, which a spreadsheet writes where a formula failed',
      'list.csv line 6: has no person: its names, email and identifier are missing',
      'list.csv line 4: another row about it or its school is left out',
    ],
    notes: [
      'nobody leaves a class of Gymnasium am Kirchplatz: without an address and a full name, this may be anyone: list.csv line 6',
    ],
  },
  broken(
    '1.2 without the roles',
    { ...SMALL_12, manifest: manifest('1.2', { users: 'bulk', roles: 'absent' }) },
    'roles.csv: is missing',
  ),
  broken('1.1 without the users', without('users'), 'users.csv: is missing, but the manifest lists it as bulk'),
  broken(
    '1.1 with a users file that has a header only',
    { ...SMALL_11, users: [HEAD] },
    'users.csv: has no rows; an empty file is never read as removing everything',
    'enrollments.csv line 2: userSourcedId t1 is not in users.csv',
    'enrollments.csv line 3: userSourcedId p1 is not in users.csv',
    'enrollments.csv line 4: userSourcedId p2 is not in users.csv',
    'enrollments.csv line 5: userSourcedId p3 is not in users.csv',
  ),
  broken(
    '1.1 with classes of a school that is missing',
    { ...SMALL_11, classes: [CLASS, ...rows('classes'), className('c8', '8a', 'g7')] },
    'classes.csv line 4: schoolSourcedId g7 is not a school in orgs.csv',
  ),
  broken(
    '1.1 with a school without a name',
    { ...SMALL_11, orgs: [ORG, ['g1', '', '', ' ', 'school', '', '']] },
    'users.csv line 2 and 6 more: school g1 has no name in the roster and no ID in roster-map.csv',
  ),
  {
    ...broken(
      '1.1 with a wrong school, and two people of one ID',
      {
        ...SMALL_11,
        orgs: [ORG, ['g1', 'new', '', 'Gymnasium am Kirchplatz', 'school', '', '']],
        users: [...(SMALL_11.users ?? []).slice(0, 2), user11('t1', 'g1', 'teacher', 'Tom', 'Vos')],
        enrollments: (SMALL_11.enrollments ?? []).slice(0, 2),
      },
      'orgs.csv line 2: status must be active, tobedeleted, inactive or blank, not "new"',
      'users.csv line 3: sourcedId is not unique: t1',
    ),
    failed: [
      'orgs.csv line 2: status must be active, tobedeleted, inactive or blank, not "new"',
      'users.csv line 3: sourcedId is not unique: t1',
      'users.csv line 2: another row about it or its school is left out',
      'enrollments.csv line 2: its person is left out: users.csv line 2; its class is left out: classes.csv line 2',
      'classes.csv line 2: another row about it or its school is left out',
      'classes.csv line 3: another row about it or its school is left out',
    ],
  },
  broken(
    '1.1 with a membership of an unknown class',
    { ...SMALL_11, enrollments: [ENROLLMENT, enrollment('e1', 'c9', 'p1')] },
    'enrollments.csv line 2: classSourcedId c9 is not in classes.csv',
  ),
  {
    ...broken(
      '1.1 with two people of one address',
      {
        ...SMALL_11,
        users: [HEAD, ...['BO', 'Bo'].map((name) => user11(name, 'g1', 'student', name, 'Li', `${name}@g1.example`))],
        enrollments: [ENROLLMENT, enrollment('e1', 'c5a', 'BO')],
      },
      'users.csv line 3: has the e-mail address of users.csv line 2: Bo@g1.example',
    ),
    failed: [
      'users.csv line 3: has the e-mail address of users.csv line 2: Bo@g1.example',
      'users.csv line 2: its e-mail address is that of users.csv line 3, too: Bo@g1.example',
      'enrollments.csv line 2: its person is left out: users.csv line 2',
    ],
  },
  {
    ...broken(
      '1.1 with two classes of one name and subject',
      { ...SMALL_11, classes: [CLASS, ...rows('classes'), className('c9', '5A')] },
      'classes.csv line 4: has the school, name and subject of classes.csv line 2: map both classes in roster-map.csv',
    ),
    failed: [
      'classes.csv line 4: has the school, name and subject of classes.csv line 2: map both classes in roster-map.csv',
      'classes.csv line 2: classes.csv line 4 has its school, name and subject, too: map both classes in roster-map.csv',
      'enrollments.csv line 2: its class is left out: classes.csv line 2',
      'enrollments.csv line 3: its class is left out: classes.csv line 2',
    ],
  },
  {
    name: '1.1 with two classes of one name and subject, which are in the map',
    files: csvFiles({ ...SMALL_11, classes: [CLASS, ...rows('classes'), className('c9', '5A')] }),
    map: [
      ['class', 'c5a', 'c1'],
      ['class', 'c9', 'c2'],
    ],
    plan: [
      ...SMALL_PLAN.slice(0, 4),
      '~ class 6a name 6a → 5A',
      ...SMALL_PLAN.slice(4, 6),
      '- member 6a  noor@g1.example',
      ...SMALL_PLAN.slice(6),
    ],
    notes: NOTES,
  },
  {
    name: '1.1 with a new person without a name',
    files: csvFiles({
      ...SMALL_11,
      users: [HEAD, ...rows('users'), user11('p9', 'g1', 'student', '', 'Li', 'bo@g1.example')],
    }),
    plan: [
      ...SMALL_PLAN,
      '! user bo@g1.example does not exist, and the roster has no first and last name to create it',
    ],
    notes: NOTES,
  },
  {
    ...broken(
      '1.1 with a wrong date',
      { ...SMALL_11, enrollments: [ENROLLMENT, enrollment('e1', 'c5a', 'p1', '', '01.08.2026')] },
      'enrollments.csv line 2: beginDate is not a date: "01.08.2026"',
    ),
    plan: SMALL_PLAN.slice(0, 4),
    notes: [DISTRICT, PARENT, NO_ADDRESS],
  },
  broken(
    'a delta whose people are unknown',
    {
      manifest: manifest('1.1', { ...DELTA, users: 'absent' }),
      enrollments: [ENROLLMENT, enrollment('e1', 'c5a', 'p77', 'active')],
    },
    'enrollments.csv line 2: person p77 is neither in the roster nor in roster-map.csv',
  ),
];
