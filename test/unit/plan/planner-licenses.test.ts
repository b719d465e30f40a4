import { describe, expect, test } from 'vitest';
import { type ActualLicense, licenseOf } from '../../../src/plan/actual.js';
import { actual, at, book, license, plan, said } from './small-states.js';

describe('licences and holders', () => {
  const is = (more: Partial<ActualLicense>) => actual({ licenses: [license(more)] });
  test('reports a conflict for a licence with a category without licenseCategory', () => {
    const licenses = [{ at, code: 'autumn1', name: 'Winter' }];
    expect(said(plan({ licenses }, is({ licenseCategory: 'School' })))[0]).toContain('shows the category School');
    expect(
      said(plan({ licenses: [{ ...licenses[0], at, licenseCategory: '7' }] }, is({ licenseCategory: 'School' }))),
    ).toEqual(['update licenses autumn1']);
    expect(
      said(plan({ licenses: [{ at, code: 'autumn1', licenseCategory: '7' }] }, is({ licenseCategory: 'School' }))),
    ).toEqual([]);
  });
  test('reports a conflict for a licence without maximumActivations, which no change may guess', () => {
    const none = is({ maximumActivations: licenseOf({} as never).maximumActivations });
    expect(said(plan({ licenses: [{ at, code: 'autumn1', name: 'Winter' }] }, none))).toEqual([
      '! autumn1: shows no maximumActivations, which each change sends: add a column maximumActivations',
    ]);
    const licenses = [{ at, code: 'autumn1', name: 'Winter', maximumActivations: 9 }];
    expect(said(plan({ licenses }, none))).toEqual(['update licenses autumn1']);
  });
  test('says that an update may reset a category that the service does not show', () => {
    const why = (more: object) =>
      plan({ licenses: [{ at, code: 'autumn1', name: 'Winter', ...more }] }, is({})).view.steps.map((step) => step.why);
    expect(why({})).toEqual(['a category may be reset: the service shows none']);
    expect(why({ licenseCategory: '7' })).toEqual(['']);
  });
  test('reports another type or organization as a conflict, the organization by its ID', () => {
    expect(said(plan({ licenses: [{ at, code: 'autumn1', type: 'Teacher', organization: 'Lycée' }] }, is({})))).toEqual(
      [
        '! autumn1: type Books → Teacher: the service cannot change it',
        '! autumn1: organization s1 → s2: the service cannot change it',
      ],
    );
  });
  test('reports books and an end of a licence for teachers as a conflict, unless the service has them', () => {
    const expiration = { type: 'Date', date: '2030-01-01' };
    const why = '! t1: only a licence of type Books has books and an end';
    const teacher = { code: 't1', type: 'Teacher', books: [] };
    for (const more of [{ expiration }, { books: ['978'] }]) {
      const want = { licenses: [{ at, code: 't1', ...more }] };
      expect(said(plan(want, { ...is({ ...teacher, expiration: null }), books: [book('B1', '978')] }))).toEqual([why]);
      const row = { at, code: 't1', name: 'T', type: 'Teacher', maximumActivations: 1, ...more };
      expect(said(plan({ licenses: [row] }))).toEqual(['create licenses t1', why]);
    }
    const same = is({ ...teacher, expiration: { ...expiration, days: null } });
    expect(said(plan({ licenses: [{ at, code: 't1', expiration }] }, same))).toEqual([]);
  });
  test('changes books only before the first activation', () => {
    const want = { licenses: [{ at, code: 'autumn1', books: ['B2'] }] };
    const other = book('B2', '979');
    expect(said(plan(want, { ...is({}), books: [other] }))).toEqual(['update licenses autumn1']);
    expect(said(plan(want, { ...is({ numberOfActivations: 1 }), books: [other] }))).toEqual([
      '! autumn1: its books cannot change after it was activated',
    ]);
  });
  test('sends a book once that a row names twice', () => {
    const { steps } = plan(
      { licenses: [{ at, code: 'autumn1', books: ['B2', '979'] }] },
      { ...is({}), books: [book('B2', '979')] },
    );
    expect(steps).toMatchObject([{ after: { books: ['B2'] } }]);
  });
  test('assigns up to the maximum, and unassigns nobody', () => {
    const want = { licenses: [{ at, code: 'autumn1', endUsers: ['mia@s1.example', 'tom@s1.example'] }] };
    const planned = plan(want, is({ maximumActivations: 2, numberOfActivations: 1, holders: ['u9'] }));
    expect(said(planned)).toEqual([
      'assign holders autumn1  mia@s1.example',
      '! autumn1  tom@s1.example: all 2 activations are in use',
      '! autumn1: stays with 1 person: the service cannot take it away',
    ]);
  });
  test('raises the maximum before it assigns', () => {
    const want = { licenses: [{ at, code: 'autumn1', maximumActivations: 2, endUsers: ['mia@s1.example'] }] };
    const { steps } = plan(want, is({ maximumActivations: 1 })).view;
    expect(steps.map(({ step, needs }) => [step.verb, needs])).toEqual([
      ['update', []],
      ['assign', [1]],
    ]);
  });
  test('removes a licence only when a row asks for it: deletes it, or cancels an activated one', () => {
    const want = { licenses: [{ at, code: 'autumn1', remove: true }] } as const;
    expect(said(plan(want, is({})))).toEqual(['delete licenses autumn1']);
    const used = plan(want, is({ numberOfActivations: 2 }));
    expect(said(used)).toEqual(['cancel licenses autumn1']);
    expect(used.view.steps[0]?.why).toContain('again if it was before (the service does not show it)');
  });
});
