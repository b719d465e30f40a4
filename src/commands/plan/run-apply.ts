/** Runs `edu apply`: confirms the plan, applies it and reports the outcome. */
import { resolve } from 'node:path';
import { type Command, numberOf, textOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { commandLine } from '../../cli/format-line.js';
import { shown } from '../../cli/read-value.js';
import { EduError, type Problem, usageError } from '../../core/errors.js';
import { plural } from '../../core/plural.js';
import { type Applied, applyPlan } from '../../plan/apply/apply-plan.js';
import { outcomeOf, type StepOutcome } from '../../plan/apply/receipt.js';
import { type Plan, readPlan, SHORT_HASH } from '../../plan/plan-file.js';
import { rateOf } from '../kinds/bulk/bulk-options.js';
import { checkLimits } from './make-plan.js';
import { APPLIED } from './plan-shape.js';
import { printTree } from './print-plan.js';

const TYPED_LENGTH = 4;
const DEFAULT_CONCURRENCY = 8;
const MAX_NAMED = 20;

const HINT = 'Pass --confirm HASH, with the hash that edu plan printed.';

async function confirm({ header, ...rest }: Plan, given: string | undefined, context: Context): Promise<void> {
  const { hash } = header;
  if (given !== undefined) {
    const text = given.trim().toLowerCase();
    if (text.length >= SHORT_HASH && hash.startsWith(text)) return;
    throw usageError(`--confirm ${shown(given)} is not the hash of this plan; nothing was sent.`, HINT);
  }
  if (!context.canAsk) throw usageError('Refusing to apply a plan without confirmation; nothing was sent.', HINT);
  await printTree({ header, ...rest }, 'stderr', context);
  const prompt = await context.prompt();
  const message = `Type the first ${TYPED_LENGTH} characters of the plan's hash to apply it:`;
  const typed = (await prompt.text({ message })).trim().toLowerCase();
  if (typed.length < TYPED_LENGTH || !hash.startsWith(typed)) throw usageError('Not confirmed. Nothing was sent.');
}

async function checkOrigin({ header }: Plan, file: string, context: Context): Promise<void> {
  const { baseUrl } = await context.client();
  const own = await context.callersOrganization();
  const other =
    header.service !== baseUrl
      ? `it was made for ${header.service}, not for ${baseUrl}`
      : header.account.id !== own.id
        ? `it was made by the organization ${header.account.id}, and you belong to ${own.id}`
        : undefined;
  if (other !== undefined) throw usageError(`Cannot apply ${file}: ${other}.`, 'Plan again: edu plan WANT --out FILE');
}

const WORDS: Readonly<Record<StepOutcome, string>> = {
  done: 'done',
  exists: 'already so',
  stale: 'stale',
  skipped: 'skipped',
  failed: 'failed',
  unknown: 'of unknown outcome',
  left: 'left',
};

export type Counts = Record<StepOutcome, number>;

/** @throws EduError when a step was not done, after printing the summary */
export async function report(
  plan: Plan,
  { end, doneBefore, journal }: Applied,
  receipt: string,
  again: string,
  context: Context,
): Promise<void> {
  const counts: Counts = { done: 0, exists: 0, stale: 0, skipped: 0, failed: 0, unknown: 0, left: 0 };
  const problems: Problem[] = [];
  for (const { step, key } of plan.steps) {
    const { outcome, error } = outcomeOf(journal, step);
    counts[outcome]++;
    if (['done', 'exists', 'left'].includes(outcome) || problems.length >= MAX_NAMED) continue;
    problems.push({ where: `step ${step}, ${key}`, message: `${WORDS[outcome]}: ${error ?? ''}` });
  }
  const { steps } = plan;
  const parts = (Object.keys(counts) as StepOutcome[])
    .filter((name) => counts[name] > 0)
    .map((name) => `${counts[name]} ${WORDS[name]}`);
  const done = steps.length === 0 ? 'the plan has no steps' : `all ${steps.length} steps were done before`;
  const text =
    doneBefore === steps.length
      ? `Nothing to do: ${done}.`
      : `${plural(steps.length, 'step')}: ${parts.join(', ')}. Receipt: ${receipt}`;
  const printer = await context.printer();
  if (printer.traits.machine)
    await printer.item({ plan: plan.header.hash, steps: steps.length, ...counts, receipt }, APPLIED);
  else if (!context.quiet) await (await context.progress()).io.stderr.write(`${text}\n`);
  const reason = end?.reason;
  if (reason !== undefined) throw reason.with({ hint: `Continue with the same line: ${again}` });
  const bad = counts.stale + counts.skipped + counts.failed + counts.unknown;
  if (bad === 0) return;
  throw new EduError('partial', `${bad} of ${steps.length} steps were not done.`, {
    hint: `Plan again to see the remaining changes, or retry these steps: ${again}`,
    details: problems,
  });
}

export async function applyAndReport(
  plan: Plan,
  receipt: string,
  again: string,
  values: Values,
  context: Context,
): Promise<void> {
  const concurrency = numberOf(values, 'concurrency') ?? DEFAULT_CONCURRENCY;
  const applied = await applyPlan({ plan, receipt, concurrency, maxRate: rateOf(values) }, context);
  try {
    await report(plan, applied, receipt, again, context);
  } finally {
    await applied.close();
  }
}

export async function runApply(command: Command, values: Values, context: Context): Promise<void> {
  const file = textOf(values, 'plan') ?? '';
  const plan = readPlan(file);
  const receipt = textOf(values, 'receipt') ?? `${file}.receipt`;
  if (resolve(receipt) === resolve(file)) throw usageError(`--receipt cannot be ${shown(receipt)}: that is the plan.`);
  rateOf(values);
  await checkLimits(plan, context, 'To allow it, plan again with');
  if (plan.steps.length > 0) await confirm(plan, textOf(values, 'confirm'), context);
  await checkOrigin(plan, file, context);
  const again = { ...values, confirm: plan.header.hash.slice(0, SHORT_HASH) };
  await applyAndReport(plan, receipt, commandLine(command, context.path, again, context.globals), values, context);
}
