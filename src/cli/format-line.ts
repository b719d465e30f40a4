/**
 * Formats values as a command line, printed after prompts so that it can be repeated in a script. It contains no
 * secrets, because no flag does.
 */

import { shellLine } from '../core/shell.js';
import { type Command, type Flag, textsOf, type Value, type Values } from './command.js';
import { GLOBAL_FLAGS } from './global-flags.js';

/** `--name value`, or `--name=-value` for a value that begins with a hyphen. */
const pair = (name: string, value: string): readonly string[] =>
  value.startsWith('-') ? [`--${name}=${value}`] : [`--${name}`, value];

function flagWords(flag: Flag, value: Value | undefined): readonly string[] {
  if (value === undefined) return [];
  if (flag.kind === 'switch') {
    if (value === true) return [`--${flag.name}`];
    if (typeof value === 'string') return [`--${flag.name}=${value}`];
    // Only switches with a target in the request have a negation; `--yes=false` has no effect.
    return flag.target === undefined ? [] : [`--no-${flag.name}`];
  }
  if (typeof value !== 'object') return pair(flag.name, String(value));
  return flag.many
    ? pair(flag.name, value.map((text) => text.replace(/[,\\]/g, '\\$&')).join(','))
    : value.flatMap((text) => pair(flag.name, text));
}

type Places = Pick<Command, 'arguments' | 'flags'>;

/** The words of a line behind `edu`. @param path such as `licenses create` */
export function lineWords(
  { arguments: args = [], flags: own = [] }: Places,
  path: string,
  values: Values,
  globals: Values,
): readonly string[] {
  const words = args.flatMap(({ name }) => textsOf(values, name));
  const flags = [
    ...own.flatMap((flag) => flagWords(flag, values[flag.name])),
    ...GLOBAL_FLAGS.flatMap((flag) => flagWords(flag, globals[flag.name])),
  ];
  const isClear = words.every((word) => !word.startsWith('-'));
  return [...path.split(' '), ...(isClear ? [...words, ...flags] : [...flags, '--', ...words])];
}

/** The whole line, beginning with `edu`, quoted for the shell. */
export const commandLine = (command: Places, path: string, values: Values, globals: Values): string =>
  shellLine('edu', ...lineWords(command, path, values, globals));

/** Returns true if prompts were answered: there is a value that the line did not give. */
export const wasAsked = (given: Values, whole: Values): boolean =>
  Object.keys(whole).some((name) => given[name] === undefined && whole[name] !== undefined);
