/** The planner: a pure function from the wanted and the actual state to steps. */
import type { Actual } from '../actual.js';
import { Draft, type Excess, type Planned, type PlanOptions, type Step, type StepVerb } from '../steps.js';
import type { Want } from '../want.js';
import { planClasses } from './classes.js';
import { planLicenses } from './licenses.js';
import { Lookup } from './lookup.js';
import { planOrganizations } from './organizations.js';
import { planPublications } from './publications.js';
import { planUsers } from './users.js';

/** The limits apply only to at least this many items of a resource in an organization. */
const MIN_ITEMS = 10;

const REMOVES: ReadonlySet<StepVerb> = new Set(['unassign', 'delete', 'cancel']);

/** The limits that a draft exceeds. */
function excessesOf(draft: Draft, { maxRemoved, maxChanged }: PlanOptions): readonly Excess[] {
  const counts = new Map<string, { removed: number; changed: number }>();
  const keyOf = ({ resource, section }: Pick<Step, 'resource' | 'section'>): string => `${resource} ${section.id}`;
  for (const step of draft.steps) {
    const count = counts.get(keyOf(step)) ?? { removed: 0, changed: 0 };
    if (REMOVES.has(step.verb)) count.removed++;
    if (step.verb === 'update') count.changed++;
    counts.set(keyOf(step), count);
  }
  return [...draft.managed()].flatMap(({ resource, section, count: of }) => {
    const { removed = 0, changed = 0 } = counts.get(keyOf({ resource, section })) ?? {};
    if (of < MIN_ITEMS) return [];
    return [
      ...(removed > of * maxRemoved ? [{ resource, section, what: 'removed', count: removed, of } as const] : []),
      ...(changed > of * maxChanged ? [{ resource, section, what: 'changed', count: changed, of } as const] : []),
    ];
  });
}

/**
 * Plans the steps that lead from the actual to the wanted state, in an order in which each needs only earlier ones.
 * @returns steps, conflicts, faults of the input, and exceeded limits
 */
export function planState(want: Want, actual: Actual, options: PlanOptions): Planned {
  const draft = new Draft();
  const lookup = new Lookup(actual);
  planOrganizations(want, lookup, draft);
  planUsers(want, lookup, draft, options);
  planClasses(want, lookup, draft, options);
  planLicenses(want, lookup, draft, options);
  planPublications(want, lookup, draft);
  const { steps, conflicts, faults, leaving } = draft;
  return { steps, conflicts, faults, leaving, excesses: excessesOf(draft, options) };
}
