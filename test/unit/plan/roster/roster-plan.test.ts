/** Properties of plans made from random rosters. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Actual } from '../../../../src/plan/actual.js';
import { planState } from '../../../../src/plan/planner/plan-state.js';
import { matchRoster } from '../../../../src/plan/roster/match-roster.js';
import { type Roster, RosterContent, type RosterMode, type RosterPerson } from '../../../../src/plan/roster/roster.js';
import { type RosterMap, rosterMap } from '../../../../src/plan/roster/roster-map.js';
import { wantOfRoster } from '../../../../src/plan/roster/roster-want.js';
import type { RosterRules } from '../../../../src/plan/roster/want-people.js';
import type { Step } from '../../../../src/plan/steps.js';
import { createNames } from '../../../../src/plan/view/names.js';
import { applied, ROLES, SUBJECTS } from '../../../support/apply-steps.js';
import { actual as actualOf } from '../small-states.js';

interface Person {
  readonly id: string;
  readonly first: string;
  readonly school: string;
  readonly role: string;
}
interface Class {
  readonly id: string;
  readonly school: string;
}
interface Model {
  readonly people: readonly Person[];
  readonly classes: readonly Class[];
  /** Class and person. */
  readonly members: readonly (readonly [string, string])[];
}

const SCHOOLS = ['g1', 'g2'];
const NAMES: Readonly<Record<string, string>> = { g1: 'One', g2: 'Two' };
const PEOPLE = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6'];
const CLASSES = ['5a', '5b', '6a', '7c'];

/** The last one has no address, and a name of its own: a user of that name would stay. */
const emailOf = (id: string): string | undefined => (id === 'p6' ? undefined : `${id}@x.example`);
const withName = (one: Person): Person => (emailOf(one.id) === undefined ? { ...one, first: 'Cy' } : one);
const school = fc.constantFrom(...SCHOOLS);

/** People in classes of their own school; each class keeps its school in all models, as IDs of other systems do. */
const model: fc.Arbitrary<Model> = fc
  .record({
    people: fc.uniqueArray(
      fc.record({
        id: fc.constantFrom(...PEOPLE),
        first: fc.constantFrom('Ana', 'Bo'),
        school,
        role: fc.constantFrom('teacher', 'student'),
      }),
      { selector: ({ id }) => id, minLength: 1 },
    ),
    classes: fc.subarray(CLASSES, { minLength: 1 }),
    members: fc.subarray(CLASSES.flatMap((name) => PEOPLE.map((person) => [name, person] as const))),
  })
  .map(({ people: all, classes, members }) => ({ people: all.map(withName), classes, members }))
  .map(({ people, classes, members }) => ({
    people,
    classes: classes.map((id) => ({ id, school: id === '7c' ? 'g2' : 'g1' })),
    members: members.filter(([name, person]) => classes.includes(name) && people.some(({ id }) => id === person)),
  }));

function rosterOf(
  { people, classes, members }: Model,
  mode: RosterMode,
  gone: Pick<Model, 'people' | 'members'> = { people: [], members: [] },
): Roster {
  const at = 'a line';
  const schools = new Set([...people, ...classes, ...gone.people].map((one) => one.school));
  const person = ({ id, first, role, school: of }: Person, isGone: boolean): RosterPerson => ({
    sourcedId: id,
    at,
    state: isGone ? 'gone' : 'active',
    firstName: first,
    lastName: 'Same',
    email: emailOf(id),
    username: id,
    identifier: undefined,
    role,
    school: of,
  });
  const all = [...people.map((one) => person(one, false)), ...gone.people.map((one) => person(one, true))];
  const content = new RosterContent();
  for (const id of schools) content.schools.set(id, { sourcedId: id, at, state: 'active', name: NAMES[id] ?? '' });
  for (const one of all) content.people.set(one.sourcedId, one);
  for (const { id, school: of } of classes)
    content.classes.set(id, { sourcedId: id, at, state: 'active', title: id, school: of, subject: undefined });
  for (const [list, isGone] of [
    [members, false],
    [gone.members, true],
  ] as const)
    for (const [name, person] of list) content.member({ class: name, person, file: 'a', line: 1, isGone });
  return Object.assign(content, { format: 'test', files: [], modes: { people: mode, memberships: mode } });
}

const RULES: RosterRules = {
  roles: new Map([['teacher', ['Teacher']]]),
  email: undefined,
  subjects: new Map(),
  defaultSubject: 'Biology',
  leavers: 'unassign',
  takesRoles: true,
};

const EMPTY = actualOf({
  organizations: [
    { id: 's1', type: 'School', name: 'One', roles: ROLES },
    { id: 's2', type: 'School', name: 'Two', roles: ROLES },
  ],
  language: 'DE',
  subjects: SUBJECTS,
  users: [],
  classes: [],
});

function planOf(roster: Roster, map: RosterMap, actual: Actual, rules = RULES): readonly Step[] {
  const { want, complete, untouched } = wantOfRoster(roster, map, rules);
  const { steps, faults } = planState(want, actual, {
    ...{
      prune: new Set<never>(),
      complete,
      untouched,
      organization: { id: 's1', type: 'School' },
    },
  });
  expect([...roster.problems, ...faults]).toEqual([]);
  return steps;
}

/** Plans, applies and matches, as a school does each week. */
function synced(roster: Roster, map: RosterMap, actual: Actual, round: string) {
  const after = applied(actual, planOf(roster, map, actual), round);
  return { actual: after, map: rosterMap(matchRoster(roster, map, after).rows) };
}

/** Users and members by values that are the same in two worlds. */
function factsOf({ users, classes }: Actual) {
  const emails = new Map(users.map(({ id, email }) => [id, email]));
  return {
    users: users
      .map(({ email, firstName, organization, roles }) => [
        email,
        firstName,
        organization.id,
        roles.map((one) => one.id).sort(),
      ])
      .sort(),
    classes: classes
      .map(({ name, schoolId, users: has }) => [name, schoolId, has.map((id) => emails.get(id)).sort()])
      .sort(),
  };
}

describe('a bulk roster', () => {
  test('has no steps after it was applied, with the old and the new map', () => {
    fc.assert(
      fc.property(model, model, fc.constantFrom('keep', 'unassign'), (before, now, leavers) => {
        const start = synced(rosterOf(before, 'bulk'), rosterMap([]), EMPTY, 'a');
        const roster = rosterOf(now, 'bulk');
        const rules = { ...RULES, leavers } as const;
        const after = applied(start.actual, planOf(roster, start.map, start.actual, rules), 'b');
        expect(planOf(roster, start.map, after, rules)).toEqual([]);
        const map = rosterMap(matchRoster(roster, start.map, after).rows);
        expect(planOf(roster, map, after, rules)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test('gives the same plan for any order of its rows', () => {
    const shuffled = model.chain((one) =>
      fc
        .record({
          people: fc.shuffledSubarray([...one.people], { minLength: one.people.length }),
          classes: fc.shuffledSubarray([...one.classes], { minLength: one.classes.length }),
          members: fc.shuffledSubarray([...one.members], { minLength: one.members.length }),
        })
        .map((other) => [one, other] as const),
    );
    fc.assert(
      fc.property(model, shuffled, (before, [now, other]) => {
        const { actual, map } = synced(rosterOf(before, 'bulk'), rosterMap([]), EMPTY, 'a');
        expect(planOf(rosterOf(other, 'bulk'), map, actual)).toEqual(planOf(rosterOf(now, 'bulk'), map, actual));
      }),
      { numRuns: 60 },
    );
  });
});

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
const missing = <T>(from: readonly T[], others: readonly T[]): readonly T[] =>
  from.filter((one) => !others.some((other) => same(one, other)));

/** The changes between two rosters. */
function deltaOf(before: Model, now: Model): Roster {
  const gone = before.people.filter(({ id }) => !now.people.some((one) => one.id === id));
  return rosterOf(
    {
      people: missing(now.people, before.people),
      classes: missing(now.classes, before.classes),
      members: missing(now.members, before.members),
    },
    'delta',
    { people: gone, members: missing(before.members, now.members) },
  );
}

test('a delta after a bulk leads to the state of the new bulk', () => {
  fc.assert(
    fc.property(model, model, (before, now) => {
      // A bulk roster without people of a school leaves that school alone.
      fc.pre(before.people.every((one) => now.people.some((other) => other.school === one.school)));
      const { actual, map } = synced(rosterOf(before, 'bulk'), rosterMap([]), EMPTY, 'a');
      const byBulk = applied(actual, planOf(rosterOf(now, 'bulk'), map, actual), 'b');
      const byDelta = applied(actual, planOf(deltaOf(before, now), map, actual), 'b');
      expect(factsOf(byDelta)).toEqual(factsOf(byBulk));
    }),
    { numRuns: 100 },
  );
});

test('a person and a class that the map ignores keep their members', () => {
  const now: Model = {
    people: [{ id: 'p1', first: 'Ana', school: 'g1', role: 'student' }],
    classes: [{ id: '5a', school: 'g1' }],
    members: [],
  };
  const before: Model = {
    people: ['p1', 'p2', 'p3'].map((id) => ({ id, first: 'Ana', school: 'g1', role: 'student' })),
    classes: ['5a', '5b', '6a'].map((id) => ({ id, school: 'g1' })),
    members: ['5a', '5b', '6a'].flatMap((name) => ['p1', 'p2', 'p3'].map((person) => [name, person] as const)),
  };
  const { actual, map } = synced(rosterOf(before, 'bulk'), rosterMap([]), EMPTY, 'a');
  const ignored = new Set(['p2', '5b']);
  const rows = map.rows.map((row) => ({ ...row, ignore: ignored.has(row.sourcedId) }));
  const steps = planOf(rosterOf(now, 'bulk'), rosterMap(rows), actual);
  const { keyOf } = createNames(steps, actual);
  const removed = steps.map((step) => `${step.verb} ${keyOf(step)}`);
  // 6a is no longer in the roster, so its users leave it.
  const left = ['5a', '6a'].flatMap((name) => ['p1', 'p3'].map((id) => `unassign ${name}  ${id}@x.example`));
  expect(removed.sort()).toEqual(left.sort());
});
