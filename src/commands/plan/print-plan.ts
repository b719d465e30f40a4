/** Prints a plan: as a tree, as data, or as Markdown for pull requests. */
import { textOf } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { usageError } from '../../core/errors.js';
import { painter, wantsColor } from '../../output/color.js';
import type { Plan } from '../../plan/plan-file.js';
import { markdownOf, summaryOf, treeOf } from '../../plan/view/plan-text.js';
import type { PlanView, StepView } from '../../plan/view/view.js';
import { wantsRecords } from '../kinds/spec.js';
import { PLAN, STEP } from './plan-shape.js';

/** A plan, and what people see of it. */
export interface Made {
  readonly plan: Plan;
  readonly view: PlanView;
}

function recordOfConflict({ verb, resource, id, key, section, mails, why }: PlanView['conflicts'][number]) {
  const withoutStep = { step: null, before: null, after: null, needs: [], reversible: false };
  return { ...withoutStep, verb, resource, id, key, organization: section.id, mails, why };
}

const recordOf = ({ step: own, section, key, needs, reversible, mails, why, standing }: StepView) => {
  const reason = standing.is === 'stale' ? standing.why : why;
  return { ...own, key, organization: section.id, needs, reversible, mails, why: reason, standing: standing.is };
};

/** @param isFull with all fields of new items */
export async function printTree(
  view: PlanView,
  stream: 'stdout' | 'stderr',
  context: Context,
  isFull = false,
): Promise<void> {
  const out = context.io[stream];
  const paint = painter(wantsColor(context.globals, context.env, out.isTTY));
  await out.write([...treeOf(view, paint, isFull, out.columns)].join(''));
}

const isPlain = ({ globals }: Context): boolean =>
  ['query', 'fields', 'sort'].every((name) => textOf(globals, name) === undefined);

/** @throws EduError `usage` for unknown fields, and for `--output ids`: what a step creates or assigns has no ID */
export async function checkPlanFormat(context: Context): Promise<void> {
  if (!wantsRecords(context)) return;
  const printer = await context.printer();
  if (printer.format === 'ids' && isPlain(context))
    throw usageError(
      'Cannot print a plan as IDs: its steps create items, which have no ID yet, and change members of classes.',
      'Use another --output, such as json or tsv, or select the IDs: --query "[].id".',
    );
  await (printer.traits.oneDocument ? printer.check(PLAN, 'item') : printer.check(STEP, 'list'));
}

export async function printPlan({ plan, view }: Made, context: Context): Promise<void> {
  if (!wantsRecords(context)) {
    if (!context.quiet) await printTree(view, 'stdout', context);
    return;
  }
  const printer = await context.printer();
  if (printer.format === 'markdown' && isPlain(context)) return context.io.stdout.write([...markdownOf(view)].join(''));
  const steps = view.steps.map(recordOf);
  const conflicts = view.conflicts.map(recordOfConflict);
  if (printer.traits.oneDocument)
    return printer.item({ ...plan.header, summary: summaryOf(view), steps, conflicts }, PLAN);
  await printer.list([...steps, ...conflicts], { shape: STEP, noun: 'steps' });
}
