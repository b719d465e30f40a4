/** Runs `edu apply`: confirms the plan, applies it and reports the outcome. */
import { stopError } from '../../bulk/results/failures.js';
import { type Command, isOn, numberOf, textOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { commandLine } from '../../cli/format-line.js';
import { shown } from '../../cli/read-value.js';
import { EduError, type Problem, usageError } from '../../core/errors.js';
import { checkOutput } from '../../core/fs/output-file.js';
import { orClosed } from '../../core/io.js';
import { plural } from '../../core/plural.js';
import { type Applied, applyPlan, remainingSteps } from '../../plan/apply/apply-plan.js';
import { OUTCOMES, outcomeOf, type StepOutcome } from '../../plan/apply/receipt.js';
import { shownWrite } from '../../plan/apply/write-of.js';
import { isSignedBy, keyId, type Plan, type PlanHeader, planKey, readPlan } from '../../plan/plan-file.js';
import { SHORT_HASH } from '../../plan/steps.js';
import { viewOf } from '../../plan/view/view.js';
import { rateOf } from '../kinds/bulk/bulk-options.js';
import { sayFolderProfile } from '../kinds/define.js';
import { printRequests } from '../kinds/dry-run.js';
import { mayNotify, notify } from '../kinds/print-result.js';
import { wantsRecords } from '../kinds/spec.js';
import { limitsOf } from './flags.js';
import { checkLimits, checkOrigin, readForSteps } from './make-plan.js';
import { APPLIED } from './plan-shape.js';
import { type Made, printTree } from './print-plan.js';

const TYPED_LENGTH = 4;
const DEFAULT_CONCURRENCY = 8;
const MAX_NAMED = 20;

const HINT = 'Pass --confirm HASH, with the hash that edu plan printed.';

async function confirm({ hash }: PlanHeader, given: string | undefined, context: Context): Promise<void> {
  if (given !== undefined) return;
  if (!context.canAsk) throw usageError('Refusing to apply a plan without confirmation; nothing was sent.', HINT);
  const prompt = await context.prompt();
  const message = `Type the first ${TYPED_LENGTH} characters of the plan's hash to apply it:`;
  const typed = (await prompt.text({ message })).trim().toLowerCase();
  if (typed.length < TYPED_LENGTH || !hash.startsWith(typed)) throw usageError('Not confirmed. Nothing was sent.');
}

function checkHash({ hash }: PlanHeader, given: string | undefined): void {
  if (given === undefined) return;
  const text = given.trim().toLowerCase();
  if (text.length >= SHORT_HASH && hash.startsWith(text)) return;
  throw usageError(`--confirm ${shown(given)} is not the hash of this plan; nothing was sent.`, HINT);
}

/** @param by ID of the key @throws EduError `usage` if the plan is not signed by this key */
function checkSignature(plan: Plan, file: string, by: string | undefined, context: Context): void {
  if (by === undefined) return;
  const key = planKey(context.env, '--signed-by');
  const id = keyId(key);
  if (by.trim().toLowerCase() !== id)
    throw usageError(`--signed-by ${shown(by)} is not the ID of the key in EDU_PLAN_KEY, which is ${id}.`);
  if (isSignedBy(plan, key)) return;
  const why =
    plan.header.signature === undefined ? 'it is not signed' : `it was changed, or signed by another key than ${id}`;
  throw usageError(`Cannot apply ${file}: ${why}; nothing was sent.`, 'Plan again: edu plan WANT --out FILE --sign');
}

const wordFor = (outcome: StepOutcome): string =>
  ({ exists: 'already done', unknown: 'of unknown outcome' })[outcome as string] ?? outcome;

/** Whether the outcome is data on stdout, not only talk on stderr. @throws EduError `usage` if it has no such field, or no ID */
export async function printsOutcome(context: Context): Promise<boolean> {
  const printer = await context.printer();
  const isData = printer.traits.machine === true || wantsRecords(context);
  if (isData) await printer.check(APPLIED, 'item');
  return isData;
}

/** @throws EduError when a step was not done, after printing the summary */
async function report({ plan, view, receipt, again }: Applying, applied: Applied, context: Context): Promise<void> {
  const { end, doneBefore, journal } = applied;
  const keys = new Map(view.steps.map(({ step, key }) => [step.step, key]));
  const counts = Object.fromEntries(OUTCOMES.map((name) => [name, 0])) as Record<StepOutcome, number>;
  const problems: Problem[] = [];
  for (const { step } of plan.steps) {
    const { outcome, error } = outcomeOf(journal, step);
    counts[outcome]++;
    if (['done', 'exists', 'left'].includes(outcome) || problems.length >= MAX_NAMED) continue;
    problems.push({ where: `step ${step}, ${keys.get(step)}`, message: `${wordFor(outcome)}: ${error ?? ''}` });
  }
  const { steps } = plan;
  const parts = OUTCOMES.filter((name) => counts[name] > 0).map((name) => `${counts[name]} ${wordFor(name)}`);
  const done = steps.length === 0 ? 'the plan has no steps' : `all ${steps.length} steps were done before`;
  const text =
    doneBefore === steps.length
      ? `Nothing to do: ${done}.`
      : `${plural(steps.length, 'step')}: ${parts.join(', ')}. Receipt: ${receipt}`;
  const outcome = { plan: plan.header.hash, steps: steps.length, ...counts, receipt };
  if (await printsOutcome(context)) await (await context.printer()).item(outcome, APPLIED).catch(orClosed);
  await notify(text, context);
  const reason = end?.reason;
  if (reason !== undefined) throw stopError(reason, `Continue with the same line: ${again}`);
  const bad = counts.stale + counts.skipped + counts.failed + counts.unknown;
  if (bad === 0) return;
  throw new EduError('partial', `${bad} of ${steps.length} steps were not done.`, {
    hint: `Plan again to see the remaining changes, or retry these steps: ${again}`,
    details: problems,
  });
}

/** A plan to apply, as it was shown. */
export interface Applying extends Made {
  readonly receipt: string;
  /** The command line that continues it. */
  readonly again: string;
  readonly values: Values;
}

export async function applyAndReport(applying: Applying, context: Context): Promise<void> {
  const { values } = applying;
  const concurrency = numberOf(values, 'concurrency') ?? DEFAULT_CONCURRENCY;
  const request = { ...applying, concurrency, maxRate: rateOf(values), limits: limitsOf(values) };
  const applied = await applyPlan(request, context);
  try {
    await report(applying, applied, context);
  } finally {
    await applied.close();
  }
}

/** Warns about a receipt that a dry run does not write. */
export async function warnOfReceipt(values: Values, context: Context): Promise<void> {
  if (values.receipt !== undefined) await context.warn('--receipt is not written: a dry run has no outcomes.');
}

export async function runApply(command: Command, values: Values, context: Context): Promise<void> {
  const file = textOf(values, 'plan') ?? '';
  const plan = readPlan(file);
  const { header } = plan;
  const receipt = textOf(values, 'receipt') ?? `${file}.receipt`;
  // Throws for an invalid --rate before anything is read.
  rateOf(values);
  const given = textOf(values, 'confirm');
  const isDry = isOn(values, 'dry-run');
  checkHash(header, given);
  checkSignature(plan, file, textOf(values, 'signed-by'), context);
  if (isDry) await warnOfReceipt(values, context);
  else {
    checkOutput(receipt);
    await printsOutcome(context);
    await sayFolderProfile(context);
  }
  await checkOrigin(header, `Cannot apply ${file}`, context);
  const steps = await remainingSteps(plan, context);
  const view = viewOf(
    { hash: header.hash, steps, all: plan.steps, managed: header.managed },
    await readForSteps(steps, header.managed, context),
  );
  const isShown = (given === undefined && !isDry && context.canAsk) || (await mayNotify(context));
  if (steps.length > 0 && isShown) await printTree(view, 'stderr', context, true);
  await checkLimits(view, limitsOf(values), isShown, context);
  if (isDry) {
    const open = view.steps.filter(({ standing }) => standing.is === 'open');
    return printRequests(
      open.map(({ step }) => shownWrite(step, context.language())),
      context,
    );
  }
  if (steps.length > 0) await confirm(header, given, context);
  const flags = { ...values, confirm: header.hash.slice(0, SHORT_HASH) };
  const again = commandLine(command, context.path, flags, context.globals);
  await applyAndReport({ plan, view, receipt, again, values }, context);
}
