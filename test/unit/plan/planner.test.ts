import { describe, expect, test } from 'vitest';
import { type Actual, rolesOf } from '../../../src/plan/actual.js';
import { wantOf } from '../../../src/plan/as-want.js';
import type { Planned } from '../../../src/plan/steps.js';
import type { Want } from '../../../src/plan/want.js';
import { actual, at, book, license, plan, said, user } from './small-states.js';

describe('users', () => {
  test('renames a class by its ID, and finds no user by an address that two have', () => {
    const is = actual({ users: [user('mia'), user('tom', { email: 'mia@s1.example' })] });
    const renamed = { at, id: 'c1', name: '5c' };
    expect(said(plan({ classes: [renamed] }))).toEqual(['update classes 5a']);
    const also = { at: 'line 2', name: '5C', school: 's1', subject: 'Biology' };
    expect(said(plan({ classes: [also, renamed] }))).toEqual(['update classes 5a']);
    const subjects = ['Biology', 'Art'].map((name, index) => ({ id: `0${index + 1}`, name }));
    const changed = (...classes: Want['classes']) => said(plan({ classes }, actual({ subjects })));
    expect(changed({ ...also, subject: 'Art' }, { ...renamed, subject: 'Art' })).toEqual(['update classes 5a']);
    const freed = { ...also, name: '5a' };
    expect(changed(freed, { ...renamed, name: '5a', subject: 'Art' })).toEqual([
      'update classes 5a',
      'create classes 5a',
    ]);
    expect(plan({ users: [{ at, email: 'mia@s1.example' }] }, is).faults).toMatchObject([
      { message: '2 users have the address mia@s1.example: give one in the column id (mia, tom)' },
    ]);
  });
  test('adds roles, and removes others only when they are pruned or managed', () => {
    const users = [{ at, email: 'tom@s1.example', roles: ['Viewer'] }];
    const roles = (planned: Planned) => planned.steps.map(({ after }) => after?.roles);
    expect(roles(plan({ users }))).toEqual([['r1', 'r2']]);
    expect(roles(plan({ users }, actual(), { prune: new Set(['roles']) }))).toEqual([['r2']]);
    expect(roles(plan({ users: [{ ...users[0], at, managedRoles: ['Teacher'] }] }))).toEqual([['r2']]);
  });
  test('knows a role of the user that the organization does not list', () => {
    const is = actual({ users: [user('mia', { roles: [{ id: 'x9', name: 'Auditor' }] })] });
    const { faults, steps } = plan({ users: [{ at, id: 'mia', roles: ['Auditor', 'Viewer'] }] }, is);
    expect([faults, steps.map(({ after }) => after?.roles)]).toEqual([[], [['r2', 'x9']]]);
  });
  test('reports an unknown role, organization or subject as an error, once for several rows', () => {
    const { faults } = plan(
      {
        users: [{ at, email: 'tom@s1.example', roles: ['Teecher'] }],
        classes: ['9z', '9y', '9x'].map((name) => ({ at: name, name, school: 'Gymnasum', subject: 'Biology' })),
        books: [{ at, ean: '978', subject: 'Bilogy' }],
      },
      actual({ books: [book('B1', '978')] }),
    );
    expect(faults.map(({ where, message }) => `${where}: ${message}`)).toEqual([
      `${at}: no role has the ID or name "Teecher". Did you mean Teacher?`,
      '9z and 2 more: no school has the ID or name "Gymnasum". Did you mean Gymnasium?',
      `${at}: no subject has the ID or name "Bilogy"; names are in EN. Did you mean Biology?`,
    ]);
    const elsewhere = { users: [{ at, email: 'tom@s1.example', organization: 'Zoo' }] };
    expect(
      plan(elsewhere, actual({ hiddenLists: new Map([['schools', ['schools']]]) })).faults.map(
        ({ message }) => message,
      ),
    ).toEqual(['no organization has the ID or name "Zoo"; you may not list schools']);
    const noAddress = { users: [{ at, email: 'x', firstName: 'A', lastName: 'B' }] };
    expect(plan(noAddress, actual({ elsewhere: new Map([['x', 'x']]) })).faults).toMatchObject([
      { message: 'email must be an e-mail address, not "x"' },
    ]);
  });
});

test('takes IDs of subjects that may not be listed, and says why a name is unknown', () => {
  const wanted = (subject: string) =>
    plan({ classes: [{ at, name: '9z', school: 's1', subject }] }, actual({ subjects: undefined }));
  for (const text of ['77', 'id:77']) expect(wanted(text).steps).toMatchObject([{ after: { subjectId: '77' } }]);
  const namesake = (subject: string) =>
    said(plan({ classes: [{ at, name: '5a', school: 's1', subject }] }, actual({ subjects: undefined })));
  expect(namesake('Biology')).toEqual([expect.stringContaining('! 5a: exists with the subject 01, and you may not')]);
  expect(namesake('id:77')).toEqual(['create classes 5a']);
  expect(wanted('name:Biology').faults.map(({ message }) => message)).toEqual([
    'no subject has the name "Biology", and names cannot be looked up: subjects cannot be listed',
  ]);
});

describe('values that the service does not accept', () => {
  const messages = ({ faults }: Planned) => faults.map(({ message }) => message);
  test('are errors of a new user or school', () => {
    const user = { at, email: 'ann@s1.example', firstName: 'Ann', lastName: 'Lee' };
    const wrong = (more: object) => messages(plan({ users: [{ ...user, ...more }] }));
    expect(wrong({ language: 'FR' })).toEqual([]);
    expect(wrong({ firstName: ' ' })).toEqual(['firstName is required']);
    expect(wrong({ lastName: 'ü'.repeat(50) })).toEqual([]);
    expect(wrong({ lastName: 'x'.repeat(51) })[0]).toContain('lastName must have at most 50 characters, not 51');
    expect(wrong({ language: 'XX' })).toEqual(['language must be one of DE, EN, ES, FR, IT, NL, PT, RU, not "XX"']);
    for (const email of ['n/a', 'a@b@c', 'ann@s1.example\u200b'])
      expect(wrong({ email })).toEqual([`email must be an e-mail address, not ${JSON.stringify(email)}`]);
    expect(messages(plan({ schools: [{ at, name: 'x'.repeat(51), country: 'Germany', city: 'Ulm' }] }))).toEqual([
      expect.stringContaining('name must have at most 50 characters, not 51'),
      expect.stringContaining('country must be the two letters of ISO 3166-1'),
    ]);
  });
  test('are errors of a field that cannot change', () => {
    const change = { users: [{ at, id: 'mia', email: 'mia', language: 'XX' }] };
    expect(messages(plan(change))).toEqual([
      expect.stringContaining('email must be'),
      expect.stringContaining('language must be'),
    ]);
  });
  test('are errors of a change, but not where the service returned them', () => {
    const is = actual({ users: [user('mia', { lastName: 'x'.repeat(60) })] });
    expect(plan({ users: [{ at, id: 'mia', firstName: 'B' }] }, is)).toMatchObject({ faults: [], steps: [{}] });
    expect(messages(plan({ users: [{ at, id: 'mia', lastName: 'y'.repeat(60) }] }, is))).toHaveLength(1);
    const renamed = { books: [{ at, ean: '978', title: 'X', language: 'XX' }] };
    expect(messages(plan(renamed, actual({ books: [{ ...book('B1', '978'), year: 5 }] })))).toEqual([
      'language must be one of DE, EN, ES, FR, IT, NL, PT, RU, not "XX"',
    ]);
  });
});

test.each<[string, Partial<Want>]>([
  ['! mia@s1.example: shows no roles, which each change sends', { users: [{ at, id: 'mia', firstName: 'B' }] }],
  [
    '! Lycée: shows no country, which each change sends: give it in the column country',
    { schools: [{ at, name: 'Lycée', city: 'Lyon' }] },
  ],
])('never guesses a field that a change sends and the service does not show: %s', (why, want) => {
  const is = actual({ users: [user('mia', { roles: rolesOf(undefined) })] });
  expect(said(plan(want, is))).toEqual([why]);
});

test('reports an item that two rows name, by ID and by key, as an error', () => {
  const pair = <A, B>(first: A, second: B) => [
    { at: 'line 2', ...first },
    { at: 'line 3', ...second },
  ];
  const is = actual({ licenses: [license()], books: [book('B1', '978')] });
  const wants: readonly Partial<Want>[] = [
    { users: pair({ id: 'mia' }, { email: 'mia@s1.example', lastName: 'X' }) },
    { schools: pair({ id: 's2' }, { name: 'Lycée', city: 'Ulm' }) },
    { licenses: pair({ code: 'autumn1' }, { id: 'l1', remove: true as const }) },
    { books: pair({ id: 'B1' }, { ean: '978', title: 'X', language: 'DE' }) },
  ];
  for (const want of wants)
    expect(plan(want, is)).toMatchObject({
      faults: [{ where: 'line 3', message: 'names the same item as line 2' }],
      steps: [],
    });
});

test('takes the organization that a licence has, also if the caller may not list it', () => {
  const is = actual({ licenses: [license({ organization: { id: 's9', type: 'School' } })] });
  expect(plan({ licenses: [{ at, code: 'autumn1', organization: 's9' }] }, is)).toMatchObject({
    faults: [],
    steps: [],
  });
  expect(plan({ licenses: [{ at, code: 'autumn1', organization: 's8' }] }, is).faults).toHaveLength(1);
});

test('does not change a book of another organization, which only its users can read', () => {
  const is = actual({ books: [{ ...book('B1', '978'), organization: { id: 'p1', type: 'Publisher' } }] });
  const changed = plan({ books: [{ at, ean: '978', title: 'X', language: 'DE' }] }, is);
  expect(said(changed)).toEqual(['! 978: belongs to p1: only its users can read and change it']);
  expect(said(plan({ books: [{ at, ean: '978' }] }, is))).toEqual([]);
});

test('reports two references of a row that mean different things, or of which one means nothing, as errors', () => {
  const is = actual({
    users: [
      user('mia', { roles: [{ id: 'x9', name: 'Auditor' }] }),
      user('tom'),
      user('eva', { email: 'tom@s1.example' }),
    ],
    licenses: [license(), license({ id: 'l2', code: 'spring1' })],
    books: [book('B1', '978'), book('B2', '979'), book('B3', '979')],
    elsewhere: new Map([['e1', 'e1']]),
  });
  const pair = (field: string, text: string, also: string) => ({ at, pairs: [{ field, text, also }] });
  const wants: readonly (readonly [string, Partial<Want>])[] = [
    ['"mia" and "tom@s1.example" (tom) are not the same user', { users: [{ at, id: 'mia', email: 'tom@s1.example' }] }],
    ['"l1" and "spring1" (l2) are not the same licence', { licenses: [{ at, id: 'l1', code: 'spring1', name: 'X' }] }],
    ['"B1" and "979" (B2) are not the same book', { books: [{ at, id: 'B1', ean: '979', title: 'X' }] }],
    ['class c1 is not in school Lycée', { classes: [{ at, id: 'c1', school: 's2', users: [] }] }],
    ['no school has the ID or name "Zoo"', { classes: [{ at, id: 'c1', school: 'Zoo', users: [] }] }],
    ['no role has the ID or name "Tsar"', { users: [{ id: 'mia', ...pair('roles', 'r1', 'Tsar') }] }],
    ['no organization has the ID or name "Zoo"', { users: [{ id: 'mia', ...pair('organization', 's1', 'Zoo') }] }],
    ['no subject has the ID or name "Q"; names are in EN', { books: [{ id: 'B1', ...pair('subject', '01', 'Q') }] }],
    ['no book has the ID, EAN or title "Zoology"', { licenses: [{ id: 'l1', ...pair('books', 'B1', 'Zoology') }] }],
    [
      '"x@s1.example": no user has this ID, e-mail address or name (looked in your organization only)',
      { licenses: [{ id: 'l1', ...pair('endUsers', 'mia', 'x@s1.example') }] },
    ],
    ['no licence has the code "none"', { licenses: [{ at, id: 'l1', code: 'none', remove: true }] }],
  ];
  const same: Partial<Want> = {
    users: [{ id: 'mia', ...pair('roles', 'x9', 'Auditor') }],
    licenses: [
      { id: 'l1', ...pair('books', 'B2', '979') },
      {
        at,
        id: 'l2',
        pairs: [...pair('endUsers', 'tom', 'tom@s1.example').pairs, ...pair('users', 'e1', 'e1@x').pairs],
      },
    ],
  };
  expect(plan(same, is)).toMatchObject({ faults: [], steps: [], conflicts: [] });
  for (const [message, want] of wants)
    expect(plan(want, is)).toMatchObject({ faults: [{ where: at, message }], steps: [] });
});

describe('classes and members', () => {
  test('unassigns leavers from all their classes', () => {
    expect(said(plan({ users: [{ at, email: 'tom@s1.example', organization: 's2', leaves: true }] }))).toEqual([
      'unassign members 5a  tom@s1.example',
    ]);
    expect(plan({ users: [{ at, email: 'n/a', leaves: true }] }).faults).toEqual([]);
    const users = [{ at, email: 'mia@s1.example' }];
    const left = plan({ users }, actual(), { complete: ['s1'] });
    expect(said(left)).toEqual(['unassign members 5a  tom@s1.example']);
    // Mia stays in 5a, which the wanted state does not contain.
    expect(left.unnamed).toMatchObject([{ id: 'c1' }]);
    const classes = [{ at, name: '5a', school: 's1', add: [] }];
    expect(plan({ users, classes }, actual(), { complete: ['s1'] }).unnamed).toEqual([]);
    expect(plan({ users }).unnamed).toEqual([]);
  });
  test('unassigns a user who changes classes, however the rows name the school', () => {
    const users = [{ at, email: 'mia@s1.example', organization: 'Gymnasium' }];
    const classes = [{ at, name: '5a', school: 's1', add: [], keepsLeavers: true } as const];
    expect(said(plan({ users, classes }))).toEqual(['unassign members 5a  mia@s1.example']);
  });
  test('keeps people in a class that the map lists under another ID, too', () => {
    const users = [{ at, email: 'mia@s1.example', organization: 's1' }];
    const mapped = { at: 'roster-map.csv, class k1', id: 'c1', optional: true } as const;
    const row = { at, name: '5a', school: 's1', add: ['mia'] };
    const kept = { keepsLeavers: true } as const;
    for (const classes of [
      [
        { ...row, ...kept },
        { ...mapped, ...kept, add: [] },
      ] as const,
      [
        { ...row, addsOnly: true },
        { ...mapped, users: [] },
      ] as const,
    ])
      expect(said(plan({ users, classes }))).toEqual([]);
  });
  test('reports an unknown ID as a conflict, with the ID that lost its zeros', () => {
    const is = actual({
      users: [user('0071'), user('mia')],
      elsewhere: new Map([
        ['e1', 'e1'],
        ['71', '71'],
      ]),
    });
    expect(said(plan({ classes: [{ at, name: '5a', add: ['71', 'id:72', 'e1', 'tom'] }] }, is))).toEqual([
      'assign members 5a  e1',
      '! 5a  71: no user has this ID, e-mail address or name (looked in your organization only); 71 is 0071 without its zeros',
      '! 5a  id:72: no user has this ID, e-mail address or name',
    ]);
    const licenses = [{ at, code: 'autumn1', addEndUsers: ['71'] }];
    expect(said(plan({ licenses }, { ...is, licenses: [license()] }))[0]).toContain('71 is 0071 without its zeros');
  });
  test('finds an end user by address who already holds a licence', () => {
    const held = license({ holders: ['e1'], numberOfActivations: 1, maximumActivations: 2 });
    const is = actual({ licenses: [held], elsewhere: new Map([['eve@home.example', 'e1']]) });
    expect(said(plan({ licenses: [{ at, code: 'autumn1', endUsers: ['eve@home.example'] }] }, is))).toEqual([]);
  });
  test('matches a class without subject by school and name, and creates it with the default subject', () => {
    const subjects = [
      { id: '01', name: 'Biology' },
      { id: '02', name: 'Art' },
    ];
    const class5a = (id: string, subjectId: string) => ({ id, name: '5a', subjectId, schoolId: 's1', users: [] });
    const sync = (classes: Actual['classes']) =>
      said(plan({ classes: [{ at, name: '5a', newSubject: 'Art', add: ['tom'] }] }, actual({ subjects, classes })));
    expect(sync([class5a('c1', '01')])).toEqual(['assign members 5a  tom@s1.example']);
    expect(sync([class5a('c1', '01'), class5a('c2', '02')])).toEqual(['assign members 5a (c2)  tom@s1.example']);
    expect(sync([class5a('c1', '01'), class5a('c3', '01')])[0]).toContain('2 active classes are called "5a"');
    expect(sync([])).toEqual(['create classes 5a', 'assign members 5a  tom@s1.example']);
    const { faults } = plan({ classes: [{ at, name: '9z', school: 's1', newSubject: undefined }] });
    expect(faults[0]?.message).toBe('9z does not exist; to create it, give its subject (or --default-subject)');
  });
  test('matches a class whose name is equal but for case, preferably an equal one', () => {
    const class5a = (id: string, name: string) => ({ id, name, subjectId: '01', schoolId: 's1', users: [] });
    const sync = (...classes: Actual['classes']) =>
      said(plan({ classes: [{ at, name: '5A', subject: '01', add: ['tom'] }] }, actual({ classes })));
    expect(sync(class5a('c1', '5a'))).toEqual(['assign members 5a  tom@s1.example']);
    expect(sync(class5a('c1', '5a'), class5a('c2', '5A'))).toEqual(['assign members 5A  tom@s1.example']);
  });
  test('takes names that are written with combining marks for equal', () => {
    const lycee = 'Lycée'.normalize('NFD');
    const c2 = { id: 'c2', name: '5ä'.normalize('NFC'), subjectId: '01', schoolId: 's2', users: [] };
    const planned = plan(
      {
        schools: [{ at, name: lycee, city: 'Lyon' }],
        users: [{ at, email: 'tom@s1.example', lastName: lycee }],
        books: [{ at, ean: '978', title: lycee }],
        licenses: [{ at, code: 'autumn1', name: lycee }],
        classes: [{ at, school: lycee, name: '5ä'.normalize('NFD'), subject: 'Biology', users: ['tom'] }],
      },
      actual({
        organizations: [{ id: 's2', type: 'School', name: 'Lycée', city: 'Lyon' }],
        users: [user('tom', { lastName: 'Lycée' })],
        books: [{ ...book('B1', '978'), title: 'Lycée' }],
        licenses: [license({ name: 'Lycée' })],
        classes: [c2],
      }),
    );
    expect(planned.faults).toEqual([]);
    expect(said(planned)).toEqual(['assign members 5ä  tom@s1.example']);
  });
  test('reports a class that two rows name differently as an error', () => {
    const rows = (name: string, users?: readonly string[]) =>
      [
        { at: 'classes.csv line 2', school: 's1', subject: '01', name, users },
        { at: 'classes.csv line 3', school: 'Gymnasium', subject: 'Biology', name, users },
      ] as const;
    const [first, second] = rows('7b');
    for (const classes of [rows('7b'), rows('5a', ['mia']), [first, { ...second, name: '7B' }]]) {
      expect(plan({ classes }).faults).toEqual([
        { where: 'classes.csv line 3', message: 'names the same item as classes.csv line 2' },
      ]);
    }
    expect(plan({ classes: rows('5a') })).toMatchObject({ faults: [], steps: [] });
  });
  test('reports absent schools, which cannot be removed, only with prune', () => {
    const want = { schools: [{ at, name: 'Lycée' }] };
    const prune = new Set(['schools'] as const);
    expect(plan(want, actual())).toMatchObject({ steps: [], conflicts: [] });
    expect(plan(want, actual(), { prune })).toMatchObject({ steps: [], conflicts: [] });
    const { steps, conflicts } = plan({ schools: [{ at, name: 'New', country: 'DE', city: 'Ulm' }] }, actual(), {
      prune,
    });
    expect(steps).toHaveLength(1);
    expect(conflicts).toMatchObject([
      { resource: 'schools', key: 'Lycée', why: 'stays: the service cannot remove it' },
    ]);
  });
});

test('plans thousands of books and schools, and their export, in a time that grows with their number', () => {
  const numbers = [...new Array(5000).keys()];
  const is = actual({
    books: numbers.map((number) => book(`B${number}`, `978-${100_000 + number}`)),
    organizations: numbers.map((number) => ({ id: `o${number}`, type: 'School', name: `School ${number}`, roles: [] })),
  });
  const schools = is.organizations.map(({ name }) => ({ at, name }));
  expect(said(plan({ books: is.books.map(({ ean }) => ({ at, ean })), schools }, is))).toEqual([]);
  for (const [row] of [wantOf(is).books, wantOf(is).schools]) expect(row).not.toHaveProperty('id');
}, 30_000);
