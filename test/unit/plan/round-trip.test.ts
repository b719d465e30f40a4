/** An export as plan has no steps: for random states with hostile names. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Actual } from '../../../src/plan/actual.js';
import { byId } from '../../../src/plan/actual.js';
import { wantOf } from '../../../src/plan/as-want.js';
import { planState } from '../../../src/plan/planner/plan-state.js';
import { readWant } from '../../../src/plan/read-want.js';
import { PLANNABLE } from '../../../src/plan/want-columns.js';
import { writeWant } from '../../../src/plan/write-want.js';
import { temporaryFolder } from '../../support/run.js';
import { actual as small, user } from './small-states.js';

/** Names that files, list cells or look-ups could change, and names that occur twice. */
const name = fc.oneof(
  fc.constantFrom(
    '5a',
    '5A',
    ' 5a',
    'a;b',
    'a\\;b',
    'a\\',
    '"',
    ',',
    'a\r\nb',
    '\ufeffx',
    '=1+1',
    'id:u1',
    'u1',
    's2',
    '01',
  ),
  fc.constantFrom(
    '',
    'null',
    '007',
    'İ',
    'ß',
    '\u202eabc',
    '\u001b[31m',
    '\ud800',
    '__proto__',
    'a@b',
    'r1',
    '{"id":1}',
  ),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
);
const id = (prefix: string) =>
  fc.oneof(
    fc.constantFrom(`${prefix}1`, `${prefix}2`, `${prefix}3`, `${prefix}@4`, '007'),
    fc.constant(`id:${prefix}`),
  );
const items = <T>(prefix: string, fields: { [K in keyof T]: fc.Arbitrary<T[K]> }, maxLength = 4) =>
  fc.uniqueArray(fc.record({ id: id(prefix), ...fields }) as fc.Arbitrary<T & { readonly id: string }>, {
    selector: (one) => one.id,
    maxLength,
  });
const SCHOOL = { id: 's0', type: 'School' } as const;

const actual: fc.Arbitrary<Actual> = fc
  .record({
    schools: items('s', { name, country: fc.constantFrom('DE', ''), city: name }),
    subjects: items('b', { name }),
    roles: items('r', { name }, 3),
    users: items('u', {
      email: fc.oneof(name, fc.constantFrom('a@x.example', 'A@x.example', 'b;c@x.example', null)),
      firstName: name,
      lastName: name,
    }),
    classes: items('c', { name }, 6),
    licenses: items('l', {
      code: fc.constantFrom('one', 'two', '007', ''),
      name,
      category: fc.constantFrom(null, 'School'),
    }),
    books: items('k', { ean: fc.constantFrom('978', '979', ''), title: name }),
    picks: fc.array(fc.nat(), { minLength: 30, maxLength: 30 }),
  })
  .map(({ schools, subjects, roles, users, classes, licenses, books, picks }): Actual => {
    let at = 0;
    const pick = <T>(list: readonly T[], otherwise: T): T =>
      list[(picks[at++ % picks.length] ?? 0) % Math.max(1, list.length)] ?? otherwise;
    const organization = () => ({
      id: pick(schools, { ...SCHOOL, name: '', country: '', city: '' }).id,
      type: 'School' as const,
    });
    const people = () =>
      [
        ...new Set([
          pick(
            users.map((one) => one.id),
            'x',
          ),
          pick(
            users.map((one) => one.id),
            'y',
          ),
        ]),
      ].sort();
    const subject = () =>
      pick(
        subjects.map((one) => one.id),
        'none',
      );
    const codes = new Set<string>();
    return {
      own: SCHOOL,
      organizations: byId([
        { ...SCHOOL, name: 'Own', country: 'DE', city: 'Bonn', roles },
        ...schools.map((one) => ({ ...one, type: 'School' as const, roles })),
      ]),
      language: 'DE',
      subjects: byId(subjects),
      users: byId(
        users.map((one) => ({
          ...one,
          email: one.email === '' ? null : one.email,
          language: 'DE',
          organization: organization(),
          roles: byId(roles.slice(0, pick([0, 1, 2], 0))),
        })),
      ),
      elsewhere: new Map(),
      classes: byId(
        classes.map((one) => ({ ...one, subjectId: subject(), schoolId: organization().id, users: people() })),
      ),
      hiddenSchools: new Map(),
      licenses: byId(
        licenses
          .filter(({ code }) => !codes.has(code) && codes.add(code))
          .map(({ id: key, code, name: label, category }) => ({
            ...{ id: key, code, name: label, licenseCategory: category, type: pick(['Books', 'Teacher'], 'Books') },
            ...{
              books: byId(books.slice(0, 2).map(({ id: book, ean }) => ({ id: book, ean }))),
              expiration: { type: 'Days', days: 30, date: null },
            },
            ...{ maximumActivations: 5, numberOfActivations: 2, organization: organization(), holders: people() },
          })),
      ),
      books: byId(
        books.map((one) => ({
          ...one,
          subject: { id: subject() },
          type: { name: 'x' },
          organization: organization(),
          settings: { indexPageNumber: 1, pageNumberOffset: null },
          year: 2020,
          level: null,
          series: pick(['', 'A;B'], ''),
        })),
      ),
      readers: [],
    };
  });

/** Two users with an address that is the ID of one of them. */
const ADDRESS_LIKE_ID = small({
  users: ['u1', 'u3'].map((one) => user(one, { email: 'u1', organization: SCHOOL, roles: [] })),
  ...{ own: SCHOOL, organizations: [{ ...SCHOOL, name: 'Own', country: 'DE', city: 'Bonn', roles: [] }] },
  ...{ subjects: [], classes: [] },
});

test.each(['ndjson', 'csv', 'json'] as const)('reads back what it writes in %s', async (format) => {
  const folder = temporaryFolder();
  await fc.assert(
    fc.asyncProperty(actual, async (is) => {
      const rows = wantOf(is);
      fc.pre(PLANNABLE.some((resource) => rows[resource].length > 0));
      const to = join(folder, randomUUID());
      await writeWant(rows, new Set(PLANNABLE), to, format);
      const { want } = await readWant(to);
      const { steps, conflicts, faults } = planState(want, is, {
        ...{ prune: new Set<never>(), complete: [], limits: { maxRemoved: 0, maxChanged: 0 }, organization: SCHOOL },
      });
      expect([...faults, ...steps, ...conflicts]).toEqual([]);
    }),
    { numRuns: 20, examples: [[ADDRESS_LIKE_ID]] },
  );
});
