/** Properties of plans for random wanted and actual states. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Actual, ActualClass } from '../../../src/plan/actual.js';
import { planState } from '../../../src/plan/planner/plan-state.js';
import { stepsIn } from '../../../src/plan/view/names.js';
import { NOTHING_WANTED, type Want } from '../../../src/plan/want.js';
import { applied, ROLES, SUBJECTS } from '../../support/apply-steps.js';
import { actual, license, user } from './small-states.js';

const at = 'line';
const EMAILS = ['a@x.example', 'b@x.example', 'c@x.example', 'd@x.example', 'e@x.example'];
const some = <T>(values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values), { maxLength: values.length });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const name = fc.constantFrom('Ana', 'Bo', 'Cem');

const users = some(EMAILS.slice(0, 4)).chain((emails) =>
  fc.tuple(
    ...emails.map((email) =>
      fc
        .record({ firstName: name, lastName: name, roles: some(ROLES), school: fc.constantFrom('s1', 's2') })
        .map(({ school, ...rest }) =>
          user(`id-${email[0]}`, { email, organization: { id: school, type: 'School' }, ...rest }),
        ),
    ),
  ),
);
const licence = (code: string) =>
  fc
    .record({
      name,
      maximumActivations: fc.integer({ min: 3, max: 5 }),
      holders: some(['id-a', 'id-b', 'id-z']),
      licenseCategory: fc.constantFrom(null, 'School'),
      days: fc.constantFrom(30, 365),
    })
    .map(({ days, ...rest }) =>
      license({
        ...rest,
        id: `l-${code}`,
        code,
        books: [{ id: 'B1', ean: 'eanB1' }],
        expiration: { type: 'Days', days, date: null },
        numberOfActivations: rest.holders.length,
      }),
    );
const classes = some(['5a', '5b', '6a']).chain((names) =>
  fc.tuple(
    ...names.map((one) =>
      some(['id-a', 'id-b', 'id-c', 'id-y']).map(
        (members): ActualClass => ({ id: `c-${one}`, name: one, subjectId: '01', schoolId: 's1', users: members }),
      ),
    ),
  ),
);

const states: fc.Arbitrary<Actual> = fc
  .record({ users, classes, licenses: some(['one', 'two']).chain((codes) => fc.tuple(...codes.map(licence))) })
  .map((rest) =>
    actual({
      organizations: [
        { id: 's1', type: 'School', name: 'One', country: 'DE', city: 'Bonn', roles: ROLES },
        { id: 's2', type: 'School', name: 'Two', roles: ROLES },
      ],
      language: 'DE',
      subjects: SUBJECTS,
      ...rest,
    }),
  );

const want: fc.Arbitrary<Want> = fc
  .record({
    schools: some(['One', 'New']),
    users: some(EMAILS),
    classes: some(['5a', '5b', '7z']),
    licenses: some(['one', 'two', 'six']),
    fields: fc.record({
      firstName: maybe(name),
      language: maybe(fc.constantFrom('DE', 'FR')),
      organization: maybe(fc.constantFrom('One', 's2')),
      roles: maybe(some(['Teacher', 'viewer'])),
    }),
    members: maybe(some([...EMAILS, 'id-z'])),
    subject: fc.constantFrom('Biology', '02'),
    license: fc.record({
      name: maybe(name),
      maximumActivations: maybe(fc.integer({ min: 1, max: 6 })),
      endUsers: maybe(some(EMAILS)),
      remove: maybe(fc.constant(true as const)),
      licenseCategory: maybe(fc.constant('7')),
    }),
  })
  .map((one) => ({
    ...NOTHING_WANTED,
    schools: one.schools.map((school) => ({ at, name: school, country: 'DE', city: 'Köln' })),
    users: one.users.map((email) => ({
      at,
      email,
      lastName: 'Same',
      ...one.fields,
      firstName: one.fields.firstName ?? 'First',
    })),
    classes: one.classes.map((each) => ({
      at,
      name: each,
      school: each === '7z' && one.schools.includes('New') ? 'New' : 'One',
      subject: one.subject,
      users: one.members,
    })),
    licenses: one.licenses.map((code) => ({
      at,
      code,
      type: 'Books',
      books: ['eanB1'],
      expiration: { type: 'Days', days: 90 },
      ...one.license,
      name: one.license.name ?? 'N',
      maximumActivations: one.license.maximumActivations ?? 4,
    })),
  }));

test('a second plan is empty', () => {
  const prune = fc.subarray(['classes', 'roles'] as const);
  fc.assert(
    fc.property(want, states, prune, fc.subarray(['s1', 'Two']), (wanted, is, pruned, complete) => {
      const options = {
        prune: new Set(pruned),
        complete,
        organization: { id: 's1', type: 'School' },
      } as const;
      const first = planState(wanted, is, options);
      fc.pre(first.faults.length === 0);
      for (const { step, before, after } of first.steps)
        expect(stepsIn([before, after]).every((need) => need < step)).toBe(true);
      const second = planState(wanted, applied(is, first.steps), options);
      expect(second.steps).toEqual([]);
    }),
    { numRuns: 200 },
  );
});
