/** Runs `edu classes sync` and `edu licenses sync`: plans, shows the plan, confirms, applies. */
import { join } from 'node:path';
import { type Command, isOn, textOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { classes } from '../../contract/classes.js';
import { EduError, usageError } from '../../core/errors.js';
import { plural } from '../../core/plural.js';
import { planFolder } from '../../plan/apply/apply-plan.js';
import type { Plan } from '../../plan/plan-file.js';
import { findNamed } from '../../plan/planner/lookup.js';
import { readActual } from '../../plan/read-actual.js';
import { readPeople } from '../../plan/read-people.js';
import { NOTHING_WANTED, type Person } from '../../plan/want.js';
import { complete } from '../kinds/prompt-missing.js';
import { limitsOf } from './flags.js';
import { makePlan, type PlanRequest } from './make-plan.js';
import { printPlan, printTree } from './print-plan.js';
import { carryOut } from './run-apply.js';

/** The ID of a class that is given by ID, or with `--school` by name. */
async function classId(word: string, values: Values, context: Context): Promise<string> {
  const school = textOf(values, 'school');
  const own = await context.callersOrganization();
  if (school === undefined && own.type !== 'School') return word;
  const found = await readActual(
    { ...NOTHING_WANTED, classes: [{ at: '', school: school ?? own.id }] },
    {
      client: await context.client(),
      signal: context.signal,
      language: context.language(),
      own,
      organization: own,
      pageSize: undefined,
      onItems: () => {},
    },
  );
  // A school may not list its own classes; the word must be an ID.
  if (found.hiddenSchools.size > 0) return word;
  const one = findNamed(word, found.classes, 'class');
  if (typeof one === 'string')
    throw usageError(
      `Cannot sync ${JSON.stringify(word)}: ${one}`,
      `The classes: edu classes list --school ${school ?? own.id}`,
    );
  return one.id;
}

async function confirm({ steps }: Plan, context: Context): Promise<void> {
  if (isOn(context.globals, 'yes')) return;
  const count = plural(steps.length, 'step');
  if (!context.canAsk)
    throw usageError(
      `Refusing to carry out ${count} without confirmation; nothing was sent.`,
      'Pass --yes to confirm.',
    );
  const prompt = await context.prompt();
  if (!(await prompt.confirm(`Carry out ${count}?`))) throw usageError('Not confirmed. Nothing was sent.');
}

async function sync(request: PlanRequest, values: Values, context: Context): Promise<void> {
  const plan = await makePlan(request, context);
  const isDry = isOn(values, 'dry-run');
  if (isDry) await printPlan(plan, context);
  else if (!context.quiet && (await context.printer()).traits.machine !== true)
    await printTree(plan, 'stderr', context);
  if (!isDry && plan.steps.length > 0) {
    await confirm(plan, context);
    const receipt = textOf(values, 'receipt') ?? join(planFolder(plan, context), 'receipt');
    await carryOut(plan, receipt, `edu ${context.path}`, values, context);
  }
  const { conflicts } = plan;
  if (conflicts.length === 0) return;
  throw new EduError('partial', `Cannot make all changes: ${plural(conflicts.length, 'conflict')}.`, {
    details: conflicts.slice(0, 20).map(({ key, why }) => ({ where: key, message: why })),
  });
}

/** Makes the members of a class equal to a list. */
export async function syncClass(command: Command, given: Values, context: Context): Promise<void> {
  const values = await complete(command, context.path, given, context);
  const people = await readPeople(textOf(values, 'from') ?? '', context.io.stdin);
  const id = await classId(textOf(values, 'class') ?? '', values, context);
  const only = isOn(values, 'add-only') ? 'add' : isOn(values, 'remove-only') ? 'remove' : undefined;
  const school = textOf(values, 'school');
  const want = { ...NOTHING_WANTED, classes: [{ at: 'the list', id, school, users: people }] };
  await sync({ want, only, ...limitsOf(values) }, values, context);
}

async function membersOf(word: string, values: Values, context: Context): Promise<readonly Person[]> {
  const id = await classId(word, values, context);
  const client = await context.client();
  const { usersInClass } = await client.call(classes.get, { params: { id } }, { signal: context.signal });
  return usersInClass ?? [];
}

/** Assigns a licence to users who lack it. */
export async function syncLicense(command: Command, given: Values, context: Context): Promise<void> {
  const values = await complete(command, context.path, given, context);
  const word = textOf(values, 'licence') ?? '';
  const named = textOf(values, 'class');
  const addEndUsers =
    named === undefined
      ? await readPeople(textOf(values, 'from') ?? '', context.io.stdin)
      : await membersOf(named, values, context);
  const key = word.startsWith('code:') ? { code: word.slice('code:'.length) } : { id: word };
  const want = { ...NOTHING_WANTED, licenses: [{ at: word, ...key, addEndUsers }] };
  await sync({ want, only: 'add' }, values, context);
}
