/** Runs `edu classes sync` and `edu licenses sync`: plans, shows the plan, confirms, applies. */
import { type Command, isOn, textOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { commandLine } from '../../cli/format-line.js';
import { readingOf } from '../../cli/reading-flags.js';
import { scopeFor } from '../../client/references/scope.js';
import { EduError } from '../../core/errors.js';
import { orClosed } from '../../core/io.js';
import { plural } from '../../core/plural.js';
import { planFolder, receiptIn } from '../../plan/apply/plan-records.js';
import { readPeople } from '../../plan/read-people.js';
import { NOTHING_WANTED } from '../../plan/want.js';
import { confirmedLine, requireYes } from '../kinds/confirm.js';
import { sayFolderProfile } from '../kinds/define.js';
import { mayNotify } from '../kinds/print-result.js';
import { complete, resolved } from '../kinds/prompt-missing.js';
import { membersOf } from '../kinds/references.js';
import { limitsOf, SKIP_INVALID, warnOfInput } from './flags.js';
import { makePlan, type PlanRequest } from './make-plan.js';
import { checkPlanFormat, printPlan, printTree } from './print-plan.js';
import { applyAndReport, printsOutcome, warnOfReceipt } from './run-apply.js';

/** Completes the values and checks the output, before a reference is looked up. */
async function known(command: Command, given: Values, context: Context): Promise<Values> {
  const values = await complete(command, context.path, given, context);
  await (isOn(values, 'dry-run') ? checkPlanFormat : printsOutcome)(context);
  return resolved(command, values, context);
}

/** The users of a list, where their names are looked up, and the number of its rows that `--skip-invalid` leaves out. */
async function listed(values: Values, context: Context) {
  const { io, signal } = context;
  const skips = isOn(values, SKIP_INVALID.name);
  const list = await readPeople(textOf(values, 'from') ?? '', io.stdin, signal, readingOf(values), skips);
  const { find } = await context.resolver();
  const { organization: namesIn } = await scopeFor({ name: 'user', refersTo: 'user' }, values, find);
  return { ...list, namesIn, left: await warnOfInput(list, context) };
}

/** @param left number of rows that were left out */
async function sync(
  request: PlanRequest,
  left: number,
  command: Command,
  values: Values,
  context: Context,
): Promise<void> {
  const isDry = isOn(values, 'dry-run');
  const isPrinted = !isDry && (await printsOutcome(context));
  if (!isDry) await sayFolderProfile(context);
  const { plan, view } = await makePlan(request, context);
  const isShown = await mayNotify(context);
  if (isDry) await printPlan({ plan, view }, context).catch(orClosed);
  else if (isShown) await printTree(view, 'stderr', context);
  const given = textOf(values, 'receipt');
  if (isDry) await warnOfReceipt(values, context);
  // Programs expect an outcome, and edu undo a receipt, even if there is nothing to do.
  if (!isDry && (plan.steps.length > 0 || isPrinted || given !== undefined)) {
    if (plan.steps.length > 0) {
      const count = plural(plan.steps.length, 'step');
      const line = confirmedLine(command, values, context);
      await requireYes({ action: `carry out ${count}`, question: `Carry out ${count}?`, line }, context);
    }
    const receipt = given ?? receiptIn(planFolder(plan, context));
    const again = commandLine(command, context.path, values, context.globals);
    await applyAndReport({ plan, view, receipt, again, values }, context);
  }
  const { conflicts } = view;
  if (conflicts.length + left === 0) return;
  const reasons = [
    ...(conflicts.length === 0 ? [] : [plural(conflicts.length, 'conflict')]),
    ...(left === 0 ? [] : [`${plural(left, 'row')} left out`]),
  ];
  throw new EduError('partial', `Cannot make all changes: ${reasons.join(', ')}.`, {
    details: isShown ? [] : conflicts.slice(0, 20).map(({ key, why }) => ({ where: key, message: why })),
  });
}

export async function syncClass(command: Command, given: Values, context: Context): Promise<void> {
  const values = await known(command, given, context);
  const { people, pairs, namesIn, left } = await listed(values, context);
  const id = textOf(values, 'class') ?? '';
  // A row that was left out may mean a member.
  const only = isOn(values, 'add-only') || left > 0 ? 'add' : isOn(values, 'remove-only') ? 'remove' : undefined;
  const school = textOf(values, 'school');
  const members = only === 'add' ? { add: people } : { users: people };
  const want = { ...NOTHING_WANTED, classes: [{ at: 'the list', id, school, ...members, pairs }] };
  await sync({ want, only, namesIn, limits: limitsOf(values) }, left, command, values, context);
}

export async function syncLicense(command: Command, given: Values, context: Context): Promise<void> {
  const values = await known(command, given, context);
  const id = textOf(values, 'licence') ?? '';
  const named = textOf(values, 'class');
  const list =
    named === undefined
      ? await listed(values, context)
      : { people: await membersOf(named, context), pairs: [], namesIn: undefined, left: 0 };
  const want = { ...NOTHING_WANTED, licenses: [{ at: id, id, addEndUsers: list.people, pairs: list.pairs }] };
  await sync({ want, only: 'add', namesIn: list.namesIn }, list.left, command, values, context);
}
