/** Completes errors for the command line: adds the attempt, and repeats the flags in effect in the commands of hints. */
import { redactPath } from '../client/request/redact.js';
import { endSentence, excerpt } from '../core/clean-text.js';
import type { EduError, ErrorKind } from '../core/errors.js';
import { andMore, singular } from '../core/plural.js';
import { shellLine } from '../core/shell.js';
import { withoutSecretParts } from '../settings/base-url.js';
import phrases from './attempt-phrases.json' with { type: 'json' };
import { type Command, isOn, textOf, textsOf, type Values, withAnswers } from './command.js';

/** The index of the first character outside of quotes that ends a command; the length of the text if there is none. */
function endOfCommand(text: string, from: number, ends: (char: string, at: number) => boolean): number {
  for (let at = from; at < text.length; at++) {
    const char = text[at] ?? '';
    if (ends(char, at)) return at;
    if (char === '\\') at++;
    // An apostrophe without a second one belongs to a word of prose.
    else if (char === "'") at = Math.max(at, text.indexOf("'", at + 1));
  }
  return text.length;
}

/** The beginning of a command: in backticks, or after a colon. */
const START = /`(?=edu )|(?<=: )(?=edu )/g;

/**
 * Replaces each command in a hint: in backticks, or from `: edu` to the end of the line, unless a backtick follows. A
 * full stop at the end of the hint is not part of the command.
 */
export function replaceCommands(hint: string, change: (command: string) => string): string {
  let replaced = '';
  let from = 0;
  for (;;) {
    START.lastIndex = from;
    const start = START.exec(hint);
    if (start === null) return replaced + hint.slice(from);
    const isQuoted = start[0] !== '';
    const begin = start.index + start[0].length;
    const end = endOfCommand(hint, begin, (char) => char === '`' || char === '\n');
    const isWhole = (hint[end] === '`') === isQuoted;
    const stop = !isQuoted && hint[end - 1] === '.' ? end - 1 : end;
    const command = hint.slice(begin, stop);
    const next = isQuoted && isWhole ? end + 1 : end;
    replaced += hint.slice(from, begin) + (isWhole ? change(command) : command) + hint.slice(stop, next);
    from = next;
  }
}

function flagsInEffect(globals: Values, command: string): readonly string[] {
  const settles = /^edu (config (?!get )|profiles)\b/.test(command);
  const offline = isOn(globals, 'offline') && !settles && !/^edu (auth|login|logout)\b/.test(command);
  const baseUrl = settles || offline ? undefined : textOf(globals, 'base-url');
  const pairs = [
    ['profile', textOf(globals, 'profile')],
    ['base-url', baseUrl === undefined ? undefined : withoutSecretParts(baseUrl)],
    ['insecure-http', baseUrl === undefined ? undefined : textsOf(globals, 'insecure-http').join(',') || undefined],
    ['as', offline ? textOf(globals, 'as') : undefined],
  ] as const;
  return [
    ...pairs.flatMap(([name, value]) => (value === undefined ? [] : [shellLine(`--${name}`, value)])),
    ...(offline ? ['--offline'] : []),
  ].filter((flag) => !` ${command} `.includes(` ${flag.split(' ')[0]} `));
}

/** Adds the flags in effect to a command, before `--`, a pipe or redirection. Commands for help need none. */
export function withFlags(command: string, globals: Values): string {
  if (/^edu (help|completion|version)\b| --help\b/.test(command)) return command;
  const end = endOfCommand(
    command,
    0,
    (char, at) => char === ' ' && /^ (--( |$)|[|>&<])/.test(command.slice(at, at + 4)),
  );
  return [command.slice(0, end), ...flagsInEffect(globals, command.slice(0, end))].join(' ') + command.slice(end);
}

/** Adds the flags in effect to the commands of a hint, so that they can be pasted. */
export const wordHint = (hint: string, globals: Values): string =>
  replaceCommands(hint, (command) => withFlags(command, globals));

const NEEDS_HINT: ReadonlySet<ErrorKind> = new Set(['refused', 'conflict', 'forbidden', 'not_found']);

/** A command line that failed. */
export interface Tried {
  readonly command: Pick<Command, 'arguments' | 'flags'>;
  /** Such as `licenses create`. */
  readonly path: string;
  readonly values: Values;
  /** The words of the line behind the command. */
  readonly words: readonly string[];
}

/** Returns true if a group has the plural of its items as a name, unlike `config`. */
const isPlural = (group: string): boolean => group.endsWith('s') && group !== 'alias';

function nounsOf(group: string): readonly [one: string, several: string] {
  const several = group.replace('license', 'licence').replace('-', ' ');
  return [isPlural(group) ? singular(several) : several, several];
}

/** Phrases of commands that do not consist of noun and verb; `{0}` and `{1}` are their arguments. */
const PHRASES: Readonly<Record<string, string>> = phrases;

const NAMING_FLAGS = ['name', 'title', 'email', 'code', 'class-name'] as const;

function textsIn(values: Values, name: string): string {
  const texts = textsOf(values, name).map((text) => excerpt(text, 80));
  return andMore(texts, 3);
}

function naming(values: Values): string {
  const flag = NAMING_FLAGS.find((name) => values[name] !== undefined);
  return flag === undefined ? '' : ` ${JSON.stringify(textsIn(values, flag))}`;
}

/** The attempt of a command line as a verb phrase without `to`: `assign licence code:welcome1 to ada@example.com`. */
export function attempted({ command, path, values: typed }: Omit<Tried, 'words'>): string {
  const values = withAnswers.get(typed) ?? typed;
  const names = (command.arguments ?? []).map(({ name }) => name);
  const given = names.map((name) => textsIn(values, name)).filter((text) => text !== '');
  const phrase = PHRASES[path];
  if (phrase !== undefined) {
    const [verbAndObject = phrase] = phrase.split(/ (?:of|to|from) /);
    return (given.length === 0 ? verbAndObject : phrase).replace(
      /\{(\d)\}/g,
      (_, index: string) => given[Number(index)] ?? '…',
    );
  }
  const [group = '', verb = group] = path.split(' ');
  const [one, several] = nounsOf(group);
  if (verb === 'list') return `list ${several}`;
  const isMany = textsOf(values, names[0] ?? '').length > 1;
  const name = given.length === 0 ? naming(values) : ` ${given.join(' ')}`;
  const article = name !== '' || !isPlural(group) ? '' : ` ${/^[aeo]/.test(one) ? 'an' : 'a'}`;
  const noun = group === verb ? '' : `${article} ${isMany ? several : one}`;
  return `${verb}${noun}${name}`;
}

/** Returns a function that names flags as the user typed them: `--subject`, not `--subject-id`. */
function namingAsTyped({ command: { flags = [] }, words }: Tried): (text: string) => string {
  const typed = new Set(words.map((word) => word.split('=', 1)[0] ?? ''));
  const spelled = new Map<string, string>(
    flags.flatMap(({ name, aliases = [] }) => {
      const alias = typed.has(`--${name}`) ? undefined : aliases.find((one) => typed.has(`--${one}`));
      return alias === undefined ? [] : [[`--${name}`, `--${alias}`] as const];
    }),
  );
  return (text) => (spelled.size === 0 ? text : text.replace(/--[a-z][a-z-]*/g, (word) => spelled.get(word) ?? word));
}

function wordMessage(error: EduError, tried: Tried): string {
  const attempt = redactPath(attempted(tried));
  const reason = error.message.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
  const what =
    error.kind === 'outcome_unknown' ? `confirm the request to ${attempt}`.replace(' to request ', ' ') : attempt;
  return endSentence(`Cannot ${what}: ${reason}`);
}

/** The error as shown to the user. @param tried undefined if the line has no known command */
export function wordError(error: EduError, globals: Values, tried: Tried | undefined): EduError {
  const asTyped = tried === undefined ? (text: string) => text : namingAsTyped(tried);
  const message = asTyped(tried !== undefined && error.isReason ? wordMessage(error, tried) : error.message);
  const fallback =
    tried !== undefined && NEEDS_HINT.has(error.kind)
      ? `See: ${shellLine('edu', ...tried.path.split(' '), '--help')}`
      : undefined;
  const hint = error.hint === undefined ? fallback : wordHint(asTyped(error.hint), globals);
  const details = error.details.map((one) => ({ ...one, ...(one.where && { where: asTyped(one.where) }) }));
  const worded = error.with({ message, hint, details, cause: error.cause, isReason: false });
  if (error.stack !== undefined) worded.stack = error.stack;
  return worded;
}
