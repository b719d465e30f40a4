/** For random wanted and actual states: once a plan's steps are done, a second plan has none. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Actual, ActualClass, ActualLicense, ActualOrganization, ActualUser } from '../../../src/plan/actual.js';
import { planState } from '../../../src/plan/planner/plan-state.js';
import type { Fields, Step } from '../../../src/plan/steps.js';
import { NOTHING_WANTED, type Want } from '../../../src/plan/want.js';

const ROLES = [
  { id: 'teacher', name: 'Teacher' },
  { id: 'viewer', name: 'Viewer' },
];
const SUBJECTS = [
  { id: '01', name: 'Biology' },
  { id: '02', name: 'Art' },
];

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
interface World {
  organizations: ActualOrganization[];
  users: Mutable<ActualUser>[];
  classes: Mutable<ActualClass>[];
  licenses: Mutable<ActualLicense>[];
}

/** Does the steps of a plan to a state, as the service would. */
function applied(actual: Actual, steps: readonly Step[]): Actual {
  const made = new Map<number, string>();
  const world: World = structuredClone({
    organizations: [...actual.organizations],
    users: [...actual.users],
    classes: [...actual.classes],
    licenses: [...actual.licenses],
  });
  const idOf = (ref: unknown): string => {
    const { id, step } = ref as { readonly id?: string; readonly step?: number };
    return id ?? made.get(step ?? 0) ?? 'not made';
  };
  const find = <T extends { readonly id: string }>(list: T[], id: string): T => {
    const one = list.find((each) => each.id === id);
    if (one === undefined) throw new Error(`${id} is not there`);
    return one;
  };
  const filled = ({ organization, roles, ...rest }: Fields): Fields => ({
    ...rest,
    ...(organization === undefined ? {} : { organization: { ...(organization as Fields), id: idOf(organization) } }),
    ...(roles === undefined
      ? {}
      : {
          roles: (roles as Fields[]).map((role) => ROLES.find(({ id, name }) => id === role.id || name === role.name)),
        }),
  });
  for (const { step, verb, resource, id, before, after } of steps) {
    const fresh = `new${step}`;
    made.set(step, id ?? fresh);
    const fields = after ?? {};
    if (resource === 'members' || resource === 'holders') {
      const { user, ...of } = (after ?? before) as { user: unknown; class?: unknown; license?: unknown };
      const who = idOf(user);
      if (resource === 'members') {
        const one = find(world.classes, idOf(of.class));
        one.users = verb === 'assign' ? [...one.users, who] : one.users.filter((each) => each !== who);
      } else {
        const one = find(world.licenses, idOf(of.license));
        one.holders = [...one.holders, who];
        one.numberOfActivations++;
        expect(one.numberOfActivations).toBeLessThanOrEqual(one.maximumActivations);
      }
    } else if (verb === 'delete' || verb === 'cancel') {
      world.classes = world.classes.filter((one) => one.id !== id);
      world.licenses = world.licenses.filter((one) => one.id !== id);
    } else if (resource === 'schools') {
      if (verb === 'create')
        world.organizations.push({
          id: fresh,
          type: 'School',
          roles: ROLES,
          ...fields,
        } as unknown as ActualOrganization);
      else Object.assign(find(world.organizations, id ?? ''), fields);
    } else if (resource === 'users') {
      if (verb === 'create') world.users.push({ id: fresh, ...filled(fields) } as unknown as ActualUser);
      else Object.assign(find(world.users, id ?? ''), filled(fields));
    } else if (resource === 'classes') {
      const { subject, school, name } = fields as { subject: { id: string }; school?: unknown; name: string };
      if (verb === 'create')
        world.classes.push({ id: fresh, name, subjectId: subject.id, schoolId: idOf(school), users: [] });
      else Object.assign(find(world.classes, id ?? ''), { name, subjectId: subject.id });
    } else {
      const { books, expiration, ...rest } = filled(fields) as { books?: string[]; expiration?: Fields };
      const facts = {
        ...rest,
        books: (books ?? []).map((book) => ({ id: book, ean: `ean${book}` })),
        expiration: expiration === undefined ? null : { days: null, date: null, ...expiration },
      };
      if (verb === 'create')
        world.licenses.push({
          id: fresh,
          numberOfActivations: 0,
          licenseCategory: null,
          holders: [],
          ...facts,
        } as unknown as ActualLicense);
      else Object.assign(find(world.licenses, id ?? ''), facts, { licenseCategory: null });
    }
  }
  return { ...actual, ...world };
}

const at = 'line';
const EMAILS = ['a@x.example', 'b@x.example', 'c@x.example', 'd@x.example', 'e@x.example'];
const some = <T>(values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values), { maxLength: values.length });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const name = fc.constantFrom('Ana', 'Bo', 'Cem');

const users = some(EMAILS.slice(0, 4)).chain((emails) =>
  fc.tuple(
    ...emails.map((email) =>
      fc.record({ firstName: name, lastName: name, roles: some(ROLES), school: fc.constantFrom('s1', 's2') }).map(
        ({ school, ...rest }): ActualUser => ({
          id: `id-${email[0]}`,
          email,
          language: 'DE',
          organization: { id: school, type: 'School' },
          ...rest,
        }),
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
    .map(
      ({ days, ...rest }): ActualLicense => ({
        ...rest,
        id: `l-${code}`,
        code,
        type: 'Books',
        books: [{ id: 'B1', ean: 'eanB1' }],
        expiration: { type: 'Days', days, date: null },
        numberOfActivations: rest.holders.length,
        organization: { id: 's1', type: 'School' },
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

const actual: fc.Arbitrary<Actual> = fc
  .record({ users, classes, licenses: some(['one', 'two']).chain((codes) => fc.tuple(...codes.map(licence))) })
  .map((rest) => ({
    own: { id: 's1', type: 'School' },
    organizations: [
      { id: 's1', type: 'School', name: 'One', country: 'DE', city: 'Bonn', roles: ROLES },
      { id: 's2', type: 'School', name: 'Two', roles: ROLES },
    ],
    language: 'DE',
    subjects: SUBJECTS,
    elsewhere: new Map(),
    hiddenSchools: new Map(),
    books: [],
    readers: [],
    ...rest,
  }));

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
  const prune = fc.subarray(['classes', 'roles', 'users'] as const);
  fc.assert(
    fc.property(want, actual, prune, (wanted, is, pruned) => {
      const options = {
        prune: new Set(pruned),
        maxRemoved: 1,
        maxChanged: 1,
        organization: { id: 's1', type: 'School' },
      } as const;
      const first = planState(wanted, is, options);
      fc.pre(first.faults.length === 0);
      for (const { step, needs } of first.steps) expect(needs.every((need) => need < step)).toBe(true);
      const second = planState(wanted, applied(is, first.steps), options);
      expect(second.steps).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});
