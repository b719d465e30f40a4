/** The program as a function: words, streams and environment in, exit code out. */
import { type Command, isGroup, type Values } from '../cli/command.js';
import { findCommand, findEntry, firstWord, flagBefore, hasSwitch } from '../cli/find-command.js';
import { ENTRIES } from '../commands/index.js';
import { EduError } from '../core/errors.js';
import { isMachineFormat } from '../core/formats.js';
import { ClosedPipe, type Env } from '../core/io.js';
import { version } from '../core/version.js';
import { assemble } from './create-context.js';
import type { Ran } from './report-error.js';
import type { Surroundings } from './runtime.js';

/** A command with its words and the rest of the line, or the version or a help page to print instead. */
type Target =
  | { readonly command: Command; readonly path: string; readonly words: readonly string[] }
  | { readonly text: string }
  | { readonly page: string };

/** Makes help pages. The entry prints most of them from files, so that few lines need this. */
const pages = () => import('../cli/help.js');

/** A misspelled flag does not ask for help, even without a command. @throws EduError `usage` */
async function checkFlags(path: string, words: readonly string[]): Promise<void> {
  if (words.length > 0) (await import('../cli/parser.js')).parseFlagsAlone(path, words);
}

/** A help page as stdout shows it. */
async function helpText(page: string, argv: readonly string[], { io, env }: Surroundings): Promise<string> {
  const { helpFor } = await pages();
  return helpFor(page, io.stdout, env, hasSwitch(argv, '--no-color', '--no-color'));
}

/** The line with an alias spelt out; undefined when the word is none. @throws EduError `usage` */
async function withoutAlias(word: string, argv: readonly string[], env: Env): Promise<readonly string[] | undefined> {
  const { wordsOf } = await import('../settings/aliases.js');
  const words = wordsOf(word, env);
  const at = argv.indexOf(word);
  // What it stands for was checked when it was set; a command that is gone since is no alias either.
  if (words === undefined || findEntry(ENTRIES, firstWord(words).word ?? '') === undefined) return undefined;
  return [...argv.slice(0, at), ...words, ...argv.slice(at + 1)];
}

/** What the line is about. @throws EduError `usage` for a word that names no command */
async function target(argv: readonly string[], env: Env): Promise<Target> {
  const wantsHelp = hasSwitch(argv, '--help', '-h');
  if (hasSwitch(argv, '--version', '-V')) return { text: `${version()}\n` };
  const { word, rest } = firstWord(argv);
  if (word === undefined) {
    if (!wantsHelp) await checkFlags('', rest);
    return { page: (await pages()).mainPage(ENTRIES) };
  }
  const entry = findEntry(ENTRIES, word);
  if (entry === undefined) {
    const spelt = await withoutAlias(word, argv, env);
    if (spelt !== undefined) return target(spelt, env);
    const { unknownCommand } = await import('../cli/parser.js');
    throw unknownCommand(
      word,
      ENTRIES.flatMap(({ name, aliases }) => [name, ...(aliases ?? [])]),
      '',
      flagBefore(argv, word),
    );
  }
  const loaded = await entry.load();
  if (!isGroup(loaded)) {
    return wantsHelp
      ? { page: (await pages()).commandPage(loaded, entry.name) }
      : { command: loaded, path: entry.name, words: rest };
  }
  const second = firstWord(rest);
  if (second.word === undefined) {
    if (!wantsHelp) await checkFlags(entry.name, second.rest);
    return { page: (await pages()).groupPage(loaded, entry) };
  }
  const command = findCommand(loaded, second.word);
  if (command === undefined) {
    const { unknownCommand } = await import('../cli/parser.js');
    throw unknownCommand(
      second.word,
      loaded.commands.flatMap(({ name, aliases }) => [name, ...(aliases ?? [])]),
      entry.name,
      flagBefore(rest, second.word),
    );
  }
  const path = `${entry.name} ${command.name}`;
  return wantsHelp ? { page: (await pages()).commandPage(command, path) } : { command, path, words: second.rest };
}

/**
 * Fails when the program is interrupted: `interrupted` for Ctrl-C, `terminated` for SIGTERM.
 * @param risk warns of a write that may have been carried out, and how to check
 */
async function interruption(interrupted: Promise<EduError>, risk: () => string | undefined): Promise<never> {
  const { kind, message, hint } = await interrupted;
  throw new EduError(kind, message, { hint: risk() ?? hint });
}

/** Global flags as far as they can be told from a line that did not parse: enough to show the error in the right shape. */
const guessed = (argv: readonly string[], surroundings: Surroundings): Values => {
  const [, asked] = /(?:^|\s)(?:--output|-o)[= ]?(\w+)(?:\s|$)/.exec(argv.join(' ')) ?? [];
  const json = argv.includes('--json') || isMachineFormat(asked);
  const output = surroundings.env.EDU_OUTPUT;
  return {
    ...(json ? { json: true } : output === undefined ? {} : { output }),
    ...(argv.includes('--no-color') ? { 'no-color': true } : {}),
  };
};

/**
 * Runs one command line.
 * @param argv the words behind `edu`
 * @returns the exit code (PRODUCT.md "Exit codes and errors")
 */
export async function main(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  if (argv[0] === '__complete') return (await import('./answer-tab.js')).answerTab(argv.slice(1), surroundings);
  let globals: Values = guessed(argv, surroundings);
  let held: readonly string[] = [];
  let ran: Ran | undefined;
  try {
    const found = await target(argv, surroundings.env);
    if (!('command' in found)) {
      const text = 'text' in found ? found.text : await helpText(found.page, argv, surroundings);
      await surroundings.io.stdout.write(text);
      return 0;
    }
    const { parse } = await import('../cli/parser.js');
    const parsed = parse(found.command, found.path, found.words);
    globals = parsed.globals;
    ran = { command: found.command, path: found.path, values: parsed.values };
    const { endsItself } = found.command;
    const ends = (typeof endsItself === 'function' ? endsItself(parsed.values) : endsItself) ?? false;
    const { context, risk, end, ...warnings } = assemble(found.path, globals, surroundings, ends);
    held = warnings.held;
    try {
      const running = found.command.run(parsed.values, context, ENTRIES);
      const code = await (ends ? running : Promise.race([running, interruption(surroundings.interrupted, risk)]));
      await warnings.sayHeld();
      return typeof code === 'number' ? code : 0;
    } finally {
      await end();
    }
  } catch (error) {
    if (error instanceof ClosedPipe) return 0;
    const { reportError } = await import('./report-error.js');
    return reportError(error, globals, surroundings, held, ran);
  }
}
