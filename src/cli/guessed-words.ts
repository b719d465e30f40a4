/** The probable meaning of words that are no commands or flags: a command, or the reason why there is none. */
import { type EduError, usageError } from '../core/errors.js';
import { shellLine } from '../core/shell.js';
import { didYouMean } from '../core/suggest.js';
import { type Commands, type Group, isGroup } from './command.js';
import { commandsIn, findCommand, findEntry, firstWord, namesOf } from './find-command.js';
import words from './guessed-words.json' with { type: 'json' };

/**
 * By word, or by command and word where that decides: other words for the same thing, the most likely first, or a
 * sentence on why the service cannot do it.
 */
const TABLE = new Map<string, string | readonly string[]>(Object.entries(words));

const MAX_MEANT = 2;

interface Guess {
  /** Known words. */
  readonly meant: readonly string[];
  /** A sentence instead of known words. */
  readonly why?: string | undefined;
}

/** Looks up an unknown word, in lower case or with its hyphens. @param path the command or group before it */
export function guess(path: string, word: string, known: readonly string[]): Guess {
  const under = (name: string): string | readonly string[] | undefined => TABLE.get(`${path} ${name}`);
  const found = under(word) ?? TABLE.get(word) ?? [];
  if (typeof found === 'string') return { meant: [], why: found };
  const meant = found.filter((name) => known.includes(name)).slice(0, MAX_MEANT);
  if (meant.length > 0) return { meant };
  return { meant, why: found.map(under).find((one) => typeof one === 'string') };
}

const isNegated = (word: string): boolean => /^(un|dis)/.test(word);

/** `edu licenses creat`: the commands of the group that were probably meant, or why there is none. */
function suggestion(typed: string, known: readonly string[], path: string): string {
  const word = typed.toLowerCase();
  const { meant, why } = guess(path, word, known);
  if (why !== undefined) return why;
  if (meant.length > 0)
    return didMean(
      meant.map((name) => `${path} ${name}`.trim()),
      path,
    );
  // The opposite of a word is close to it, and never meant.
  const near = known.includes(word) ? [word] : known.filter((name) => isNegated(name) === isNegated(word));
  return [didYouMean(word, near) ?? [], helpOf(path)].flat().join(' ');
}

/** The hint that names a help page. */
export const helpOf = (path: string): string =>
  `See: ${shellLine('edu', ...path.split(' ').filter(Boolean), '--help')}`;

const didMean = (paths: readonly string[], group: string): string =>
  `Did you mean ${paths.map((path) => `\`${shellLine('edu', ...path.split(' '))}\``).join(' or ')}? ${helpOf(group)}`;

/** The paths of the commands of any group that have this name. */
async function homesOf(word: string, commands: Commands): Promise<readonly string[]> {
  const paths: string[] = [];
  for await (const { path, command } of commandsIn(commands)) if (namesOf([command]).includes(word)) paths.push(path);
  return paths;
}

/** More homes than this are not listed. */
const MAX_HOMES = 3;

/** `edu list licenses`, `edu cancel`: a command without its resource, or before it. */
async function verbFirst(word: string, rest: readonly string[], commands: Commands): Promise<string | undefined> {
  const next = firstWord(rest).word ?? '';
  const [other] = guess('', next.toLowerCase(), namesOf(commands)).meant;
  const entry = findEntry(commands, next) ?? findEntry(commands, other ?? '');
  const loaded = await entry?.load();
  if (entry !== undefined && loaded !== undefined && isGroup(loaded)) {
    const command = findCommand(loaded, word);
    return command === undefined
      ? suggestion(word, namesOf(loaded.commands), entry.name)
      : didMean([`${entry.name} ${command.name}`], entry.name);
  }
  const homes = await homesOf(word, commands);
  if (homes.length === 0) return undefined;
  const [example = ''] = homes.filter((path) => path.startsWith('licenses ')).concat(homes);
  return homes.length > MAX_HOMES
    ? `Name the resource first, such as in \`${shellLine('edu', ...example.split(' '))}\`. ${helpOf('')}`
    : didMean(homes, '');
}

const unknown = (words: string, hint: string): EduError => usageError(`There is no command "edu ${words}".`, hint);

/** The error for an unknown command of a group. */
export const unknownCommand = (word: string, { name, commands }: Pick<Group, 'name' | 'commands'>): EduError =>
  unknown(`${name} ${word}`, suggestion(word, namesOf(commands), name));

/** The error for an unknown first word. @param rest the other words of the line */
export async function unknownEntry(word: string, rest: readonly string[], commands: Commands): Promise<EduError> {
  const known = namesOf(commands);
  const lower = word.toLowerCase();
  const isFirst = known.includes(lower) || guess('', lower, known).meant.length > 0;
  const moved = isFirst ? undefined : await verbFirst(lower, rest, commands);
  return unknown(word, moved ?? suggestion(word, known, ''));
}
