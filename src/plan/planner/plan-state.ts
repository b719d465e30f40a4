/** The planner: a pure function from the wanted and the actual state to steps. */
import { getOrSet } from '../../core/maps.js';
import type { Actual } from '../actual.js';
import type { Excess, Planned, PlanOptions } from '../steps.js';
import type { Want } from '../want.js';
import { planClasses } from './classes.js';
import { Draft } from './draft.js';
import { planLicenses } from './licenses.js';
import { createLookup } from './lookup.js';
import { planOrganizations } from './organizations.js';
import { planPublications } from './publications.js';
import { planUsers } from './users.js';

/** The limits apply only to at least this many items of a resource in an organization. */
const MIN_ITEMS = 10;

function excessesOf({ steps, managed, options }: Draft): readonly Excess[] {
  const counts = new Map<string, { removed: number; changed: number }>();
  for (const { verb, resource, section } of steps) {
    const count = getOrSet(counts, `${resource} ${section.id}`, () => ({ removed: 0, changed: 0 }));
    if (verb === 'unassign' || verb === 'delete' || verb === 'cancel') count.removed++;
    if (verb === 'update') count.changed++;
  }
  const shares = { removed: options.maxRemoved, changed: options.maxChanged };
  return [...managed].flatMap(([key, { resource, section, count: of }]) =>
    (['removed', 'changed'] as const).flatMap((what) => {
      const count = counts.get(key)?.[what] ?? 0;
      // A quotient of whole numbers is rounded like the share that a flag gives; a product may exceed it by a bit.
      return of >= MIN_ITEMS && count / of > shares[what] ? [{ resource, section, what, count, of }] : [];
    }),
  );
}

/**
 * Plans the steps that lead from the actual to the wanted state, in an order in which each needs only earlier ones.
 * @returns steps, conflicts, faults of the input, and exceeded limits
 */
export function planState(want: Want, actual: Actual, options: PlanOptions): Planned {
  const draft = new Draft(createLookup(actual), options);
  for (const plan of [planOrganizations, planUsers, planClasses, planLicenses, planPublications]) plan(want, draft);
  const { steps, conflicts, faults, leaving } = draft;
  return { steps, conflicts, faults, leaving, excesses: excessesOf(draft) };
}
