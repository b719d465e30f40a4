/** Reads the words of a line: flags with their values, and the command, with global flags anywhere around it. */
import { type Command, type Commands, type Entry, type Flag, type Group, isGroup, type Values } from './command.js';
import { GLOBAL_FLAGS } from './global-flags.js';

export const spellings = (flag: Flag): readonly string[] => [flag.name, ...(flag.aliases ?? [])];

/** A part of a line. */
export interface Token {
  /** A word, the name of a flag such as `--output` or `-o`, or `--`. */
  readonly word: string;
  /** Place of the word on the line. */
  readonly index: number;
  /** Undefined for another word, and for an unknown flag. */
  readonly flag: Flag | undefined;
  /** Of a flag; for a switch `true`, `false`, or what follows an equals sign. */
  readonly value: string | undefined;
}

/** @param flags the known ones; an unknown one has no value. The words behind `--` are not read */
export function tokensOf(words: readonly string[], flags: readonly Flag[] = GLOBAL_FLAGS): readonly Token[] {
  const known = new Map<string, Flag>(
    flags.flatMap((flag) => [
      ...spellings(flag).map((name) => [`--${name}`, flag] as const),
      ...(flag.short === undefined ? [] : [[`-${flag.short}`, flag] as const]),
    ]),
  );
  const tokens: Token[] = [];
  for (let index = 0; index < words.length; index++) {
    let [typed = '', next] = [words[index], words[index + 1]];
    while (/^-\w{2}/.test(typed) && known.get(typed.slice(0, 2))?.kind === 'switch') {
      const word = typed.slice(0, 2);
      tokens.push({ word, index, flag: known.get(word), value: undefined });
      typed = `-${typed.slice(2)}`;
    }
    const [, name = typed, inline] = /^(--[^=]+|-\w)=(.*)$/s.exec(typed) ?? /^(-\w)(.+)$/s.exec(typed) ?? [];
    const flag = known.get(name);
    const takesNext = flag?.kind === 'switch' ? next === 'true' || next === 'false' : flag !== undefined;
    const value = inline ?? (takesNext ? next : undefined);
    tokens.push(
      flag === undefined ? { word: typed, index, flag, value: undefined } : { word: name, index, flag, value },
    );
    if (typed === '--') break;
    if (takesNext && inline === undefined) index++;
  }
  return tokens;
}

export const isWord = ({ word }: Token): boolean => word === '-' || !word.startsWith('-');

/** The first word that is neither a flag nor the value of a global flag. @returns also its place, and the others */
export function firstWord(argv: readonly string[]) {
  const { word, index = -1 } = tokensOf(argv).find(isWord) ?? {};
  return { word, index, rest: argv.filter((_, place) => place !== index) };
}

/** The unknown flag directly before a place, whose word may be its value. */
export function flagBefore(argv: readonly string[], place: number): string | undefined {
  const { word, flag } = tokensOf(argv).find(({ index }) => index === place - 1) ?? {};
  return flag === undefined && word?.startsWith('--') && !word.includes('=') ? word : undefined;
}

/** The global flags of a line that is not parsed, before `--`, unchecked. */
export const globalsIn = (argv: readonly string[]): Values =>
  Object.fromEntries(
    tokensOf(argv).flatMap(({ flag, value }) => {
      if (flag === undefined) return [];
      const isText = flag.kind !== 'switch' || flag.variants?.includes(value ?? '');
      return [[flag.name, isText ? value : value !== 'false']];
    }),
  );

/** All words of these commands or entries, aliases included. */
export const namesOf = (all: readonly Pick<Command | Entry, 'name' | 'aliases'>[]): readonly string[] =>
  all.flatMap(({ name, aliases = [] }) => [name, ...aliases]);

export const findEntry = (commands: Commands, word: string): Entry | undefined =>
  commands.find((entry) => entry.name === word || entry.aliases?.includes(word));

export const findCommand = (group: Group, word: string): Command | undefined =>
  group.commands.find((command) => command.name === word || command.aliases?.includes(word));

/** A command or group with its words. */
export interface Node {
  readonly path: string;
  readonly entry: Entry;
  readonly loaded: Group | Command;
}

/** Every group and command, loaded. */
export async function* nodesIn(commands: Commands): AsyncGenerator<Node> {
  for (const entry of commands) {
    const loaded = await entry.load();
    yield { path: entry.name, entry, loaded };
    if (!isGroup(loaded)) continue;
    for (const command of loaded.commands) yield { path: `${entry.name} ${command.name}`, entry, loaded: command };
  }
}

/** Every command with its path. */
export async function* commandsIn(commands: Commands) {
  for await (const { path, loaded } of nodesIn(commands)) if (!isGroup(loaded)) yield { path, command: loaded };
}

export async function commandAt(path: string, commands: Commands): Promise<Command | undefined> {
  const [word = '', verb = ''] = path.split(' ');
  const loaded = await findEntry(commands, word)?.load();
  return loaded !== undefined && isGroup(loaded) ? findCommand(loaded, verb) : loaded;
}
