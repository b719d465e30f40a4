/** The tools `search_commands` and `explain_error`. */
import { type ErrorKind, EXIT_CODES, usageError } from '../../core/errors.js';
import { fold } from '../../core/fold.js';
import { argumentData, flagData } from '../help/command-manifest.js';
import { EXIT_MEANINGS, KINDS } from '../help/topics.js';
import texts from './texts.json' with { type: 'json' };
import type { Usable } from './usable-commands.js';

const MAX_DESCRIBED = 5;

/** How well a command fits: words of its name count most. */
function scoreOf({ path, command, flags }: Usable, words: readonly string[]): number {
  const name = fold(path);
  const about = fold(`${command.summary} ${command.details ?? ''} ${Object.keys(command.examples).join(' ')}`);
  const flagText = fold(flags.map((flag) => `${flag.name} ${flag.description}`).join(' '));
  return words.reduce((sum, word) => {
    const stem = word.length > 4 ? word.replace(/(?:es|s)$/, '') : word;
    return sum + (name.includes(stem) ? 4 : 0) + (about.includes(stem) ? 2 : 0) + (flagText.includes(stem) ? 1 : 0);
  }, 0);
}

const withoutBlanks = (facts: object): object =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null && value !== false && value !== ''));

const described = ({ path, use, effects, command, flags }: Usable) => ({
  command: path,
  tool: use,
  summary: command.summary,
  details: command.details,
  effects,
  arguments: (command.arguments ?? []).map(argumentData).map(withoutBlanks),
  flags: flags.map(flagData).map(withoutBlanks),
  examples: command.examples,
});

/** The commands that fit best, described, and the names of others. */
export function searchCommands(usable: readonly Usable[], text: string) {
  const words = fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  const scored = usable.map((one) => ({ one, score: scoreOf(one, words) })).filter(({ score }) => score > 0);
  const best = scored.sort((a, b) => b.score - a.score).map(({ one }) => one);
  if (best.length === 0) return { commands: [], others: usable.map(({ path }) => path) };
  return {
    commands: best.slice(0, MAX_DESCRIBED).map(described),
    others: best.slice(MAX_DESCRIBED).map(({ path }) => path),
  };
}

const ADVICE: Readonly<Record<ErrorKind, string>> = texts.advice;
const ERROR_KINDS = Object.keys(EXIT_CODES) as readonly ErrorKind[];

/** @throws EduError `usage` for an unknown kind or exit code */
export function explainError({ kind, exit_code: code }: { kind?: string | undefined; exit_code?: number | undefined }) {
  const known = ERROR_KINDS.find((one) => one === kind);
  if (kind !== undefined && known === undefined)
    throw usageError(`There is no kind of error ${JSON.stringify(kind)}.`, `Kinds: ${ERROR_KINDS.join(', ')}.`);
  const exitCode = known === undefined ? code : EXIT_CODES[known];
  const meaning = EXIT_MEANINGS[String(exitCode)];
  if (meaning === undefined)
    throw usageError(exitCode === undefined ? 'Pass kind or exit_code.' : `There is no exit code ${exitCode}.`);
  const kinds = ERROR_KINDS.filter((name) => (known ?? name) === name && EXIT_CODES[name] === exitCode);
  return {
    exit_code: exitCode,
    meaning,
    kinds: kinds.map((name) => ({ kind: name, meaning: KINDS[name] || meaning, advice: ADVICE[name] })),
  };
}
