/** A row that cannot be used never removes anybody: every cell of every format is spoiled in turn. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planState } from '../../../../src/plan/planner/plan-state.js';
import { readRoster } from '../../../../src/plan/roster/read-roster.js';
import { type MapRow, rosterMap } from '../../../../src/plan/roster/roster-map.js';
import { wantOfRoster } from '../../../../src/plan/roster/roster-want.js';
import type { RosterRules } from '../../../../src/plan/roster/want-people.js';
import { createNames } from '../../../../src/plan/view/names.js';
import { filesOf, SCHOOL_FORMATS, type SchoolModel } from '../../../support/roster-formats.js';
import { sharedFolder } from '../../../support/run.js';
import { actual, SCHOOL } from '../small-states.js';

const RULES: RosterRules = {
  roles: new Map(),
  email: undefined,
  subjects: new Map(),
  defaultSubject: 'Biology',
  leavers: 'unassign',
  takesRoles: false,
};
const MODEL: SchoolModel = {
  school: 'Gymnasium',
  people: ['teacher', 'student', 'student'].map((role, index) => ({
    id: `p${index}`,
    role: role as 'teacher' | 'student',
    first: `First${index}`,
    last: `Last${index}`,
    email: `p${index}@g.example`,
  })),
  classes: ['a', 'b'].map((id) => ({ id, title: `5${id}`, ends: '2027-07-31' })),
  members: [
    ['a', 'p0'],
    ['a', 'p1'],
    ['b', 'p0'],
    ['b', 'p2'],
  ],
};
const userOf = (id: string, firstName: string, lastName: string) => ({
  id: `u-${id}`,
  email: `${id}@g.example`,
  firstName,
  lastName,
  language: 'DE',
  organization: SCHOOL,
  roles: [],
});
/** The service has what the roster says, and Zoe, who has left, in both classes. */
const ACTUAL = actual({
  organizations: [{ ...SCHOOL, name: 'Gymnasium', roles: [] }],
  users: [...MODEL.people.map(({ id, first, last }) => userOf(id, first, last)), userOf('zoe', 'Zoe', 'Alt')],
  classes: MODEL.classes.map(({ id, title }) => ({
    id: `c-${id}`,
    name: title,
    subjectId: '01',
    schoolId: 's1',
    users: ['u-zoe', ...MODEL.members.flatMap(([name, person]) => (name === id ? [`u-${person}`] : []))],
  })),
});

const plainList = (): Readonly<Record<string, string>> => ({
  'list.csv': [
    'school,class,first-name,last-name,email,subject',
    ...MODEL.members.map(([name, id]) => {
      const person = MODEL.people.find((one) => one.id === id);
      return ['Gymnasium', `5${name}`, person?.first, person?.last, person?.email, 'Biology'].join(',');
    }),
    '',
  ].join('\n'),
});

const FORMATS = Object.keys(SCHOOL_FORMATS) as (keyof typeof SCHOOL_FORMATS)[];
const ROSTERS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ...FORMATS.map((format) => [format, filesOf(format, MODEL)] as const),
  ['plain list', plainList()],
];

/** The roster with IDs of the service for everything in it. */
async function mapOf(files: Readonly<Record<string, string>>): Promise<readonly MapRow[]> {
  const { people, classes } = await read(files);
  const row = (kind: 'user' | 'class', sourcedId: string, id: string) => ({
    kind,
    sourcedId,
    id,
    key: '',
    ignore: false,
  });
  return [
    ...[...people.values()].map(({ sourcedId, email = '' }) => row('user', sourcedId, `u-${email.split('@')[0]}`)),
    ...[...classes.values()].map(({ sourcedId, title }) => row('class', sourcedId, `c-${title.slice(1)}`)),
  ];
}

let count = 0;
const root = sharedFolder();
function read(files: Readonly<Record<string, string>>) {
  const folder = join(root, `${count++}`);
  mkdirSync(folder);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return readRoster(folder, { on: '2026-11-22', reading: undefined });
}

/** Who would leave which class; undefined for a roster that is refused even with `--skip-invalid`. */
async function removals(files: Readonly<Record<string, string>>, map: readonly MapRow[]) {
  const roster = await read(files);
  if (roster.findings.isUnusable) return undefined;
  const { want, ...scope } = wantOfRoster(roster, rosterMap(map), RULES);
  const { steps } = planState(want, ACTUAL, { prune: new Set(), organization: SCHOOL, ...scope });
  return {
    removed: steps
      .filter(({ verb }) => verb === 'unassign')
      .map(createNames(steps, ACTUAL).keyOf)
      .sort(),
    failed: roster.findings.rows.size,
    problems: roster.problems,
  };
}

const ZOE = ['5a  zoe@g.example', '5b  zoe@g.example'];

/** Each way to spoil a line that is not a header. */
function* spoiled(line: string): Generator<string> {
  const cells = line.split(',');
  for (const [place, cell] of cells.entries()) if (cell !== '') yield cells.with(place, '#N/A').join(',');
  yield `${line},surplus`;
  yield cells
    .with(-1, 'a"b"')
    .map((cell, place) => (place === 0 ? `"${cell}"x` : cell))
    .join(',');
}

describe.each(ROSTERS)('%s', (_, files) => {
  test('only the leaver leaves if no row is spoiled', async () => {
    for (const map of [[], await mapOf(files)])
      expect(await removals(files, map)).toEqual({ removed: ZOE, failed: 0, problems: [] });
  });

  test('a spoiled cell or row removes nobody but the leaver', async () => {
    const maps = [[], await mapOf(files)];
    for (const [name, content] of Object.entries(files)) {
      if (name === 'manifest.csv') continue;
      const lines = content.trimEnd().split('\n');
      for (const [at, line] of lines.entries())
        for (const [place, text] of at === 0 ? [] : [...spoiled(line)].entries()) {
          // With and without a map in turn, for each column.
          const map = maps[(at + place) % 2] ?? [];
          const found = await removals({ ...files, [name]: `${lines.with(at, text).join('\n')}\n` }, map);
          const others = found?.removed.filter((one) => !ZOE.includes(one));
          expect(others ?? [], `${name}: ${text}`).toEqual([]);
        }
    }
  });

  test('a row that is identified lets the leaver leave the other classes', async () => {
    const [name, from, to] = files['list.csv']
      ? ['list.csv', 'First1,', '#N/A,']
      : (Object.entries(files).flatMap(([file, text]) =>
          text.includes('First1,') ? [[file, 'First1,', '#N/A,']] : [],
        )[0] ?? []);
    const text = (files[name ?? ''] ?? '').replace(from ?? '', to ?? '');
    expect(await removals({ ...files, [name ?? '']: text }, [])).toMatchObject({ removed: [ZOE[1]] });
  });
});
