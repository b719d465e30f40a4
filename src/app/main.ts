/** The program as a function: words, streams and environment in, exit code out. */
import { type Command, isGroup, isOn, textOf, type Values } from '../cli/command.js';
import type { RunLine } from '../cli/context.js';
import { debugFormat, jsonLog } from '../cli/debug-trace.js';
import { findCommand, findEntry, firstWord, flagBefore, globalsIn } from '../cli/find-command.js';
import type { Tried } from '../cli/hints.js';
import { ENTRIES } from '../commands/index.js';
import { EduError, isKind } from '../core/errors.js';
import { ClosedPipe, type Env } from '../core/io.js';
import { version } from '../core/version.js';
import { createContext } from './create-context.js';
import type { Runtime } from './runtime.js';

type Target =
  | { readonly command: Command; readonly path: string; readonly words: readonly string[] }
  | { readonly text: string }
  | { readonly page: string };

/** Loaded on demand: `entry` prints most help pages from files. */
const pages = () => import('../cli/help.js');

/** Rejects unknown flags on a line without a command, instead of printing help. @throws EduError `usage` */
async function checkFlags(path: string, words: readonly string[]): Promise<void> {
  if (words.length > 0) (await import('../cli/parser.js')).parseFlagsAlone(path, words);
}

/** Rejects an unknown flag before a word, which may be its value, and secret. @throws EduError `usage` */
async function rejectFlagBefore(path: string, words: readonly string[], place: number): Promise<void> {
  const flag = flagBefore(words, place);
  if (flag !== undefined) await checkFlags(path, [flag]);
}

async function helpText(page: string, argv: readonly string[], { io, env }: Runtime): Promise<string> {
  const { helpFor } = await pages();
  return helpFor(page, io.stdout, env, globalsIn(argv));
}

/** Finds the command or help page of a line. @throws EduError `usage` for an unknown command */
async function target(argv: readonly string[], env: Env): Promise<Target> {
  const globals = globalsIn(argv);
  const wantsHelp = isOn(globals, 'help');
  if (isOn(globals, 'version')) return { text: `${version()}\n` };
  const { word, index, rest } = firstWord(argv);
  if (word === undefined) {
    if (!wantsHelp) await checkFlags('', rest);
    return { page: (await pages()).mainPage(ENTRIES) };
  }
  const entry = findEntry(ENTRIES, word);
  if (entry === undefined) {
    const { expandAlias, readAliases } = await import('../settings/aliases.js');
    const expanded = expandAlias(argv, index, readAliases(env));
    // An alias was checked when it was set, but its command may have been removed since.
    if (expanded !== undefined && findEntry(ENTRIES, firstWord(expanded).word ?? '') !== undefined)
      return target(expanded, env);
    await rejectFlagBefore('', argv, index);
    const { unknownEntry } = await import('../cli/guessed-words.js');
    throw await unknownEntry(word, rest, ENTRIES);
  }
  const loaded = await entry.load();
  if (!isGroup(loaded)) {
    return wantsHelp
      ? { page: (await pages()).commandPage(loaded, entry.name) }
      : { command: loaded, path: entry.name, words: rest };
  }
  const second = firstWord(rest);
  const alone = loaded.alone === undefined || wantsHelp ? undefined : findCommand(loaded, loaded.alone);
  // A word that is no command of the group may be the value of one of its flags, which the parser knows.
  if (alone !== undefined && (rest[0]?.startsWith('-') ?? true) && findCommand(loaded, second.word ?? '') === undefined)
    return { command: alone, path: `${entry.name} ${alone.name}`, words: rest };
  if (second.word === undefined) {
    if (!wantsHelp) await checkFlags(entry.name, second.rest);
    return { page: (await pages()).groupPage(loaded, entry) };
  }
  const command = findCommand(loaded, second.word);
  if (command === undefined) {
    await rejectFlagBefore(entry.name, rest, second.index);
    const { unknownCommand } = await import('../cli/guessed-words.js');
    throw unknownCommand(second.word, loaded);
  }
  const path = `${entry.name} ${command.name}`;
  return wantsHelp ? { page: (await pages()).commandPage(command, path) } : { command, path, words: second.rest };
}

/** The streams of a command: stdout may be a file, and stderr a log of JSON. */
function withStreams(runtime: Runtime, globals: Values, stdout = runtime.io.stdout): Runtime {
  const io = { ...runtime.io, stdout };
  if (debugFormat(globals, runtime.env) !== 'json' || io.stderr.isTTY) return { ...runtime, io };
  return { ...runtime, io: { ...io, stderr: jsonLog(io.stderr, runtime.now), log: io.stderr } };
}

/** @param argv the words after `edu` @returns the exit code */
export async function main(argv: readonly string[], runtime: Runtime): Promise<number> {
  if (argv[0] === '__complete') return (await import('./complete-line.js')).completeLine(argv.slice(1), runtime);
  // Of a line that cannot be parsed, for its error.
  let globals = globalsIn(argv);
  let heldWarnings: readonly string[] = [];
  let failed: Tried | undefined;
  try {
    const found = await target(argv, runtime.env);
    if (!('command' in found)) {
      const text = 'text' in found ? found.text : await helpText(found.page, argv, runtime);
      await runtime.io.stdout.write(text);
      return 0;
    }
    const { parse } = await import('../cli/parser.js');
    const parsed = parse(found.command, found.path, found.words);
    globals = { ...runtime.globals, ...parsed.globals };
    failed = { command: found.command, path: found.path, values: parsed.values, words: found.words };
    const { endsItself } = found.command;
    const ends = (typeof endsItself === 'function' ? endsItself(parsed.values) : endsItself) ?? false;
    const to = textOf(globals, 'to');
    if (to !== undefined || found.command.flags?.some(({ name, writes }) => writes && parsed.values[name]))
      (await import('./check-outputs.js')).checkOutputs(found.command, parsed.values, globals);
    const file = to === undefined || to === '-' ? undefined : (await import('./result-file.js')).resultFile(to);
    const runLine: RunLine = (line, other) => main(line, { ...runtime, ...other });
    const own = withStreams(runtime, globals, file?.stdout);
    const { context, risk, end, ...warnings } = createContext(found.path, globals, own, runLine, ends);
    heldWarnings = warnings.heldWarnings;
    try {
      const running = found.command.run(parsed.values, context, ENTRIES);
      const interruption = async (): Promise<never> => {
        const { kind, message, hint } = await runtime.interrupted;
        throw new EduError(kind, message, { hint: risk() ?? hint });
      };
      const code = await (ends ? running : Promise.race([running, interruption()]));
      await warnings.flushWarnings();
      await file?.end(true);
      return typeof code === 'number' ? code : 0;
    } catch (error) {
      // The items of a job are printed although some of its rows failed.
      await file?.end(false, isKind(error, 'partial'));
      throw error;
    } finally {
      await end();
    }
  } catch (error) {
    if (error instanceof ClosedPipe) return 0;
    const { reportError } = await import('./report-error.js');
    return reportError(error, globals, runtime, heldWarnings, failed);
  }
}
