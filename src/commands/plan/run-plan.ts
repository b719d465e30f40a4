/** Runs `edu plan` and `edu undo`. */

import { type Commands, isOn, textOf, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { commandAt } from '../../cli/find-command.js';
import { wordHint } from '../../cli/hints.js';
import { readingOf } from '../../cli/reading-flags.js';
import { EXIT } from '../../core/errors.js';
import { writeOutput } from '../../core/fs/output-file.js';
import { orClosed } from '../../core/io.js';
import { shellLine } from '../../core/shell.js';
import { readReceipt } from '../../plan/apply/receipt.js';
import { keyId, linesOf, newPlan, planKey, signed } from '../../plan/plan-file.js';
import { readWant } from '../../plan/read-want.js';
import { DEFAULT_LIMITS, type Prunable, SHORT_HASH } from '../../plan/steps.js';
import { planUndo } from '../../plan/undo-receipt.js';
import { excessesOf } from '../../plan/view/limits.js';
import { viewOf } from '../../plan/view/view.js';
import { limitsOf, SIGN, SKIP_INVALID, warnOfInput } from './flags.js';
import { allowing, checkOrigin, makePlan, readForSteps } from './make-plan.js';
import { checkPlanFormat, type Made, printPlan } from './print-plan.js';

function exitCodeOf({ steps, conflicts }: Made['view']): number {
  const standings = new Set(steps.map(({ standing }) => standing.is));
  if (conflicts.length > 0 || standings.has('stale')) return EXIT.partial;
  return standings.has('open') ? EXIT.changes : EXIT.done;
}

/** Makes a plan, writes it to the file of `--out` and prints it. @returns the exit code */
export async function deliver(make: () => Promise<Made>, values: Values, context: Context): Promise<number> {
  await checkPlanFormat(context);
  const out = textOf(values, 'out');
  const { plan, view } = await make();
  const key = isOn(values, SIGN.name) ? planKey(context.env, '--sign') : undefined;
  const written = key === undefined ? plan : signed(plan, key);
  if (out !== undefined) await writeOutput(out, linesOf(written), { signal: context.signal });
  await printPlan({ plan: written, view }, context).catch(orClosed);
  if (out !== undefined && view.steps.some(({ standing }) => standing.is === 'open')) {
    const flags = [
      ...['--confirm', plan.header.hash.slice(0, SHORT_HASH)],
      ...(key === undefined ? [] : ['--signed-by', keyId(key)]),
      ...allowing(excessesOf(view, DEFAULT_LIMITS)),
    ];
    const line = wordHint(`Apply it with: ${shellLine('edu', 'apply', out, ...flags)}`, context.globals);
    // Jobs of CI sign plans, and need the ID of the key.
    if (key === undefined || context.quiet) await context.say(line);
    else await context.io.stderr.write(`${line}\n`);
  }
  return exitCodeOf(view);
}

/** @returns the exit code */
export async function runPlan(values: Values, context: Context): Promise<number> {
  const skips = isOn(values, SKIP_INVALID.name);
  const { want, ...remarks } = await readWant(textOf(values, 'want') ?? '', readingOf(values), skips);
  const leftOut = await warnOfInput(remarks, context);
  const prune = textsOf(values, 'prune') as readonly Prunable[];
  const within = textOf(values, 'organization');
  const make = () => makePlan({ want, prune, limits: limitsOf(values), within }, context);
  const code = await deliver(make, values, context);
  return leftOut > 0 ? EXIT.partial : code;
}

/** @returns the exit code */
export async function runUndo(values: Values, context: Context, commands: Commands): Promise<number> {
  const given = textOf(values, 'receipt');
  const chosen = given === undefined ? await (await import('./choose-undo.js')).chooseUndo(context) : undefined;
  if (chosen?.job !== undefined) {
    const undo = await commandAt('jobs undo', commands);
    await undo?.run({ job: chosen.job }, { ...context, path: 'jobs undo' }, commands);
    return EXIT.done;
  }
  const file = given ?? chosen?.receipt ?? '';
  const receipt = readReceipt(file);
  await checkOrigin(receipt.header, `Cannot undo ${file}`, context);
  const { steps, staying, managed } = planUndo(receipt);
  const { service, account } = receipt.header;
  const plan = newPlan({ steps, managed }, { service, account, created: new Date(context.now()).toISOString() });
  const shown = [...steps, ...staying.map(({ step }) => step)];
  const viewed = { hash: plan.header.hash, steps, managed, staying };
  const make = async () => ({ plan, view: viewOf(viewed, await readForSteps(shown, managed, context)) });
  return deliver(make, values, context);
}
