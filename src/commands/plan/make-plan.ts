/** Creates a plan: reads the current state, compares it with the wanted one, and checks the limits. */

import type { Context } from '../../cli/context.js';
import { organizationFor } from '../../cli/organization-flags.js';
import type { OrganizationReference } from '../../contract/shared.js';
import { dayOf } from '../../core/day.js';
import { firstProblems, usageError } from '../../core/errors.js';
import { getPath } from '../../core/json.js';
import { plural } from '../../core/plural.js';
import { counted } from '../../output/progress/meter.js';
import type { Actual } from '../../plan/actual.js';
import { newPlan, type Origin } from '../../plan/plan-file.js';
import { planState } from '../../plan/planner/plan-state.js';
import { namesakes } from '../../plan/planner/users.js';
import { type ReadHost, readActual } from '../../plan/read-actual.js';
import {
  DEFAULT_LIMITS,
  type Limits,
  type ManagedClasses,
  type PlanOptions,
  type Prunable,
  type Step,
} from '../../plan/steps.js';
import { type Excess, excessesOf } from '../../plan/view/limits.js';
import { type PlanView, viewOf } from '../../plan/view/view.js';
import type { Want } from '../../plan/want.js';
import { wantOfSteps } from '../../plan/want-of-steps.js';
import { mayNotify } from '../kinds/print-result.js';
import { type Made, printTree } from './print-plan.js';

export interface PlanRequest {
  readonly want: Want;
  readonly prune?: readonly Prunable[];
  /** IDs or names of organizations whose users leave their classes if they are missing from the wanted state. */
  readonly complete?: readonly string[];
  readonly untouched?: PlanOptions['untouched'];
  readonly limits?: Limits;
  readonly only?: PlanOptions['only'];
  /** The organization whose users names mean. */
  readonly namesIn?: OrganizationReference | undefined;
  /** ID or name of the only organization that may change; items that name none belong to it. */
  readonly within?: string | undefined;
  /** The people of another system, whose IDs and addresses may all change at once. */
  readonly isRoster?: true;
}

const MAX_FAULTS = 20;

/** Reads the part of the state that a wanted state manages. The organization of items that name none is the caller's by default. */
export async function readFor(
  want: Want,
  context: Context,
  how: Partial<Pick<ReadHost, 'organization' | 'complete' | 'namesIn'>> = {},
): Promise<Actual> {
  const client = await context.client();
  const own = await context.callersOrganization();
  const waiting = context.io.stderr.isTTY && !context.quiet ? (await context.progress()).wait('Reading') : undefined;
  let items = 0;
  try {
    return await readActual(want, {
      client,
      resolver: await context.resolver(),
      signal: context.signal,
      language: context.language(),
      own,
      organization: own,
      ...how,
      pageSize: context.effective().pageSize?.value,
      onItems: (count) => {
        items += count;
        waiting?.update(`Reading: ${counted(items)} items`);
      },
    });
  } finally {
    waiting?.done();
  }
}

/** A share in whole percent, rounded up, but not because of the representation of the number. */
const percent = (share: number): string => `${Math.ceil(Number((share * 100).toFixed(6)))}%`;

/** The flags that allow a plan what exceeds its limits. */
export const allowing = (excesses: readonly Excess[]): readonly string[] =>
  (['removed', 'changed'] as const).flatMap((what) => {
    const shares = excesses.filter((one) => one.what === what).map(({ count, of }) => count / of);
    const flag = what === 'removed' ? '--allow-removals' : '--allow-changes';
    return shares.length === 0 ? [] : [flag, percent(Math.max(...shares))];
  });

/** Refuses a plan that exceeds its limits, after showing it on stderr. @throws EduError `usage` */
export async function checkLimits(view: PlanView, limits: Limits, isShown: boolean, context: Context): Promise<void> {
  const excesses = excessesOf(view, limits);
  if (excesses.length === 0) return;
  if (!isShown && (await mayNotify(context))) await printTree(view, 'stderr', context);
  throw usageError(
    'Refusing an unsafe plan; nothing was sent.',
    `Check the input. To allow it, add: ${allowing(excesses).join(' ')}`,
    excesses.map(({ resource, place, what, count, of }) => ({
      where: resource,
      // A class that was read by its ID may not show its school.
      message: `${count} of ${of} would be ${what} in ${place || 'classes of an unknown school'}`,
    })),
  );
}

/** Checks that a plan or receipt belongs to the service and the account in use. @param what beginning of the message @throws EduError `usage` */
export async function checkOrigin({ service, account }: Origin, what: string, context: Context): Promise<void> {
  const { baseUrl } = await context.client();
  const own = await context.callersOrganization();
  const other =
    service !== baseUrl
      ? `it was made for ${service}, not for ${baseUrl}`
      : account.id !== own.id
        ? `it was made by the organization ${account.id}, and you belong to ${own.id}`
        : undefined;
  if (other !== undefined)
    throw usageError(`${what}: ${other}.`, 'Use the profile or --base-url that it was made with.');
}

/** Reads what the service has of the items that steps name. */
export const readForSteps = (steps: readonly Step[], managed: readonly ManagedClasses[], context: Context) =>
  readFor(wantOfSteps(steps, managed), context);

/** @throws EduError `usage` for a plan that changes another organization */
function checkWithin({ steps, conflicts }: PlanView, id: string): void {
  const outside = [...steps, ...conflicts].filter(({ section }) => section.id !== id).length;
  if (outside > 0)
    throw usageError(
      `Refusing a plan with ${plural(outside, 'change')} outside of organization ${id}; nothing was sent.`,
      'Remove the items of other organizations, or plan without --organization.',
    );
}

/** Warns about the lists that could not be read. */
export async function warnOfHidden({ hiddenLists, hiddenSchools }: Actual, context: Context): Promise<void> {
  for (const name of [...(hiddenLists?.values() ?? [])].flat())
    await context.warn(`skipped ${name}: you may not list them`);
  for (const [id, reason] of hiddenSchools) await context.warn(`skipped the classes of School ${id}: ${reason}`);
}

const andMore = (all: readonly unknown[]): string => (all.length === 1 ? '' : ` (and ${all.length - 1} more)`);

/** Warns that people may hold licences already. */
async function warnOfHolders({ hiddenLists }: Actual, context: Context): Promise<void> {
  const lists = hiddenLists?.get('licenses') ?? [];
  if (lists.length > 0)
    await context.warn(`Who holds licences is not fully known: you may not list the ${lists[0]}${andMore(lists)}.`);
}

/** Warns of people who may get a second account. @throws EduError `usage` if these are most people of a roster */
async function checkNamesakes(
  { want, untouched, isRoster }: PlanRequest,
  steps: readonly Step[],
  actual: Actual,
  context: Context,
): Promise<void> {
  const found = namesakes(want, steps, actual, untouched).map(({ email, user }) => {
    const name = user.email === null ? user.id : `${user.email} (${user.id})`;
    return { where: email, message: `may be a second account of ${name}, who has the same name` };
  });
  const [first] = found;
  if (first === undefined) return;
  const people = want.users.filter(({ leaves }) => leaves !== true).length;
  if (isRoster && found.length > 1 && found.length * 2 > people)
    throw usageError(
      `Refusing the roster: ${found.length} of ${people} people would get a second account.`,
      'The other system seems to have changed its IDs and addresses. Remove old rows of kind user from roster-map.csv and run: edu roster match',
      firstProblems(found, MAX_FAULTS),
    );
  const how = isRoster
    ? 'remove their rows from roster-map.csv, and run: edu roster match'
    : 'give the ID in the column id';
  await context.warn(`${first.where}${andMore(found)} ${first.message}. If so, ${how}.`);
}

/** Warns about licences that get an end in the past. */
async function warnOfPast({ steps }: PlanView, context: Context): Promise<void> {
  const today = dayOf(context.now());
  const end = (licence: unknown): unknown => getPath(licence, 'expiration.date') ?? undefined;
  const past = steps.filter(({ step: { before, after } }) => {
    const to = end(after);
    return typeof to === 'string' && to < today && to !== end(before);
  });
  const [first] = past;
  if (first !== undefined)
    await context.warn(`The licence ${first.key}${andMore(past)} ends in the past, on ${end(first.step.after)}.`);
}

/** @throws EduError `usage` when the input is invalid or the plan unsafe */
export async function makePlan(request: PlanRequest, context: Context): Promise<Made> {
  const { want, prune = [], limits = DEFAULT_LIMITS, only, within, namesIn, isRoster } = request;
  // Without --organization-type, no other organization can stand for a hidden own one, as `organizationFor` advises.
  await context.callersOrganization();
  const organization = await organizationFor({ organization: within }, context);
  const complete = prune.includes('users')
    ? [...new Set(want.users.map((user) => user.organization ?? organization.id))]
    : (request.complete ?? []);
  const actual = await readFor(want, context, { organization, complete, namesIn });
  const { faults, unnamed, ...planned } = planState(want, actual, {
    prune: new Set(prune.filter((one) => one !== 'users')),
    complete,
    untouched: request.untouched,
    only,
    organization,
  });
  if (faults.length > 0) {
    const input = isRoster ? 'roster, or remove rows of items that no longer exist from roster-map.csv,' : 'input';
    throw usageError(
      `Cannot plan the wanted state: ${plural(faults.length, 'problem')}.`,
      `Fix the ${input} and run the command again.`,
      firstProblems(faults, MAX_FAULTS),
    );
  }
  await checkNamesakes(request, planned.steps, actual, context);
  await warnOfHolders(actual, context);
  const [kept] = isRoster ? unnamed : [];
  if (kept !== undefined)
    await context.warn(
      `The class ${kept.name}${andMore(unnamed)} is not in the roster and keeps its members who are. A row class,${kept.name},${kept.id} in roster-map.csv empties it.`,
    );
  const plan = newPlan(planned, {
    service: (await context.client()).baseUrl,
    account: actual.own,
    created: new Date(context.now()).toISOString(),
  });
  const view = viewOf({ ...planned, hash: plan.header.hash }, actual);
  if (within !== undefined) checkWithin(view, organization.id);
  await checkLimits(view, limits, false, context);
  await warnOfPast(view, context);
  return { plan, view };
}
