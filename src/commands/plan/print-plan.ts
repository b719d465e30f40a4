/** Prints a plan: as a tree, as data, or as Markdown for pull requests. */
import { isOn, textOf } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { object } from '../../contract/vocabulary.js';
import { usageError } from '../../core/errors.js';
import type { Out } from '../../core/io.js';
import { painter, wantsColor } from '../../output/color.js';
import { onePage } from '../../output/select/item-pages.js';
import { type Plan, planLines } from '../../plan/plan-file.js';
import { markdownOf, summaryOf, treeOf } from '../../plan/render/plan-text.js';
import type { Conflict, Step } from '../../plan/steps.js';
import { wantsRecords } from '../kinds/spec.js';
import { STEP } from './plan-shape.js';

/** Lines are written in chunks of this size, in UTF-16 units. */
const CHUNK_LENGTH = 64 * 1024;

async function write(lines: Iterable<string>, out: Out): Promise<void> {
  let chunk = '';
  for (const line of lines) {
    chunk += line;
    if (chunk.length < CHUNK_LENGTH) continue;
    await out.write(chunk);
    chunk = '';
  }
  if (chunk !== '') await out.write(chunk);
}

function recordOf(step: Step | Conflict) {
  const { section, ...rest } = step;
  const nothing = { step: null, before: null, after: null, needs: [], reversible: false, mails: false };
  return { ...nothing, ...rest, organization: section.id };
}

export async function printTree(plan: Plan, stream: 'stdout' | 'stderr', context: Context): Promise<void> {
  const out = context.io[stream];
  const paint = painter(wantsColor(isOn(context.globals, 'no-color'), context.env, out.isTTY));
  await write(treeOf(plan, paint), out);
}

const isPlain = ({ globals }: Context): boolean =>
  ['query', 'fields', 'sort'].every((name) => textOf(globals, name) === undefined);

/** @throws EduError `usage` for `--output ids`: what a step creates or assigns has no ID */
export async function checkPlanFormat(context: Context): Promise<void> {
  if (!wantsRecords(context) || !isPlain(context) || (await context.printer()).format !== 'ids') return;
  throw usageError(
    'Cannot print a plan as IDs: its steps create items, which have no ID yet, and change members of classes.',
    'Use another --output, such as json or tsv, or select the IDs: --query "[].id".',
  );
}

export async function printPlan(plan: Plan, context: Context): Promise<void> {
  const { io } = context;
  if (!wantsRecords(context)) {
    if (!context.quiet) await printTree(plan, 'stdout', context);
    return;
  }
  const printer = await context.printer();
  const isWhole = isPlain(context);
  if (printer.format === 'markdown' && isWhole) return write(markdownOf(plan), io.stdout);
  if (printer.format === 'ndjson' && isWhole) return write(planLines(plan), io.stdout);
  if (printer.traits.oneDocument) {
    const { header, steps, conflicts } = plan;
    const summary = summaryOf(plan);
    return printer.item({ ...header, summary, steps, conflicts }, object({}, 'a plan'));
  }
  const rows = [...plan.steps, ...plan.conflicts].map(recordOf);
  await printer.list(onePage(rows), { shape: STEP, noun: 'steps' });
}
