/** Runs `edu plan` and `edu undo`. */

import { createHash } from 'node:crypto';
import { textOf, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { wordHint } from '../../cli/hints.js';
import { readingOf } from '../../cli/reading-flags.js';
import { EXIT } from '../../core/errors.js';
import { writeOutput } from '../../core/fs/output-file.js';
import { shellLine } from '../../core/shell.js';
import { readReceipt } from '../../plan/apply/receipt.js';
import { newPlan, type Plan, planLines, SHORT_HASH } from '../../plan/plan-file.js';
import { readWant } from '../../plan/read-want.js';
import type { Prunable } from '../../plan/steps.js';
import { planUndo } from '../../plan/undo-receipt.js';
import { limitsOf } from './flags.js';
import { makePlan } from './make-plan.js';
import { checkPlanFormat, printPlan } from './print-plan.js';

export const exitCodeOf = ({ steps, conflicts }: Plan): number =>
  conflicts.length > 0 ? EXIT.partial : steps.length > 0 ? EXIT.changes : EXIT.done;

/** Writes a plan to the file of `--out` and prints it. @returns the exit code */
export async function deliver(plan: Plan, out: string | undefined, context: Context): Promise<number> {
  await checkPlanFormat(context);
  if (out !== undefined) await writeOutput(out, planLines(plan), { signal: context.signal });
  await printPlan(plan, context);
  if (out !== undefined && plan.steps.length > 0) {
    const line = shellLine('edu', 'apply', out, '--confirm', plan.header.hash.slice(0, SHORT_HASH));
    await context.say(wordHint(`Apply it with: ${line}`, context.globals));
  }
  return exitCodeOf(plan);
}

/** @returns the exit code */
export async function runPlan(values: Values, context: Context): Promise<number> {
  const { want, skipped } = await readWant(textOf(values, 'want') ?? '', readingOf(values));
  if (skipped.length > 0) await context.warn(`not managed by a plan: ${skipped.join(', ')}`);
  const prune = textsOf(values, 'prune') as readonly Prunable[];
  const plan = await makePlan({ want, prune, limits: limitsOf(values) }, context);
  return deliver(plan, textOf(values, 'out'), context);
}

/** @returns the exit code */
export async function runUndo(values: Values, context: Context): Promise<number> {
  const receipt = readReceipt(textOf(values, 'receipt') ?? '');
  const { service, account } = receipt.header;
  const hash = createHash('sha256').update(JSON.stringify(receipt)).digest('hex');
  const created = new Date(context.now()).toISOString();
  const plan = newPlan(planUndo(receipt), { service, account, wanted: hash, read: hash, created });
  return deliver(plan, textOf(values, 'out'), context);
}
