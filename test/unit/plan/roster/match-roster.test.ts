/** What of a roster is found in the service: by the map, address, identifier, name or ID, where only one fits. */
import { expect, test } from 'vitest';
import { matchRoster, wantToMatch } from '../../../../src/plan/roster/match-roster.js';
import { type Roster, RosterContent, type RosterMode, type RosterState } from '../../../../src/plan/roster/roster.js';
import { type MapRow, rosterMap } from '../../../../src/plan/roster/roster-map.js';
import { actual, user } from '../small-states.js';

const at = 'a line';
const SCHOOLS = ['Gymnasium', 'LYCÉE', 's3', 'Twins', 'Nowhere', 'Mapped', 'Ignored'];
const PEOPLE: readonly [id: string, school: string, more: object, state?: RosterState][] = [
  ['replaced', 'Gymnasium', { email: 'mia@s1.example' }, 'gone'],
  ['by-email', 'Gymnasium', { email: 'MIA@s1.example' }],
  ['by-id', 'Gymnasium', { email: 'new@s1.example', identifier: 'tom' }],
  ['gone', 'Gymnasium', { email: 'left@s1.example' }, 'gone'],
  ['out', 'Gymnasium', { email: 'lea@s1.example' }, 'out'],
  ['taken', 'Gymnasium', { email: 'kai@s1.example' }],
  ['namesake', 'Gymnasium', { firstName: 'ZOE', lastName: 'Oz' }],
  ['elsewhere', 'LYCÉE', { firstName: 'Zoë', lastName: 'Öz', email: 'zoe@new.example' }],
  ['one of two', 'Gymnasium', { firstName: 'Bo', lastName: 'Li', email: 'bo@new.example' }],
  ['open', 'Gymnasium', {}],
  ['mapped', 'Gymnasium', {}],
  ['ignored', 'Gymnasium', { email: 'lea@s1.example' }],
];
const CLASSES: readonly [id: string, school: string, title: string, state?: RosterState][] = [
  ['c-5a', 'Gymnasium', '5A'],
  ['c-5b1', 'Gymnasium', '5b'],
  ['c-5b2', 'Gymnasium', '5b'],
  ['c-6a', 'Gymnasium', '6a'],
  ['c-7a', 'Gymnasium', '7a'],
  ['c-8a', 'Gymnasium', '8a', 'out'],
  ['c-8b', 'Gymnasium', '8b', 'gone'],
  ['c-9a', 'LYCÉE', '5a'],
  ['c-new', 'Gymnasium', '9a'],
  ['c-mapped', 'Gymnasium', '10a'],
];
function rosterOf(mode: RosterMode): Roster {
  const content = new RosterContent();
  for (const name of SCHOOLS) content.schools.set(name, { sourcedId: name, at, state: 'active', name });
  for (const [sourcedId, school, more, state = 'active'] of PEOPLE)
    content.people.set(sourcedId, {
      sourcedId,
      at,
      school,
      state,
      firstName: sourcedId,
      lastName: 'X',
      email: undefined,
      username: undefined,
      identifier: undefined,
      role: 'student',
      ...more,
    });
  for (const [sourcedId, school, title, state = 'active'] of CLASSES)
    content.classes.set(sourcedId, { sourcedId, at, school, title, state, subject: undefined });
  return Object.assign(content, { format: 'test', files: [], modes: { people: mode, memberships: mode } });
}

const row = (kind: MapRow['kind'], sourcedId: string, id?: string, ignore = false): MapRow => ({
  kind,
  sourcedId,
  id,
  key: '',
  ignore,
});
const MAP = rosterMap([
  row('school', 'Mapped', 's6'),
  row('school', 'Ignored', undefined, true),
  row('school', 'Gone', 's7'),
  row('school', 'Gone and ignored', 's8', true),
  row('user', 'mapped', 'ida'),
  row('user', 'ignored', undefined, true),
  row('user', 'other', 'kai'),
  row('user', 'open'),
  row('class', 'c-mapped', 'c10'),
  row('class', 'of last year', 'c9'),
  row('class', 'c-8b', 'c7'),
]);
const school = (id: string, name: string) => ({ id, type: 'School' as const, name });
const named = (id: string, firstName: string, lastName: string) => user(id, { firstName, lastName });
const found = (id: string, name: string, schoolId = 's1') => ({ id, name, subjectId: '01', schoolId, users: [] });
const ACTUAL = actual({
  organizations: [
    ...[school('s1', 'Gymnasium'), school('s2', 'Lycée'), school('s3', 'Collège'), school('s6', 'Neu')],
    ...[school('s4', 'Twins'), school('s5', 'Twins'), { id: 'p1', type: 'Publisher' as const, name: 'Nowhere' }],
  ],
  users: [
    ...['mia', 'tom', 'left', 'lea', 'kai', 'ida'].map((id) => user(id)),
    ...[named('zoe', 'Zoë', 'Öz'), named('bo1', 'Bo', 'Li'), named('bo2', 'Bo', 'Li')],
  ],
  classes: [
    ...[found('c1', '5a'), found('c2', '5b'), found('c3', '6a'), found('c4', '6A'), found('c7', '7a')],
    ...[found('c8', '8a'), found('c9', '9a'), found('c10', '10a'), found('c11', '8b')],
  ],
});

test.each<[RosterMode, readonly string[], readonly string[], readonly string[]]>([
  // A person of a new ID and a class of a new term take the place of one that the other system no longer has.
  [
    ...(['bulk', ['user taken kai kai@s1.example'], ['class c-7a c7 7a', 'class c-new c9 9a']] as const),
    ['people 6 of 11', 'classes 5 of 9'],
  ],
  ['delta', [], [], ['people 5 of 11', 'classes 3 of 9']],
])('matches a %s roster', (mode, people, classes, counted) => {
  const { rows, proposals, ...counts } = matchRoster(rosterOf(mode), MAP, ACTUAL);
  expect(rows.slice(0, MAP.rows.length)).toEqual(MAP.rows);
  const added = rows.slice(MAP.rows.length);
  expect(added.map(({ kind, sourcedId, id, key }) => `${kind} ${sourcedId} ${id} ${key}`.trim())).toEqual([
    'school Gymnasium s1 Gymnasium',
    'school LYCÉE s2 LYCÉE',
    'school s3 s3 s3',
    'user by-email mia mia@s1.example',
    'user by-id tom tom@s1.example',
    ...people,
    'user gone left left@s1.example',
    'user namesake undefined',
    'class c-5a c1 5A',
    ...classes,
  ]);
  expect(added.filter(({ ignore }) => ignore)).toEqual([]);
  expect(proposals.map(({ row: proposed, person, user: one }) => [proposed, person.sourcedId, one.id])).toEqual([
    [{ ...row('user', 'namesake', 'zoe'), key: 'zoe@s1.example' }, 'namesake', 'zoe'],
  ]);
  expect(Object.entries(counts).map(([kind, [some, all]]) => `${kind} ${some} of ${all}`)).toEqual([
    ...['schools 5 of 7', ...counted],
  ]);
});

test('needs the people and classes of the schools of the roster and of its map', () => {
  const { users, classes, ...others } = wantToMatch(rosterOf('bulk'), MAP);
  const schools = ['Gymnasium', 'LYCÉE', 's3', 'Twins', 'Nowhere', 's6', 's7'];
  expect(users).toEqual(schools.map((organization) => ({ at: '', organization })));
  expect(classes).toEqual(schools.map((name) => ({ at: '', school: name })));
  expect(Object.values(others).flat()).toEqual([]);
});
