/** The counts of a plan, as numbers and as a sentence. */
import { plural } from '../../core/plural.js';
import { type Plan, SHORT_HASH } from '../plan-file.js';
import type { Leaving, StepVerb } from '../steps.js';

export interface PlanSummary {
  readonly add: number;
  readonly change: number;
  readonly remove: number;
  readonly emails: number;
  readonly conflicts: number;
}

const KINDS: Readonly<Record<StepVerb, 'add' | 'change' | 'remove'>> = {
  create: 'add',
  assign: 'add',
  update: 'change',
  unassign: 'remove',
  delete: 'remove',
  cancel: 'remove',
};

/** Max number of classes in a summary. */
const MAX_NAMED = 3;

export function summaryOf({ steps, conflicts }: Pick<Plan, 'steps' | 'conflicts'>): PlanSummary {
  const counts = { add: 0, change: 0, remove: 0 };
  let emails = 0;
  for (const { verb, mails } of steps) {
    counts[KINDS[verb]]++;
    if (mails) emails++;
  }
  return { ...counts, emails, conflicts: conflicts.length };
}

function leavingText(leaving: readonly Leaving[]): string {
  if (leaving.length === 0) return '';
  const named = leaving.slice(0, MAX_NAMED).map(({ from, count, of }) => `${count} of ${of} in ${from}`);
  const more = leaving.length - MAX_NAMED;
  return ` (${named.join(', ')}${more > 0 ? `, ${more} more` : ''})`;
}

/** `2 to add, 1 to change, 1 e-mail. Plan 3f9a21c0` */
export function summaryText(plan: Plan): string {
  const { add, change, remove, emails, conflicts } = summaryOf(plan);
  const parts = [
    ...(add > 0 ? [`${add} to add`] : []),
    ...(change > 0 ? [`${change} to change`] : []),
    ...(remove > 0 ? [`${remove} to remove${leavingText(plan.header.leaving)}`] : []),
    ...(emails > 0 ? [plural(emails, 'e-mail')] : []),
    ...(conflicts > 0 ? [plural(conflicts, 'conflict')] : []),
  ];
  const text = plan.steps.length === 0 ? ['nothing to do', ...parts].join(', ') : parts.join(', ');
  return `${text[0]?.toUpperCase()}${text.slice(1)}. Plan ${plan.header.hash.slice(0, SHORT_HASH)}`;
}
