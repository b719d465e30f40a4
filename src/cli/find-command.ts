/** Finds the command on a line, with global flags anywhere around it. */
import type { Command, Commands, Entry, Group } from './command.js';
import { GLOBAL_FLAGS } from './global-flags.js';

const TAKES_VALUE = new Set(
  GLOBAL_FLAGS.filter((flag) => flag.kind !== 'switch').flatMap((flag) => [
    `--${flag.name}`,
    ...(flag.short === undefined ? [] : [`-${flag.short}`]),
  ]),
);

const SWITCHES = new Set(GLOBAL_FLAGS.filter((flag) => flag.kind === 'switch').map((flag) => `--${flag.name}`));

/** The first word that is neither a flag nor the value of a global flag. */
export function firstWord(argv: readonly string[]) {
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? '';
    if (word === '--') break;
    if (TAKES_VALUE.has(word)) index++;
    else if (word === '-' || !word.startsWith('-'))
      return { word, rest: [...argv.slice(0, index), ...argv.slice(index + 1)] };
  }
  return { word: undefined, rest: argv };
}

/** The flag directly before a word, if it may take the word as its value. */
export function flagBefore(argv: readonly string[], word: string): string | undefined {
  const before = argv[argv.indexOf(word) - 1];
  return before?.startsWith('--') && !before.includes('=') && !SWITCHES.has(before) ? before : undefined;
}

/** Returns true if a switch is on the line before `--`. */
export function hasSwitch(argv: readonly string[], long: string, short: string): boolean {
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? '';
    if (word === '--') return false;
    if (word === long || word === short) return true;
    if (TAKES_VALUE.has(word)) index++;
  }
  return false;
}

/** All words of these commands or entries, aliases included. */
export const namesOf = (all: readonly Pick<Command | Entry, 'name' | 'aliases'>[]): readonly string[] =>
  all.flatMap(({ name, aliases = [] }) => [name, ...aliases]);

export const findEntry = (commands: Commands, word: string): Entry | undefined =>
  commands.find((entry) => entry.name === word || entry.aliases?.includes(word));

export const findCommand = (group: Group, word: string): Command | undefined =>
  group.commands.find((command) => command.name === word || command.aliases?.includes(word));
