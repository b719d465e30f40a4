/** The planner: a pure function from the wanted and the actual state to steps. */
import type { Actual } from '../actual.js';
import type { Planned, PlanOptions } from '../steps.js';
import type { Want } from '../want.js';
import { planClasses } from './classes.js';
import { Draft } from './draft.js';
import { planLicenses } from './licenses.js';
import { planOrganizations, planPublications } from './plain-items.js';
import { planUsers } from './users.js';
import { createReferences } from './want-references.js';

/**
 * Plans the steps that lead from the actual to the wanted state, in an order in which each needs only earlier ones.
 * @returns steps, conflicts, faults of the input, and the classes whose members are managed
 */
export function planState(want: Want, actual: Actual, options: PlanOptions): Planned {
  const draft = new Draft(createReferences(actual, want), options);
  for (const plan of [planOrganizations, planUsers, planClasses, planLicenses, planPublications]) plan(want, draft);
  const { steps, conflicts, faults, managed, unnamed } = draft;
  return { steps, conflicts, faults, managed, unnamed };
}
