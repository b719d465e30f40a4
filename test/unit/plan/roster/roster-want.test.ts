/** From a roster to the wanted state. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRoster } from '../../../../src/plan/roster/read-roster.js';
import { changedIds, mapLines, readRosterMap, rosterMap } from '../../../../src/plan/roster/roster-map.js';
import { wantOfRoster } from '../../../../src/plan/roster/roster-want.js';
import { type RosterRules, templateProblem } from '../../../../src/plan/roster/want-people.js';
import { csvFiles, manifest, type RosterTables, SMALL_11, user11 } from '../../../support/roster-files.js';
import { temporaryFolder } from '../../../support/run.js';
import { actual, plan, said, user } from '../small-states.js';

const RULES: RosterRules = {
  roles: new Map([['teacher', ['Teacher']]]),
  email: undefined,
  subjects: new Map(),
  defaultSubject: undefined,
  leavers: 'unassign',
  takesRoles: false,
};

async function rosterOf(tables: RosterTables) {
  const folder = join(temporaryFolder(), 'roster');
  mkdirSync(folder);
  for (const [name, content] of Object.entries(csvFiles(tables))) writeFileSync(join(folder, name), content);
  return readRoster(folder, { on: '2026-11-22', reading: undefined });
}
const NO_MAP = rosterMap([]);
async function wanted(tables: RosterTables, rules: Partial<RosterRules> = {}, map = NO_MAP) {
  const roster = await rosterOf(tables);
  const scope = wantOfRoster(roster, map, { ...RULES, ...rules });
  return { ...scope, problems: roster.problems, notes: roster.notes };
}
const row = (kind: 'school' | 'user' | 'class', sourcedId: string, id: string | undefined, ignore = false) => ({
  kind,
  sourcedId,
  id,
  key: '',
  ignore,
});

const SCHOOL = 'Gymnasium am Kirchplatz';

describe('a bulk roster', () => {
  test('applies the map, the subject map and the address template', async () => {
    const map = rosterMap([
      row('school', 'g1', 's1'),
      row('user', 'p1', 'u9'),
      row('user', 't2', undefined, true),
      row('class', 'c5a', 'c1'),
    ]);
    const rules = { email: '{username}@Pupils.example', subjects: new Map([['mathematics', '0001']]) };
    const { want, problems, untouched } = await wanted(SMALL_11, rules, map);
    expect([problems, untouched.users]).toEqual([[], ['tom@g1.example']]);
    expect(want.users.map(({ id, email }) => [id, email])).toEqual([
      [undefined, 'jan@g1.example'],
      [undefined, 'lea@pupils.example'],
      [undefined, 'noor@g1.example'],
      ['u9', 'mia@g1.example'],
    ]);
    expect(want.classes.map(({ id, school, subject, users }) => [id, school, subject, users])).toEqual([
      ['c1', 's1', '0001', ['noor@g1.example', 'u9']],
      [undefined, 's1', '0001', ['jan@g1.example', 'lea@pupils.example']],
    ]);
  });

  test.each([
    ['{username}@s.example', undefined],
    ['{firstName}.{LASTNAME}@s.example', undefined],
    ['{first}.{lastName}@s.example', 'has an unknown placeholder {first}; use {username}'],
    ['{}@s.example', 'has an unknown placeholder {}'],
    ['office@s.example', 'needs a placeholder such as {username}'],
    ['{username}', 'must be an e-mail address'],
  ])('checks the address template %s', (template, problem) => {
    expect(templateProblem(template)).toEqual(problem && expect.stringContaining(problem));
  });

  test.each([
    ['techer', 'mathematic', ['--role-map techer: the roster has only teacher', '--subject-map mathematic: ']],
    ['teacher', 'mathematics', []],
    ['administrator', 'history', []],
  ])('notes the words %s and %s of maps if they are misspelled', async (role, subject, expected) => {
    const { notes } = await wanted(SMALL_11, { roles: new Map([[role, []]]), subjects: new Map([[subject, '0001']]) });
    expect(notes.filter((note) => note.startsWith('--'))).toEqual(
      expected.map((text) => expect.stringContaining(text)),
    );
  });

  test('takes the default subject only for new classes, and for classes of one title', async () => {
    const classes = (SMALL_11.classes ?? []).map(([...cells]) => {
      const subject = cells.indexOf('Mathematics');
      if (subject >= 0) cells[subject] = '';
      return cells;
    });
    const subjectsOf = async (tables: RosterTables) =>
      (await wanted(tables, { defaultSubject: 'Art' })).want.classes.map(({ name, subject, newSubject }) => [
        ...[name, subject, newSubject],
      ]);
    expect(await subjectsOf({ ...SMALL_11, classes })).toEqual([
      ['5a', undefined, 'Art'],
      ['7b', undefined, 'Art'],
    ]);
    const more = [...classes, ['c9', '', '', '5A', 'k', 'homeroom', 'g1', 'Biology']];
    expect(await subjectsOf({ ...SMALL_11, classes: more })).toEqual([
      ['5A', 'Biology', undefined],
      ['5a', 'Art', undefined],
      ['7b', undefined, 'Art'],
    ]);
  });

  test('leaves people of an organization that is no school, or of none, where they are', async () => {
    const users = [...(SMALL_11.users ?? []), user11('p9', 'd1', 'student', 'Ida', 'Wolf', 'ida@g1.example')];
    expect((await wanted({ ...SMALL_11, users })).untouched.users).toEqual(['ida@g1.example']);
    users.push(user11('p8', '', 'student', 'Neu', 'Ling', 'neu@g1.example'));
    const delta = manifest('1.1', { orgs: 'bulk', users: 'delta', classes: 'bulk', enrollments: 'bulk' });
    const { complete, untouched } = await wanted({ ...SMALL_11, manifest: delta, users });
    expect([complete, untouched.users]).toEqual([[], ['ida@g1.example', 'neu@g1.example']]);
  });

  /** The removals that a roster leads to in a school that has some people in the class 7b. */
  async function removals(rules: Partial<RosterRules>, people: readonly (readonly [string, string, string])[]) {
    const { want, complete, untouched } = await wanted(SMALL_11, { ...rules, roles: new Map() });
    const users = people.map(([id, firstName, lastName]) =>
      user(id, { email: `${id}@g1.example`, firstName, lastName, roles: [] }),
    );
    const members = users.map(({ id }) => id);
    const classes = [{ id: 'c1', name: '7b', subjectId: '01', schoolId: 's1', users: members }];
    const subjects = [{ id: '01', name: 'Mathematics' }];
    const is = actual({
      organizations: [{ id: 's1', type: 'School', name: SCHOOL, roles: [] }],
      users,
      classes,
      subjects,
    });
    return said(plan(want, is, { complete, untouched })).filter((line) => line.startsWith('unassign'));
  }
  const LEFT = ['bo', 'Bo', 'Li'] as const;

  test('does not take a person without an address for a leaver', async () => {
    const people = [LEFT, ['jan', 'Jan', 'Öz'], ['kurz', 'LEA', 'Kürz']] as const;
    expect(await removals({}, people)).toEqual(['unassign members 7b  bo@g1.example']);
  });

  test('names the row of a list for which nobody leaves, such as a total', async () => {
    const path = join(temporaryFolder(), 'list.csv');
    writeFileSync(path, 'school,class,first-name,last-name,email\nA,5a,Mia,Kurz,mia@a.example\nA,Total,,1,\n');
    const read = () => readRoster(path, { on: '2026-11-22', reading: undefined });
    const [roster, kept] = [await read(), await read()];
    const { complete } = wantOfRoster(roster, NO_MAP, RULES);
    expect([complete, roster.notes[1]]).toEqual([[], expect.stringMatching(/^nobody leaves a class of A: .* line 3$/)]);
    wantOfRoster(kept, NO_MAP, { ...RULES, leavers: 'keep' });
    expect(kept.notes).toHaveLength(1);
  });

  test('with --leavers keep, unassigns only people who are still in the roster', async () => {
    const people = [LEFT, ['mia', 'Mia', 'Brandt']] as const;
    expect(await removals({ leavers: 'keep' }, people)).toEqual(['unassign members 7b  mia@g1.example']);
  });
});

describe('roster-map.csv', () => {
  test('reads what was written', async () => {
    const file = join(temporaryFolder(), 'roster-map.csv');
    const rows = [row('class', 'a,"b"', 'c1'), { ...row('user', 'u', 'u1', true), key: 'mia@g1.example' }];
    writeFileSync(file, mapLines(rosterMap(rows)).join(''));
    expect((await readRosterMap(file)).rows).toEqual(rows);
    expect((await readRosterMap(`${file}.none`)).rows).toEqual([]);
    await expect(readRosterMap(`${file}.none`, true)).rejects.toMatchObject({ kind: 'usage' });
  });

  test('reports its problems with line numbers', async () => {
    const file = join(temporaryFolder(), 'roster-map.csv');
    writeFileSync(file, 'kind,sourcedId,id,ignore\nperson,a,b,\nuser,u,1,WAHR\nuser,u,2,maybe\n');
    await expect(readRosterMap(file)).rejects.toMatchObject({
      kind: 'usage',
      details: [
        { where: `${file} line 2`, message: 'kind must be school, user or class, not "person"' },
        { where: `${file} line 4`, message: 'ignore must be true, false or blank, not "maybe"' },
        { where: `${file} line 4`, message: `names the same user as ${file} line 3: u` },
      ],
    });
  });

  test('detects that the other system has changed its IDs', async () => {
    const people = (prefix: string, length = 3) =>
      Array.from({ length }, (_, n) => user11(`${prefix}${n}`, 'g1', 'student', `A${n}`, 'B', `p${n}@g1.example`));
    const tables = (prefix: string, length?: number): RosterTables => ({
      ...SMALL_11,
      users: [(SMALL_11.users ?? [])[0] ?? [], ...people(prefix, length)],
      enrollments: [
        (SMALL_11.enrollments ?? [])[0] ?? [],
        ['e1', '', '', 'c5a', 'g1', `${prefix}1`, 'student', '', ''],
      ],
    });
    const map = rosterMap(
      Array.from({ length: 3 }, (_, n) => ({ ...row('user', `old${n}`, `u${n}`), key: `p${n}@g1.example` })),
    );
    expect(changedIds(await rosterOf(tables('old')), map)).toBeUndefined();
    expect(changedIds(await rosterOf(tables('new', 1)), map)).toBeUndefined();
    expect(changedIds(await rosterOf(tables('new')), map)).toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('the IDs of 3 of 3 people are not in roster-map.csv'),
    });
  });
});
