/** Completes the values of a command: prompts for missing ones on a terminal, and resolves dates and references. */
import {
  type Argument,
  type Command,
  type Flag,
  missingArguments,
  missingFlags,
  textsOf,
  type Value,
  type Values,
  withAnswers,
} from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { problemsError } from '../../cli/parser.js';
import { type Read, readArgument, readFlag } from '../../cli/read-value.js';
import { readDay } from '../../core/day.js';
import { EduError, type Problem } from '../../core/errors.js';
import { splitList } from '../../core/list-text.js';
import type { Choice, Prompt } from '../../output/terminal/prompt.js';

/** Returns true for an optional flag that is usually wanted, such as the role of a new user. */
const isOffered = (flag: Flag, values: Values, context: Context): boolean =>
  flag.offered === true &&
  values[flag.name] === undefined &&
  (flag.name !== 'organization' || context.configuredOrganization() === undefined) &&
  (flag.name !== 'language' || context.effective().language.source === 'default');

const TYPED = Symbol('typed');
const INSTEAD = Symbol('instead');

/**
 * @param instead another flag, offered as the last choice
 * @returns undefined if the user chose the other flag, or there is nothing to choose for an optional one
 */
async function answerTo(
  place: Flag | Argument,
  instead: Flag | undefined,
  values: Values,
  context: Context,
): Promise<Value | undefined> {
  const prompt = await context.prompt();
  const message = await messageFor(place);
  // Imported here because it loads all resources, which lists do not need.
  const { choicesFor } = await import('./resolve-values.js');
  const found = await choicesFor(place, values, context);
  const isOptional = 'offered' in place && place.offered === true;
  const askForText = (): Promise<Value> => askText(prompt, message.endsWith('?') ? message : `${message}:`, place);
  if (found === undefined) return isOptional ? undefined : askForText();
  const choices: Choice<string | symbol>[] = [...found.choices];
  if (found.isOpen) choices.push({ name: 'Another one, by ID or e-mail address', value: TYPED, isAlways: true });
  if (instead !== undefined)
    choices.push({ name: labelOf(instead).replace(/, instead of --[\w-]+/, ''), value: INSTEAD, isAlways: true });
  if (isOptional && !place.many && choices.length === 1) return undefined;
  const asked = found.where === undefined ? message : `${message} (${found.where})`;
  const picked = place.many
    ? await prompt.selectSeveral(asked, choices, isOptional ? 0 : 1)
    : [await prompt.select(asked, choices, isOptional ? context.language() : undefined)];
  if (picked.includes(INSTEAD)) return undefined;
  const ids = picked.filter((one) => typeof one === 'string');
  if (!picked.includes(TYPED)) return answered(readAnswer(place, place.many ? ids : (ids[0] ?? '')));
  const typed = await askForText();
  return place.many ? [...ids, ...textsOf({ typed }, 'typed')] : typed;
}

async function askText(prompt: Prompt, message: string, place: Flag | Argument): Promise<Value> {
  const upload = isFlag(place) && (place.kind === 'pdf' || place.kind === 'image') ? place.kind : undefined;
  const { attachment } = upload === undefined ? {} : await import('./attachment.js');
  const text = await prompt.text({
    message,
    validate: (typed) => {
      if (typed === '') return 'a value is needed';
      const answer = readAnswer(place, typed);
      if ('problem' in answer) return answer.problem.message;
      const file = upload && attachment?.(place.name, typed, upload, isFlag(place) ? place.maxBytes : undefined);
      return file !== undefined && 'message' in file ? file.message : true;
    },
  });
  return answered(readAnswer(place, text));
}

/** Prompts validate their answers, so a problem is a bug. */
function answered(read: Read): Value {
  if ('problem' in read) throw new EduError('internal', read.problem.message);
  return read.value;
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const labelOf = ({ description, name }: Flag): string => `${capitalized(description)} (--${name})`;

const isFlag = (place: Flag | Argument): place is Flag => 'kind' in place;

/** Asks for the items that a flag or argument refers to by their noun, because names are accepted as well as IDs. */
async function messageFor(place: Flag | Argument): Promise<string> {
  const { resourcesBehind } = await import('../../contract/by-reference.js');
  // Files have no list, and are described by more than their ID.
  if (place.refersTo === undefined || (await resourcesBehind(place.refersTo)).length === 0)
    return isFlag(place) ? labelOf(place) : capitalized(place.description);
  const { nounsOf } = await import('../../client/references/reference-messages.js');
  const noun = (await nounsOf(place.refersTo))[place.many ? 1 : 0];
  return isFlag(place) ? labelOf({ ...place, description: noun }) : `Which ${noun}?`;
}

function readAnswer(place: Flag | Argument, answer: string | readonly string[]): Read {
  if (isFlag(place)) return readFlag(place, answer);
  const isList = place.many === true && typeof answer === 'string';
  return readArgument(place, isList ? splitList(answer, ',') : answer);
}

async function askFor(
  place: Flag | Argument,
  command: Command,
  values: Record<string, Value | undefined>,
  context: Context,
): Promise<void> {
  const instead = isFlag(place) ? command.flags?.find(({ name }) => name === place.instead) : undefined;
  const answer = await answerTo(place, instead, values, context);
  if (answer !== undefined) values[place.name] = answer;
  else if (instead !== undefined) await askFor(instead, command, values, context);
}

function withDays(flags: readonly Flag[], values: Record<string, Value | undefined>, now: number): void {
  for (const { name, kind } of flags) {
    const value = values[name];
    if (kind === 'date' && typeof value === 'string') values[name] = readDay(value, now);
  }
}

/** After prompts, prints the command line that needs none, even if the command failed. */
export async function printLine(command: Command, given: Values, values: Values, context: Context): Promise<void> {
  if (!context.canAsk) return;
  const { commandLine, wasAsked } = await import('../../cli/format-line.js');
  if (!wasAsked(given, values)) return;
  await context.say('The same command without prompts:');
  await context.say(`  ${commandLine(command, context.path, values, context.globals)}`);
}

/** @throws EduError `usage` for files that cannot be sent */
async function checkFiles({ flags = [] }: Command, values: Values, { path }: Context): Promise<void> {
  const files = flags.filter(({ kind }) => kind === 'pdf' || kind === 'image');
  // Only uploads need this module.
  if (files.length > 0) (await import('./attachment.js')).uploads(files, values, path);
}

/** Adds each answer to `values` at once, so that an error loses none. @param changes of which one at least is needed */
async function ask(
  command: Command,
  values: Record<string, Value | undefined>,
  context: Context,
  changes: readonly Flag[],
): Promise<void> {
  const flags = command.flags ?? [];
  const args = missingArguments(command, values);
  const missing = missingFlags(command, values);
  const isChanged = changes.length === 0 || [...changes, ...missing].some(({ name }) => values[name] !== undefined);
  if (args.length === 0 && missing.length === 0 && isChanged) return;
  // Problems are reported before the first prompt.
  await checkFiles(command, values, context);
  const problems = command.check?.(values) ?? [];
  if (problems.length > 0) throw problemsError(problems, context.path);
  for (const argument of args) await askFor(argument, command, values, context);
  // Switches are left to the command line.
  const choices = changes.filter(({ kind }) => kind !== 'switch').map((flag) => ({ name: labelOf(flag), value: flag }));
  const picked = isChanged
    ? []
    : await (await context.prompt()).selectSeveral('What do you want to change?', choices, 1);
  for (const flag of flags) {
    // An answer may make another flag necessary.
    if (picked.includes(flag) || missingFlags({ flags: [flag] }, values).length > 0)
      await askFor(flag, command, values, context);
  }
  for (const flag of flags) {
    if (isOffered(flag, values, context)) await askFor(flag, command, values, context);
  }
}

function problemsOfWhole(command: Command, values: Values): readonly Problem[] {
  return [
    ...missingArguments(command, values).map(({ name, description }) => ({
      where: name.toUpperCase(),
      message: `is missing: ${description}`,
    })),
    ...missingFlags(command, values).map(({ name, instead }) => ({
      where: `--${name}${instead === undefined ? '' : ` or --${instead}`}`,
      message: 'is missing',
    })),
    ...(command.check?.(values) ?? []),
  ];
}

/** Resolves the references of complete values. The module is loaded only if there are any. @throws EduError */
export async function resolved(command: Command, values: Values, context: Context): Promise<Values> {
  const refers = [...(command.flags ?? []), ...(command.arguments ?? [])].some(
    ({ name, refersTo }) => refersTo !== undefined && values[name] !== undefined,
  );
  return refers ? (await import('./resolve-values.js')).resolveValues(command, values, context) : values;
}

/**
 * Returns complete values, with dates as `yyyy-MM-dd` and references as typed.
 * @param changes flags of which one at least is needed
 * @throws EduError `usage` listing all missing and invalid values, if there is no terminal
 */
export async function complete(
  command: Command,
  path: string,
  values: Values,
  context: Context,
  changes: readonly Flag[] = [],
): Promise<Values> {
  const whole: Record<string, Value | undefined> = { ...values };
  withAnswers.set(values, whole);
  try {
    if (context.canAsk) await ask(command, whole, context, changes);
    withDays(command.flags ?? [], whole, context.now());
    const problems = problemsOfWhole(command, whole);
    if (problems.length > 0) throw problemsError(problems, path);
    await checkFiles(command, whole, context);
    return whole;
  } catch (error) {
    await printLine(command, values, whole, context);
    throw error;
  }
}
