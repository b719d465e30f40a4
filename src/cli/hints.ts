/** Words errors for the command line: the attempt, and hints whose commands repeat the flags in force. */
import { EduError, type ErrorKind } from '../core/errors.js';
import { quoteForShell } from '../core/shell.js';
import { withoutUserInfo } from '../settings/base-url.js';
import { isOn, textOf, type Values } from './command.js';

/** A command in a hint: in backticks, or from `: edu` to the end of the line, which a backtick behind it is not. */
const COMMANDS = /`(edu [^`\n]+)`|(?<=: )(edu [^`\n]+)(?=(`?))/g;

/** A hint with each command replaced; the full stop of a sentence that ends with a command is not part of it. */
const replaceCommands = (hint: string, change: (command: string) => string): string =>
  hint.replace(COMMANDS, (text: string, inBackticks?: string, atEnd?: string, behind?: string) => {
    if (inBackticks !== undefined) return `\`${change(inBackticks)}\``;
    if (atEnd === undefined || behind === '`') return text;
    return atEnd.endsWith('.') ? `${change(atEnd.slice(0, -1))}.` : change(atEnd);
  });

/** The commands that a hint names, in its order. */
export function commandsIn(hint: string): readonly string[] {
  const found: string[] = [];
  replaceCommands(hint, (command) => {
    found.push(command);
    return command;
  });
  return found;
}

/** Flags of the line that decide which account and service a command is for, as words for a shell. */
function flagsInForce(globals: Values, command: string): readonly string[] {
  const settles = /^edu (config|profiles)\b/.test(command);
  const offline = isOn(globals, 'offline') && !settles && !/^edu (auth|login|logout)\b/.test(command);
  const baseUrl = settles || offline ? undefined : textOf(globals, 'base-url');
  const pairs = [
    ['profile', textOf(globals, 'profile')],
    ['base-url', baseUrl === undefined ? undefined : withoutUserInfo(baseUrl)],
    ['as', offline ? textOf(globals, 'as') : undefined],
  ] as const;
  return [
    ...pairs.flatMap(([name, value]) => (value === undefined ? [] : [`--${name} ${quoteForShell(value)}`])),
    ...(offline ? ['--offline'] : []),
  ].filter((flag) => !` ${command} `.includes(` ${flag.split(' ')[0]} `));
}

/** A command with the flags in force, before what its output goes to. Help pages need none. */
function withFlags(command: string, globals: Values): string {
  if (/^edu (help|completion|version)\b| --help\b/.test(command)) return command;
  const [, line = command, rest = ''] = /^(.*?)( [|>&<].*)?$/s.exec(command) ?? [];
  return [line, ...flagsInForce(globals, command)].join(' ') + rest;
}

/**
 * A hint whose commands can be pasted.
 * @param globals the global flags of the line
 */
export const wordHint = (hint: string, globals: Values): string =>
  replaceCommands(hint, (command) => withFlags(command, globals));

/** Kinds whose message stands alone: it starts with the flag, or is a whole sentence about the program itself. */
const WHOLE: ReadonlySet<ErrorKind> = new Set(['usage', 'interrupted', 'terminated', 'internal', 'partial']);

/** Kinds that always say what to do next. */
const NEEDS_HINT: ReadonlySet<ErrorKind> = new Set(['refused', 'conflict', 'forbidden', 'not_found']);

/** What a command line was about, as far as it could be read. */
export interface Tried {
  /** The command's words, such as `licenses get`. */
  readonly path: string;
  /** A verb phrase without `to`: `get licence 4711`. */
  readonly attempt: string;
}

/** Messages of requests give the reason only, which begins in lower case. */
const isReason = ({ kind, method, message }: EduError): boolean =>
  !WHOLE.has(kind) && (method !== undefined || /^[a-z]/.test(message)) && !message.startsWith('Cannot ');

function wordMessage(error: EduError, { attempt }: Tried): string {
  const reason = error.message.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
  const what =
    error.kind === 'outcome_unknown' ? `confirm the request to ${attempt}`.replace(' to request ', ' ') : attempt;
  return `Cannot ${what}: ${reason}${/[.?!…]$/.test(reason) ? '' : '.'}`;
}

/**
 * An error as the command line tells it: what was tried, why it failed, and commands that can be pasted.
 * @param globals the global flags of the line
 * @param tried undefined when the line named no command
 */
export function wordError(error: EduError, globals: Values, tried: Tried | undefined): EduError {
  const message = tried !== undefined && isReason(error) ? wordMessage(error, tried) : error.message;
  const fallback = tried !== undefined && NEEDS_HINT.has(error.kind) ? `See: edu ${tried.path} --help` : undefined;
  const hint = error.hint === undefined ? fallback : wordHint(error.hint, globals);
  const { kind, status, method, path, requestId, details, cause, stack } = error;
  const worded = new EduError(kind, message, { hint, status, method, path, requestId, details, cause });
  if (stack !== undefined) worded.stack = stack;
  return worded;
}
