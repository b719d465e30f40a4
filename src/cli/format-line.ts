/**
 * Formats values as a command line, printed after prompts so that it can be repeated in a script. It contains no
 * secrets, because no flag does (PRODUCT.md section 1).
 */

import { quoteForShell as quoted } from '../core/shell.js';
import type { Command, Flag, Value, Values } from './command.js';
import { GLOBAL_FLAGS } from './global-flags.js';

/** `--name value`, or `--name=-value` for a value that begins with a hyphen. */
const pair = (name: string, value: string): string =>
  value.startsWith('-') ? quoted(`--${name}=${value}`) : `--${name} ${quoted(value)}`;

function flagWords(flag: Flag, value: Value | undefined): readonly string[] {
  if (value === undefined) return [];
  if (flag.kind === 'switch') {
    if (value === true) return [`--${flag.name}`];
    if (typeof value === 'string') return [`--${flag.name}=${value}`];
    // Only switches with a target in the request have a negation; `--yes=false` has no effect.
    return flag.target === undefined ? [] : [`--no-${flag.name}`];
  }
  if (typeof value !== 'object') return [pair(flag.name, String(value))];
  return flag.many ? [pair(flag.name, value.join(','))] : value.map((text) => pair(flag.name, text));
}

const argumentWords = (value: Value | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'object' ? value : [String(value)];

/**
 * The whole line, beginning with `edu`, quoted for POSIX shells.
 * @param path such as `licenses create`
 * @param values values of arguments and flags
 * @param globals values of the global flags
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

/** Returns true if prompts were answered: there is a value that the line did not give. */
export const wasAsked = (given: Values, whole: Values): boolean =>
  Object.keys(whole).some((name) => given[name] === undefined && whole[name] !== undefined);
