/**
 * Formats values as a command line, printed after prompts so that it can be repeated in a script. It contains no
 * secrets, because no flag does (PRODUCT.md section 1).
 */

import { quoteForShell as quoted } from '../core/shell.js';
import type { Command, Flag, Value, Values } from './command.js';
import { GLOBAL_FLAGS } from './global-flags.js';

/** `--name value`, and `--name=-value` for what would be read as a flag itself. */
const pair = (name: string, value: string): string =>
  value.startsWith('-') ? quoted(`--${name}=${value}`) : `--${name} ${quoted(value)}`;

function flagWords(flag: Flag, value: Value | undefined): readonly string[] {
  if (value === undefined) return [];
  if (flag.kind === 'switch') {
    if (value === true) return [`--${flag.name}`];
    // Only what goes into the request can be switched off; `--yes=false` is as good as nothing.
    return flag.target === undefined ? [] : [`--no-${flag.name}`];
  }
  if (typeof value !== 'object') return [pair(flag.name, String(value))];
  return flag.many ? [pair(flag.name, value.join(','))] : value.map((text) => pair(flag.name, text));
}

const argumentWords = (value: Value | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'object' ? value : [String(value)];

/**
 * The whole line, from `edu` on, quoted for POSIX shells.
 * @param path the command's words
 * @param values what arguments and flags hold
 * @param globals the global flags of the line
 */
export function commandLine(command: Command, path: string, values: Values, globals: Values): string {
  const words = (command.arguments ?? []).flatMap(({ name }) => argumentWords(values[name]));
  const flags = [
    ...(command.flags ?? []).flatMap((flag) => flagWords(flag, values[flag.name])),
    ...GLOBAL_FLAGS.flatMap((flag) => flagWords(flag, globals[flag.name])),
  ];
  const given = words.map(quoted);
  return words.some((word) => word.startsWith('-'))
    ? ['edu', path, ...flags, '--', ...given].join(' ')
    : ['edu', path, ...given, ...flags].join(' ');
}

/** Whether questions were answered: a value is there that the line did not give. */
export const wasAsked = (given: Values, whole: Values): boolean =>
  Object.keys(whole).some((name) => given[name] === undefined && whole[name] !== undefined);
