/** Completes the values of a command: missing ones are asked for on a terminal, and words for days become days. */
import { type Argument, type Command, type Flag, textOf, textsOf, type Value, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { problemsError } from '../../cli/parser.js';
import { readArgument, readFlag } from '../../cli/read-value.js';
import { looksLikeName } from '../../client/references/looks.js';
import { readDay } from '../../core/day.js';
import { EduError, type Problem } from '../../core/errors.js';

/** An empty list is as good as none where one is needed. */
const isAbsent = (value: Value | undefined): boolean =>
  value === undefined || (Array.isArray(value) && value.length === 0);

const isMissing = (flag: Flag, values: Values): boolean =>
  isAbsent(values[flag.name]) && (flag.required === true || flag.needed?.(values) === true);

const missingArguments = (command: Command, values: Values): readonly Argument[] =>
  (command.arguments ?? []).filter((argument) => !argument.optional && values[argument.name] === undefined);

async function askForFlag(flag: Flag, context: Context): Promise<Value> {
  const prompt = await context.prompt();
  const message = `${flag.description.charAt(0).toUpperCase()}${flag.description.slice(1)} (--${flag.name})`;
  // It knows every resource, and is needed only here: a list would load it for nothing.
  const { choicesFor } = await import('./choices.js');
  const choices = await choicesFor(flag, context);
  if (choices !== undefined && choices.length > 0) {
    const picked = flag.many ? await prompt.selectSeveral(message, choices, 1) : await prompt.select(message, choices);
    return readAnswer(flag, picked);
  }
  const text = await prompt.text({
    message: `${message}:`,
    validate: (typed) => {
      if (typed === '') return 'a value is needed';
      const read = readFlag(flag, typed);
      return 'problem' in read ? read.problem.message : true;
    },
  });
  return readAnswer(flag, text);
}

/** An answer in the flag's kind; questions check their answers, so a problem here is a bug. */
function readAnswer(flag: Flag, answer: string | readonly string[]): Value {
  const read = readFlag(flag, answer);
  if ('problem' in read) throw new EduError('internal', read.problem.message);
  return read.value;
}

async function askForArgument(argument: Argument, context: Context): Promise<Value> {
  const prompt = await context.prompt();
  const text = await prompt.text({
    message: `${argument.name.toUpperCase()}: ${argument.description}`,
    validate: (typed) => {
      const read = readArgument(argument, typed);
      return 'problem' in read ? read.problem.message : true;
    },
  });
  return argument.many ? text.split(/[\s,]+/).filter((part) => part !== '') : text;
}

/** Words for days, such as `+30d`, as the days that they mean now. */
function withDays(flags: readonly Flag[], values: Record<string, Value | undefined>, now: number): void {
  for (const { name, kind } of flags) {
    const value = values[name];
    if (kind === 'date' && typeof value === 'string') values[name] = readDay(value, now);
  }
}

/** Whether some value may be a name in the place of an id: to look one up is loaded only then. */
const hasNames = ({ flags = [], arguments: args = [] }: Command, values: Values): boolean =>
  [...flags, ...args].some(
    ({ name, refersTo }) =>
      refersTo !== undefined && textsOf(values, name).some((text) => looksLikeName(refersTo, text)),
  );

/** Problems of what the line gives: they are reported before the first question. */
async function problemsOf(command: Command, values: Values): Promise<readonly Problem[]> {
  const files = (command.flags ?? []).filter(
    ({ kind, name }) => (kind === 'pdf' || kind === 'image') && values[name] !== undefined,
  );
  // Loaded for uploads only.
  const { attachment, isProblem } = files.length === 0 ? {} : await import('./attachment.js');
  const ofFiles = files.flatMap(({ kind, name }) => {
    const found = attachment?.(`--${name}`, textOf(values, name) ?? '', kind === 'pdf' ? 'pdf' : 'image');
    return found !== undefined && isProblem?.(found) ? [found] : [];
  });
  return [...ofFiles, ...(command.check?.(values) ?? [])];
}

/** After questions: prints the line that gives the same answers, also if the command failed. */
export async function sayLine(command: Command, given: Values, values: Values, context: Context): Promise<void> {
  if (!context.canAsk) return;
  const { commandLine, wasAsked } = await import('../../cli/format-line.js');
  if (!wasAsked(given, values)) return;
  await context.say('The same without questions:');
  await context.say(`  ${commandLine(command, context.path, values, context.globals)}`);
}

/** Asks for what is missing. The answers are put into `values` one by one, so that a failure loses none. */
async function ask(command: Command, values: Record<string, Value | undefined>, context: Context): Promise<void> {
  const flags = command.flags ?? [];
  const args = missingArguments(command, values);
  if (args.length === 0 && !flags.some((flag) => isMissing(flag, values))) return;
  const problems = await problemsOf(command, values);
  if (problems.length > 0) throw problemsError(problems, context.path);
  for (const argument of args) values[argument.name] = await askForArgument(argument, context);
  for (const flag of flags) {
    if (isMissing(flag, values)) values[flag.name] = await askForFlag(flag, context);
  }
}

function problemsOfWhole(command: Command, values: Values): readonly Problem[] {
  return [
    ...missingArguments(command, values).map(({ name, description }) => ({
      where: name.toUpperCase(),
      message: `is missing: ${description}`,
    })),
    ...(command.flags ?? [])
      .filter((flag) => isMissing(flag, values))
      .map((flag) => ({ where: `--${flag.name}`, message: `is missing: ${flag.description}` })),
    ...(command.check?.(values) ?? []),
  ];
}

/**
 * The values with nothing missing, days as `yyyy-MM-dd`.
 * @throws EduError of kind `usage` listing everything that is missing or wrong, without a terminal
 */
export async function complete(command: Command, path: string, values: Values, context: Context): Promise<Values> {
  const whole: Record<string, Value | undefined> = { ...values };
  try {
    if (context.canAsk) await ask(command, whole, context);
    withDays(command.flags ?? [], whole, context.now());
    const problems = problemsOfWhole(command, whole);
    if (problems.length > 0) throw problemsError(problems, path);
    return hasNames(command, whole) ? await (await import('./names.js')).withIds(command, whole, context) : whole;
  } catch (error) {
    await sayLine(command, values, whole, context);
    throw error;
  }
}
