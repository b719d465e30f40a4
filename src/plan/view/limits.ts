/** The limits of a plan: how much of what exists it may remove and change. */
import { getOrSet } from '../../core/maps.js';
import type { Actual } from '../actual.js';
import type { Limits, Subject } from '../steps.js';
import type { PlanView } from './view.js';

/** The shares of an organization apply only to at least this many of its items of a resource. */
const MIN_ITEMS = 10;

export interface Excess {
  readonly resource: Subject;
  /** ID or name of the organization; the name of a class that all its users would leave. */
  readonly place: string;
  readonly what: 'removed' | 'changed';
  readonly count: number;
  readonly of: number;
}

const REMOVES = new Set(['unassign', 'delete', 'cancel']);

/** Number of existing items of a resource in an organization; of members, in the classes that a plan manages. */
function countOf(resource: Subject, place: string, { managed, actual, steps }: PlanView): number {
  if (resource === 'holders') return 0;
  if (resource === 'publishers' || resource === 'schools')
    return actual.organizations.filter(({ type }) => `${type.toLowerCase()}s` === resource).length;
  if (resource === 'classes') return actual.classes.filter(({ schoolId }) => schoolId === place).length;
  if (resource !== 'members') return actual[resource].filter(({ organization }) => organization.id === place).length;
  const ids = new Set<unknown>(managed.flatMap(({ classes }) => classes));
  for (const { step } of steps) if (step.resource === 'members') ids.add((step.after ?? step.before)?.classId);
  for (const { step } of steps) if (step.verb === 'delete') ids.delete(step.id);
  const meant = actual.classes.filter(({ id, schoolId }) => ids.has(id) && schoolId === place);
  return meant.reduce((sum, { users }) => sum + users.length, 0);
}

/** Organizations are items of the caller's. */
const placeOf = (resource: Subject, id: string | null, { own }: Actual): string =>
  resource === 'publishers' || resource === 'schools' ? own.id : (id ?? '');

/** The exceeded limits of a plan: shares of an organization, and classes of any size that all their users would leave. */
export function excessesOf(view: PlanView, limits: Limits): readonly Excess[] {
  const counts = new Map<string, Record<Excess['what'], number> & Pick<Excess, 'resource' | 'place'>>();
  for (const { step, section, standing } of view.steps) {
    const { resource, verb } = step;
    if (standing.is !== 'open') continue;
    const place = placeOf(resource, section.id, view.actual);
    const count = getOrSet(counts, `${resource} ${place}`, () => ({ resource, place, removed: 0, changed: 0 }));
    if (REMOVES.has(verb)) count.removed++;
    if (verb === 'update') count.changed++;
  }
  const shares = { removed: limits.maxRemoved, changed: limits.maxChanged };
  const ofOrganizations = [...counts.values()].flatMap(({ resource, place, ...counted }): readonly Excess[] => {
    if (counted.removed + counted.changed === 0) return [];
    const of = countOf(resource, place, view);
    // A quotient of whole numbers is rounded like the share that a flag gives; a product may exceed it by a bit.
    const isOver = (what: Excess['what']): boolean => of >= MIN_ITEMS && counted[what] / of > shares[what];
    return (['removed', 'changed'] as const).flatMap((what) =>
      isOver(what) ? [{ resource, place, what, count: counted[what], of }] : [],
    );
  });
  const emptied = view.leaving.filter(({ count, of }) => count >= of && limits.maxRemoved < 1);
  return [
    ...ofOrganizations,
    ...emptied.map(({ from, count, of }): Excess => {
      return { resource: 'members', place: `class ${from}`, what: 'removed', count, of };
    }),
  ];
}
