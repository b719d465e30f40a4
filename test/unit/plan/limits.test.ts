import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/plan/steps.js';
import { excessesOf } from '../../../src/plan/view/limits.js';
import { actual, at, plan, type Small, user } from './small-states.js';

describe('limits of changes', () => {
  const many = Array.from({ length: 10 }, (_, index) => user(`u${index}`));
  const classes = [{ id: 'c1', name: '5a', subjectId: '01', schoolId: 's1', users: many.map(({ id }) => id) }];
  const is = actual({ users: many, classes });
  const keep = (count: number) => ({ classes: [{ at, name: '5a', users: many.slice(0, count).map(({ id }) => id) }] });
  const excesses = ({ view }: Small, limits = DEFAULT_LIMITS) => excessesOf(view, limits);
  test('refuse more than 10 % removed, unless allowed', () => {
    expect(excesses(plan(keep(9), is))).toEqual([]);
    expect(excesses(plan(keep(8), is))).toMatchObject([{ resource: 'members', what: 'removed', count: 2, of: 10 }]);
    expect(excesses(plan(keep(8), is), { maxRemoved: 0.2, maxChanged: 0 })).toEqual([]);
    expect(plan(keep(8), is).view.leaving).toEqual([{ from: '5a', count: 2, of: 10 }]);
  });
  test('refuse to remove every user of a class of any size, even if others replace them', () => {
    for (const users of [[], ['mia']]) {
      const want = { classes: [{ at, name: '5a', users }] };
      const small = actual({ classes: [{ id: 'c1', name: '5a', subjectId: '01', schoolId: 's1', users: ['tom'] }] });
      expect(excesses(plan(want, small))).toEqual([
        { resource: 'members', place: 'class 5a', what: 'removed', count: 1, of: 1 },
      ]);
      expect(excesses(plan(want, small), { maxRemoved: 1, maxChanged: 0 })).toEqual([]);
    }
  });
  test('accept exactly the allowed share', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => user(`u${index}`));
    // Their hundredths, times 100, are not whole.
    for (const count of [7, 14, 28, 29, 55, 57, 58]) {
      const users = hundred.slice(0, count).map(({ id }) => ({ at, id, lastName: 'X' }));
      const limits = { maxRemoved: 0, maxChanged: count / 100 };
      expect(excesses(plan({ users }, actual({ users: hundred })), limits)).toEqual([]);
    }
  });
  test('refuse more than 75 % changed', () => {
    const users = many.slice(0, 8).map(({ id }) => ({ at, id, lastName: 'X' }));
    expect(excesses(plan({ users }, is))).toMatchObject([{ resource: 'users', what: 'changed', count: 8, of: 10 }]);
  });
  test('hold for the schools that an organization owns', () => {
    const schools = Array.from({ length: 10 }, (_, index) => ({ at, id: `o${index}`, name: 'New' }));
    const organizations = schools.map(({ id }) => ({
      id,
      type: 'School' as const,
      name: id,
      country: 'DE',
      city: 'Ulm',
    }));
    const own = { id: 'd1', type: 'Distributor' } as const;
    expect(excesses(plan({ schools }, actual({ own, organizations })))).toEqual([
      { resource: 'schools', place: 'd1', what: 'changed', count: 10, of: 10 },
    ]);
  });
});
