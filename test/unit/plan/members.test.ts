/** Properties of the members of classes for random lists, failures and changes of the service. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupsOf } from '../../../src/plan/apply/apply-plan.js';
import { memberGuard } from '../../../src/plan/apply/member-guard.js';
import type { PresentReader } from '../../../src/plan/apply/present.js';
import { prepareStep } from '../../../src/plan/apply/write-of.js';
import type { Limits, Step } from '../../../src/plan/steps.js';
import { excessesOf } from '../../../src/plan/view/limits.js';
import { actual, at, plan, user } from './small-states.js';

test('a class whose school is not shown may be in any school whose classes may not be listed', () => {
  const hidden = { id: 'c1', name: '5a', subjectId: '01', schoolId: '', users: [] };
  const is = actual({ classes: [hidden], hiddenSchools: new Map([['s2', 'you may not list its classes']]) });
  const faultsIn = (school: string) => plan({ classes: [{ at, id: 'c1', school, users: [] }] }, is).faults;
  expect(faultsIn('s2')).toEqual([]);
  expect(faultsIn('s1')).toMatchObject([{ message: expect.stringContaining('class c1 is not in school') }]);
});

const IDS = ['001', '002', '003', '004', '1', '2'];
const some = (ids: readonly string[]) => fc.uniqueArray(fc.constantFrom(...ids), { maxLength: ids.length });
const NAMES = ['5a', '5b'];

const scenario = fc.record({
  users: some(IDS),
  classes: fc.tuple(...NAMES.map(() => some(IDS))),
  lists: fc.tuple(...NAMES.map(() => fc.option(some(IDS), { nil: undefined }))),
  only: fc.constantFrom(undefined, 'add', 'remove'),
  maxRemoved: fc.constantFrom(0.1, 1),
  leavers: some(['001', '002']),
  /** Users who leave a class between plan and apply. */
  left: some(IDS),
  fails: fc.infiniteStream(fc.boolean()),
});

/** Applies a plan to the members of classes. @returns IDs of the classes to which an add failed */
async function applied(
  steps: readonly Step[],
  { maxRemoved }: Limits,
  members: Map<string, Set<string>>,
  fails: Iterator<boolean>,
): Promise<ReadonlySet<string>> {
  const done = new Set<number>();
  const lacking = new Set<string>();
  const guard = memberGuard(steps, maxRemoved >= 1, (step) => done.has(step));
  const people = async (_: string, id: string) => new Set(members.get(id));
  const host = {
    reader: { people } as unknown as PresentReader,
    language: 'EN',
    idOf: () => undefined,
    schoolOf: () => undefined,
    guard,
  } as const;
  for (const group of groupsOf(steps, guard)) {
    for (const step of group) {
      const prepared = await prepareStep(step, false, host);
      const { classId, userId } = (step.after ?? step.before) as { classId: string; userId: string };
      const isSent = 'writes' in prepared && fails.next().value !== true;
      if (isSent) step.verb === 'assign' ? members.get(classId)?.add(userId) : members.get(classId)?.delete(userId);
      if (isSent || ('outcome' in prepared && prepared.outcome.state === 'exists')) done.add(step.step);
      else if (step.verb === 'assign') lacking.add(classId);
    }
  }
  return lacking;
}

test('a class loses no member when an add to it failed, and is not emptied unless that is allowed', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ users, classes, lists, only, maxRemoved, leavers, left, fails }) => {
      const is = actual({
        users: users.map((id) => user(id)),
        classes: classes.map((has, index) => {
          return { id: NAMES[index] ?? '', name: NAMES[index] ?? '', subjectId: '01', schoolId: 's1', users: has };
        }),
      });
      const known = new Set([...users, ...classes.flat()]);
      const want = {
        users: leavers.flatMap((id) => (users.includes(id) ? [{ at, id, leaves: true } as const] : [])),
        classes: NAMES.map((name, index) => ({ at, name, users: lists[index] })),
      };
      const limits = { maxRemoved, maxChanged: 1 };
      const { steps, view } = plan(want, is, { only });
      const unsafe = excessesOf(view, limits);
      if (unsafe.length > 0) {
        expect(maxRemoved).toBe(0.1);
        return;
      }
      const members = new Map(NAMES.map((name, index) => [name, new Set(classes[index])]));
      for (const has of members.values()) for (const id of left) if (has.size > 1) has.delete(id);
      const before = new Map([...members].map(([name, has]) => [name, new Set(has)]));
      const lacking = await applied(steps, limits, members, fails[Symbol.iterator]());
      for (const [index, name] of NAMES.entries()) {
        const now = members.get(name) ?? new Set();
        const then = before.get(name) ?? new Set();
        const isUnclear = lists[index]?.some((id) => !known.has(id)) === true;
        if (lacking.has(name) || isUnclear) expect([...then].filter((id) => !now.has(id))).toEqual([]);
        if (maxRemoved < 1 && then.size > 0) expect(now.size).toBeGreaterThan(0);
      }
    }),
    { numRuns: 200 },
  );
});
