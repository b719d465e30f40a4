/** Applies a plan: steps of one kind form a group, groups run in dependency order, each on the engine of bulk jobs. */
import { resolve } from 'node:path';
import type { BulkHost } from '../../bulk/host.js';
import { journalFile, lockFile } from '../../bulk/job/job-store.js';
import { Journal } from '../../bulk/job/journal.js';
import { runParts } from '../../bulk/job/run-parts.js';
import { type RunEnd, runRows } from '../../bulk/job/run-rows.js';
import { isDone, isFailed } from '../../bulk/job/states.js';
import { retryRows } from '../../bulk/results/failures.js';
import { internalVerb, type Verb } from '../../bulk/row-command.js';
import type { Client } from '../../client/request/client.js';
import { takeLock } from '../../core/fs/lock.js';
import { ensureFolder } from '../../core/fs/mkdir.js';
import { writeOutput } from '../../core/fs/output-file.js';
import { grouped } from '../../core/maps.js';
import { checkOwnFolder } from '../../settings/folders.js';
import { linesOf, type Plan } from '../plan-file.js';
import type { Limits, Step } from '../steps.js';
import { needsOf, type PlanView } from '../view/view.js';
import { type MemberGuard, memberGuard } from './member-guard.js';
import { noteReceipt, planFolder, receiptIn } from './plan-records.js';
import { presentReader } from './present.js';
import { receiptOf } from './receipt.js';
import { outcomeOfStanding, type Prepared, prepareStep, type StepHost } from './write-of.js';

export interface ApplyRequest {
  readonly plan: Plan;
  readonly receipt: string;
  readonly concurrency: number;
  /** Requests per second. */
  readonly maxRate: number | undefined;
  /** What was shown: steps that were not open are not sent. */
  readonly view: PlanView;
  readonly limits: Limits;
}

export type Applied = Awaited<ReturnType<typeof applyPlan>>;

/** Groups steps of one kind, so that each group needs only earlier ones. */
export function groupsOf(steps: readonly Step[], guard: MemberGuard): readonly (readonly Step[])[] {
  const levels = new Map<number, number>();
  const levelOf = (step: number | undefined): number => levels.get(step ?? 0) ?? 0;
  const needs = needsOf(steps);
  for (const step of steps)
    levels.set(
      step.step,
      [...needs(step), ...guard.awaited(step)].reduce((max, need) => Math.max(max, levelOf(need) + 1), 0),
    );
  const groups = grouped(steps, ({ step, verb, resource }) => [`${levelOf(step)} ${verb} ${resource}`]);
  return [...groups.values()].sort(([a], [b]) => levelOf(a?.step) - levelOf(b?.step));
}

/** Steps as rows of the bulk engine, which sends what was prepared for each. */
const verbOf = (prepared: ReadonlyMap<number, Prepared>): Verb =>
  internalVerb({
    path: 'apply',
    // Steps that need no request are settled before.
    plan: async ({ step }) => (prepared.get(Number(step)) as Extract<Prepared, { writes: unknown }>).writes,
  });

/** The steps of a plan that are not done yet. */
export async function remainingSteps(plan: Plan, context: BulkHost): Promise<readonly Step[]> {
  const folder = planFolder(plan, context);
  checkOwnFolder(folder);
  const journal = await Journal.reading(journalFile({ folder }), plan.steps.length);
  await journal.close();
  return plan.steps.filter(({ step }) => !isDone(journal.state(step)));
}

/** Functions that prepare steps. @param isStepDone whether a step was done @param idOf the ID of an item that a step created */
function stepHost(
  { plan, view, limits }: ApplyRequest,
  client: Client,
  isStepDone: (step: number) => boolean,
  idOf: StepHost['idOf'],
  context: BulkHost,
): StepHost {
  // A class that an earlier run has deleted is no longer in the lists.
  const named = plan.header.managed.flatMap(({ school, classes }) => classes.map((id) => [id, school] as const));
  const schools = new Map([...named, ...view.actual.classes.map(({ id, schoolId }) => [id, schoolId] as const)]);
  return {
    guard: memberGuard(plan.steps, limits.maxRemoved >= 1, isStepDone),
    reader: presentReader(client, context.language(), context.signal, context.now),
    language: context.language(),
    idOf,
    schoolOf: (id) => schools.get(id) || undefined,
  };
}

/** Applies a plan, skipping steps that an earlier run has done. The caller must call `close`. */
export async function applyPlan(request: ApplyRequest, context: BulkHost) {
  const { plan, receipt, concurrency, maxRate, view } = request;
  const { steps } = plan;
  const folder = planFolder(plan, context);
  if (!checkOwnFolder(folder)) ensureFolder(folder);
  const { now, machine } = context;
  const unlock = await takeLock(lockFile({ folder }), machine, 'This plan is being applied');
  let opened: Journal | undefined;
  try {
    const journal = await Journal.open(journalFile({ folder }), steps.length);
    opened = journal;
    retryRows(journal, { rows: steps.length }, 'failed');
    const sentBefore = new Set(steps.filter(({ step }) => journal.state(step) === 'sending').map(({ step }) => step));
    const doneBefore = steps.filter(({ step }) => isDone(journal.state(step))).length;
    await journal.flush();
    const client = await context.client();
    const prepared = new Map<number, Prepared>();
    const isStepDone = (step: number): boolean => isDone(journal.state(step));
    const idOf = (step: number) => (isStepDone(step) ? journal.outcome(step).id : undefined);
    const host = stepHost(request, client, isStepDone, idOf, context);
    const shown = new Map(view.steps.map(({ step, standing }) => [step.step, standing]));
    const bar = (await context.progress()).bar('edu apply', steps.length, 'items', doneBefore);
    let at = doneBefore;
    let failed = 0;
    let end: RunEnd | undefined;
    for (const group of groupsOf(steps, host.guard)) {
      if (group.every(({ step }) => isStepDone(step))) continue;
      const rows = group.map(({ step }) => ({ number: step, line: step, cells: [] }));
      end = await runRows({
        ...runParts(client, { journal, rows: steps.length, isPart: false, takenIds: [] }, context),
        verb: verbOf(prepared),
        rows: (async function* () {
          yield rows;
        })(),
        valuesOf: ({ number }) => ({ values: { step: number }, hasOwnKey: false }),
        async settled({ step: number }) {
          const step = steps[Number(number) - 1];
          if (step === undefined) return undefined;
          const mayBeOurs = sentBefore.has(step.step);
          const standing = mayBeOurs ? undefined : shown.get(step.step);
          const isKept = standing !== undefined && standing.is !== 'open';
          const ready = isKept ? outcomeOfStanding(standing, false) : await prepareStep(step, mayBeOurs, host);
          prepared.set(step.step, ready);
          return 'outcome' in ready ? ready.outcome : undefined;
        },
        known: { count: 0, of: () => undefined },
        shard: undefined,
        concurrency,
        maxRate,
        onExisting: 'skip',
        endsWith: () => undefined,
        limit: undefined,
        warn: (text) => void context.warn(text),
        onRow: ({ state }) => {
          at++;
          if (isFailed(state)) failed++;
          bar.at(at, failed === 0 ? undefined : `${failed} not done`);
        },
      });
      if (end.reason !== undefined) break;
      await journal.flush();
    }
    bar.done();
    await journal.flush();
    noteReceipt(folder, receipt);
    const written = receiptOf(plan, journal, new Date(now()).toISOString());
    for (const file of new Set([receiptIn(folder), resolve(receipt)])) await writeOutput(file, linesOf(written));
    const close = async (): Promise<void> => {
      journal.endRun(new Date(now()).toISOString());
      await journal.close();
      unlock();
    };
    return { end, doneBefore, journal, close };
  } catch (error) {
    await opened?.close().catch(() => {});
    unlock();
    throw error;
  }
}
