/**
 * Answers a shell's Tab: `edu __complete WORD…` prints a line of directives, then one candidate a line with what it is
 * behind a tab. On any failure the answer is empty: a shell has no place for an error.
 */
import type { Commands, Values } from '../cli/command.js';
import { type Completion, complete, type Sources } from '../cli/completion/candidates.js';
import { findEntry, firstWord } from '../cli/find-command.js';
import { ENTRIES } from '../commands/index.js';
import { splitWords } from '../core/shell.js';
import { type Aliases, readAliases } from '../settings/aliases.js';
import { SETTING_KEYS } from '../settings/keys.js';
import { readSettings } from '../settings/read-settings.js';
import { assemble } from './create-context.js';
import type { Surroundings } from './runtime.js';

/** Items read at most, and milliseconds that a Tab waits for an answer of the service. */
const MOST = 1000;
const PATIENCE = 1500;

// The shells quote what they put into the line; what would be a flag there, or can't be seen, is not offered.
const HARMLESS = /^[^\p{C}\p{Zl}\p{Zp}]+$/u;

/** The global flags on an unfinished line that say which service is asked. */
function globalsOf(line: readonly string[]): Values {
  const globals: Record<string, string | boolean> = { quiet: true, timeout: `${PATIENCE}ms` };
  for (const [index, word] of line.entries()) {
    const [, name = '', inline] = /^--(profile|base-url|as|language)(?:=(.*))?$/s.exec(word) ?? [];
    const value = inline ?? line[index + 1];
    if (name !== '' && value !== undefined) globals[name] = value;
    if (word === '--offline') globals.offline = true;
  }
  return globals;
}

function sourcesFor(line: readonly string[], surroundings: Surroundings, endings: (() => Promise<void>)[]): Sources {
  return {
    references: async (refersTo, command, values) => {
      const { context, end } = assemble('__complete', { ...globalsOf(line), retries: 0 }, surroundings);
      endings.push(end);
      const { referents } = await import('../commands/kinds/referents.js');
      return (await referents(refersTo, command, values, context, MOST))?.matches ?? [];
    },
    profiles: async () => [...readSettings(surroundings.env).profiles.keys()],
    topics: async () => (await import('../commands/help/topics.js')).TOPICS.map(({ name }) => name),
    settings: async () => SETTING_KEYS.map(({ name, description }) => ({ value: name, description })),
  };
}

async function text({ candidates, files, open }: Completion): Promise<string> {
  const { forPeople } = await import('../output/sanitize.js');
  const directives = [files ? 'files' : 'words', ...(open ? ['open'] : [])].join(' ');
  const lines = candidates
    .filter(({ value }) => HARMLESS.test(value))
    .map(({ value, description }) => `${value}\t${forPeople(description)}`);
  return `${[directives, ...lines].join('\n')}\n`;
}

/** The commands, and as words only, the aliases. */
function entriesWith(aliases: Aliases): Commands {
  const load = () => Promise.reject(new TypeError('An alias is spelt out before its command is loaded.'));
  return [...ENTRIES, ...[...aliases].map(([name, summary]) => ({ name, summary, section: '', load }))];
}

/** The line with an alias spelt out. */
function spelt(line: readonly string[], aliases: Aliases): readonly string[] {
  const { word = '' } = firstWord(line.slice(0, -1));
  const at = line.indexOf(word);
  const stands = findEntry(ENTRIES, word) === undefined ? aliases.get(word) : undefined;
  return stands === undefined ? line : [...line.slice(0, at), ...splitWords(stands), ...line.slice(at + 1)];
}

/** Prints the candidates for a line. @returns 0 always */
export async function answerTab(line: readonly string[], surroundings: Surroundings): Promise<number> {
  const endings: (() => Promise<void>)[] = [];
  let answer: Completion = { candidates: [], files: false, open: false };
  try {
    const aliases = readAliases(surroundings.env);
    const words = spelt(line, aliases);
    answer = await complete(words, entriesWith(aliases), sourcesFor(words, surroundings, endings));
  } catch {
    // No candidates.
  }
  await surroundings.io.stdout.write(await text(answer));
  for (const end of endings) await end().catch(() => {});
  return 0;
}
