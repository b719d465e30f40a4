/** The limits inside a plan: how much of what exists it may remove and change. */
import { getOrSet } from '../core/maps.js';
import type { Leaving, Limits, Managed, Step } from './steps.js';

/** The shares of an organization apply only to at least this many of its items of a resource. */
const MIN_ITEMS = 10;

export interface Excess {
  readonly resource: Managed['resource'];
  /** ID or name of the organization; the name of a class that all its users would leave. */
  readonly place: string;
  readonly what: 'removed' | 'changed';
  readonly count: number;
  readonly of: number;
}

interface Limited {
  readonly steps: readonly Step[];
  readonly managed: readonly Managed[];
  readonly leaving: readonly Leaving[];
  readonly limits: Limits;
}

/** The exceeded limits of a plan: shares of an organization, and classes of any size that all their users would leave. */
export function excessesOf({ steps, managed, leaving, limits }: Limited): readonly Excess[] {
  const counts = new Map<string, { removed: number; changed: number }>();
  for (const { verb, resource, section } of steps) {
    const count = getOrSet(counts, `${resource} ${section.id}`, () => ({ removed: 0, changed: 0 }));
    if (verb === 'unassign' || verb === 'delete' || verb === 'cancel') count.removed++;
    if (verb === 'update') count.changed++;
  }
  const shares = { removed: limits.maxRemoved, changed: limits.maxChanged };
  const ofOrganizations = managed.flatMap(({ resource, section, count: of }) =>
    (['removed', 'changed'] as const).flatMap((what): readonly Excess[] => {
      const count = counts.get(`${resource} ${section.id}`)?.[what] ?? 0;
      // A quotient of whole numbers is rounded like the share that a flag gives; a product may exceed it by a bit.
      const isOver = of >= MIN_ITEMS && count / of > shares[what];
      return isOver ? [{ resource, place: section.id ?? section.name, what, count, of }] : [];
    }),
  );
  const emptied = leaving.filter(({ count, of }) => count === of && limits.maxRemoved < 1);
  return [
    ...ofOrganizations,
    ...emptied.map(({ from, count, of }): Excess => {
      return { resource: 'members', place: `class ${from}`, what: 'removed', count, of };
    }),
  ];
}
