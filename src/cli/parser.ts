/** Parses the command line with commander. All problems are reported together, as one usage error. */

import { Command as Commander, CommanderError, Option } from 'commander';
import { endSentence } from '../core/clean-text.js';
import { type EduError, type Problem, usageError } from '../core/errors.js';
import { either } from '../core/plural.js';
import { shellLine } from '../core/shell.js';
import { suggestions } from '../core/suggest.js';
import { type Command, exclusive, type Flag, type Value } from './command.js';
import { spellings, tokensOf } from './find-command.js';
import { GLOBAL_FLAGS } from './global-flags.js';
import { guess, helpOf } from './guessed-words.js';
import { readArgument, readFlag, shown } from './read-value.js';
import { unusedFlags } from './traits.js';

const optionsOf = (flag: Flag): readonly Option[] =>
  spellings(flag).map((name, index) => {
    const value = flag.kind === 'switch' ? '' : ` <${flag.value ?? 'value'}>`;
    return new Option(`${flag.short && index === 0 ? `-${flag.short}, ` : ''}--${name}${value}`);
  });

/** The texts of each flag, flags without their value, and the words for commander, where switches such as `--debug json` have no value. */
function readLine(words: readonly string[], flags: readonly Flag[]) {
  const argv: string[] = [];
  const given = new Map<Flag, string[]>();
  const problems: Problem[] = [];
  const names = new Set(flags.flatMap((flag) => [`-${flag.short}`, ...spellings(flag).map((name) => `--${name}`)]));
  for (const { word, index, flag, value } of tokensOf(words, flags)) {
    // Otherwise a forgotten value would drop `--dry-run`. `--from --template` prints a template.
    const isFlag = words[index] === word && names.has(value?.replace(/=.*/s, '') ?? '');
    if (isFlag && !(word === '--from' && value === '--template'))
      problems.push({ where: word, message: `needs a value; to pass the text ${value}, write ${word}=${value}` });
    if (word === '--') argv.push(...words.slice(index));
    else argv.push(word, ...(flag?.kind === 'switch' || value === undefined ? [] : [value]));
    if (flag !== undefined) given.set(flag, [...(given.get(flag) ?? []), value ?? 'true']);
  }
  return { argv, given, problems };
}

/** The error for arguments that the command does not take: parts of a name, or the value of a flag that is missing. */
function surplusError({ arguments: args = [], flags = [] }: Command, path: string, given: readonly string[]): EduError {
  const words = given.map((word) => word.replace(/^([\w-]*(?:token|secret|password))=.*/is, '$1=…'));
  const [only, ...others] = args;
  const isName = only?.refersTo !== undefined && others.length === 0 && words.some((word) => !/\d/.test(word));
  const line = (...more: readonly string[]): string => shellLine('edu', ...path.split(' '), ...more);
  // The argument may be a token, which is not shown, like the value of an unknown flag.
  if (flags.some(({ name }) => name === 'with-token'))
    return usageError(`${line()} takes no arguments.`, `Pipe a token in: ${line('--with-token')} < token.txt`);
  const word = words[args.length] ?? '';
  const meant =
    flags.find(({ required, kind }) => required && kind === 'text') ?? flags.find(({ name }) => name === 'search');
  const hint = isName
    ? `Put a name with spaces in quotes: ${line(words.join(' '))}`
    : meant && args.length === 0
      ? `Did you mean ${shellLine(`--${meant.name}`, word)}? ${helpOf(path)}`
      : helpOf(path);
  const takes = args.length === 0 ? 'no arguments' : `only ${args.map(({ name }) => name.toUpperCase()).join(' and ')}`;
  return usageError(`${shown(word)} is unexpected: ${line()} takes ${takes}.`, hint);
}

/** The hint for an unknown flag: those that people mean by it, or that are close to it. */
function unknownFlagHint({ message, code }: CommanderError, path: string, flags: readonly Flag[]): string | undefined {
  // `-limit`, `--Limit` and `--page_size` are close to flags, too.
  const [, word = ''] = code === 'commander.unknownOption' ? (/'-{1,2}(\w[\w-]+)/.exec(message) ?? []) : [];
  const known = flags.filter(({ hidden }) => hidden !== true).flatMap(spellings);
  const { meant, why } = guess(
    path,
    `--${word.toLowerCase()}`,
    known.map((name) => `--${name}`),
  );
  if (why !== undefined) return why;
  const near = meant.length > 0 ? meant : suggestions(word, known).map((name) => `--${name}`);
  return near.length === 0 ? undefined : `Did you mean ${either(near)}? ${helpOf(path)}`;
}

/** Converts an error of commander. @param hint replaces the reference to the help page */
function usageFrom(error: CommanderError, path: string, hint = helpOf(path)): EduError {
  // The value of an unknown flag may be a secret: `--code=…`, `--token=…`.
  const words = error.message
    .replace(/^error: /, '')
    .replace(/(option '-[^=']*)=.*(?=')/s, '$1')
    .replace(/^unknown option '([^']*)'/, 'unknown flag $1')
    .replace(/^option '(?:-\w, )?(--[\w-]+) <([^>]*)>' argument missing/, '$1 needs a value: $2');
  const message = endSentence(words.replace(/^./, (letter) => letter.toUpperCase()));
  return usageError(message, hint);
}

function readFlags(
  flags: readonly Flag[],
  given: ReadonlyMap<Flag, readonly string[]>,
  problems: Problem[],
): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const flag of flags) {
    const texts = given.get(flag);
    if (texts === undefined) continue;
    if (!flag.many && !flag.repeat && new Set(texts).size > 1) {
      problems.push({ where: `--${flag.name}`, message: `was given ${texts.length} times; it takes one value` });
      continue;
    }
    const read = readFlag(flag, texts);
    if ('problem' in read) problems.push(read.problem);
    else values[flag.name] = read.value;
  }
  return values;
}

function withNegations(flags: readonly Flag[]): readonly Flag[] {
  return flags.flatMap((flag) =>
    flag.kind === 'switch' && flag.target !== undefined
      ? [flag, { name: `no-${flag.name}`, kind: 'switch' as const, description: flag.description }]
      : [flag],
  );
}

/** One usage error for all problems of a line: a single problem is the message, several are details. */
export function problemsError(problems: readonly Problem[], path: string): EduError {
  const hint = helpOf(path);
  const [first] = problems;
  if (problems.length > 1 || first === undefined) {
    return usageError(`${problems.length} problems with this command.`, hint, problems);
  }
  const message = `${first.where === undefined ? '' : `${first.where} `}${first.message}`;
  return usageError(endSentence(message), hint, problems);
}

/**
 * Parses the line with commander. Only flags on the line are declared, because declaring all takes 1 ms.
 * @throws EduError of kind `usage`
 */
function collect(
  command: Command,
  path: string,
  argv: readonly string[],
  flags: readonly Flag[],
  mentioned: readonly Flag[],
): Commander {
  const commander = new Commander(path)
    .exitOverride()
    .helpOption(false)
    .showSuggestionAfterError(false)
    .allowExcessArguments(false)
    .configureOutput({ writeErr: () => {}, writeOut: () => {} });
  for (const flag of mentioned) {
    for (const option of optionsOf(flag)) commander.addOption(option);
  }
  for (const argument of command.arguments ?? []) {
    // All arguments are optional for commander, so that missing ones are reported together with other problems.
    commander.argument(`[${argument.name}${argument.many ? '...' : ''}]`);
  }
  try {
    return commander.parse(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.excessArguments') throw surplusError(command, path, commander.args);
    throw usageFrom(error, path, unknownFlagHint(error, path, flags));
  }
}

/** Parses the words of a line behind those of `path`. @throws EduError `usage` that lists every problem */
export function parse(command: Command, path: string, words: readonly string[]) {
  const flags = withNegations(command.flags ?? []);
  const own = new Set(flags.flatMap(spellings));
  const globals = GLOBAL_FLAGS.filter((flag) => !own.has(flag.name));
  const { argv, given, problems } = readLine(words, [...flags, ...globals]);
  if (problems.length > 0) throw problemsError(problems, path);
  const commander = collect(command, path, argv, [...flags, ...globals], [...given.keys()]);
  const values = readFlags(flags, given, problems);
  const globalValues = readFlags(globals, given, problems);
  // `--input FILE` of `api` is no switch that `--no-input` negates.
  for (const { name, kind } of given.keys())
    if (kind === 'switch') problems.push(...exclusive(name, `no-${name}`)({ ...globalValues, ...values }));
  for (const { name } of flags) if (values[`no-${name}`] === true) values[name] = false;
  (command.arguments ?? []).forEach((argument, index) => {
    const { args } = commander;
    const texts = argument.many ? args.slice(index) : args.slice(index, index + 1);
    if (texts.length === 0) return;
    // A repeated argument counts once: a second deletion could only fail.
    const read = readArgument(argument, [...new Set(texts)]);
    if ('problem' in read) problems.push(read.problem);
    else values[argument.name] = read.value;
  });
  problems.push(...unusedFlags(command, path, [...flags, ...globals], { ...globalValues, ...values }));
  if (problems.length > 0) throw problemsError(problems, path);
  return { values, globals: globalValues };
}

/** Checks a line without a command. @param path the group, if any @throws EduError `usage` */
export function parseFlagsAlone(path: string, words: readonly string[]): void {
  parse(
    { name: path, summary: '', examples: {}, prints: 'nothing', traits: ['service'], run: async () => {} },
    path,
    words,
  );
}
