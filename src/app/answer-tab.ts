/**
 * Answers a shell's Tab: `edu __complete WORD…` prints a line of directives, then one candidate a line with what it is
 * behind a tab. On any failure the answer is empty: a shell has no place for an error.
 */
import type { Values } from '../cli/command.js';
import { type Completion, complete, type Sources } from '../cli/completion/candidates.js';
import { ENTRIES } from '../commands/index.js';
import { SETTING_KEYS } from '../settings/keys.js';
import { readSettings } from '../settings/read-settings.js';
import { assemble } from './create-context.js';
import type { Surroundings } from './runtime.js';

/** Ids read from a list at most, and milliseconds that a Tab waits for the service. */
const MOST = 300;
const PATIENCE = 1500;

// What a shell could take for something else is not offered: an id is put into the line as it is.
const HARMLESS = /^[\p{L}\p{N}@._:,=+%/-]+$/u;

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
    ids: async (kind) => {
      const { context, end } = assemble('__complete', { ...globalsOf(line), retries: 0 }, surroundings);
      endings.push(end);
      const { referents } = await import('../commands/kinds/selectable.js');
      return (await referents(kind, context, MOST)) ?? [];
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

/** Prints the candidates for a line. @returns 0 always */
export async function answerTab(line: readonly string[], surroundings: Surroundings): Promise<number> {
  const endings: (() => Promise<void>)[] = [];
  let answer: Completion = { candidates: [], files: false, open: false };
  try {
    answer = await complete(line, ENTRIES, sourcesFor(line, surroundings, endings));
  } catch {
    // No candidates.
  }
  await surroundings.io.stdout.write(await text(answer));
  for (const end of endings) await end().catch(() => {});
  return 0;
}
