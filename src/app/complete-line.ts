/** Completes a command line: `edu __complete WORD…` prints a line of directives, then one line per candidate. */
import type { Commands } from '../cli/command.js';
import { type Completion, complete, described, type Sources } from '../cli/completion/candidates.js';
import { findEntry, firstWord, globalsIn } from '../cli/find-command.js';
import { ENTRIES } from '../commands/index.js';
import { EduError } from '../core/errors.js';
import { type Aliases, expandAlias, readAliases } from '../settings/aliases.js';
import { SETTINGS, type Setting } from '../settings/keys.js';
import { readSettings } from '../settings/read-settings.js';
import { createContext } from './create-context.js';
import type { Runtime } from './runtime.js';

const MAX_ITEMS = 1000;

/** For all requests of a line together, because the shell waits. */
const TIMEOUT_MS = 1500;

// The shells quote candidates themselves; control and invisible characters are not offered.
const VISIBLE = /^[^\p{C}\p{Zl}\p{Zp}]+$/u;

const noLine = (): Promise<never> => Promise.reject(new TypeError('Completion runs no command line.'));

function sourcesFor(line: readonly string[], runtime: Runtime, cleanups: (() => Promise<void>)[]): Sources {
  return {
    references: async (place, values) => {
      const tooLate = new EduError('interrupted', 'The candidates did not arrive in time.');
      const late = new Promise<EduError>((resolve) => setTimeout(resolve, TIMEOUT_MS, tooLate).unref());
      const limited = { ...runtime, interrupted: Promise.race([runtime.interrupted, late]) };
      const globals = { ...globalsIn(line.slice(0, -1)), quiet: true, retries: 0 };
      const { context, end } = createContext('__complete', globals, limited, noLine);
      cleanups.push(end);
      const { referents } = await import('../commands/kinds/resolve-values.js');
      return (await referents(place, values, context, MAX_ITEMS)) ?? { matches: [], find: () => [] };
    },
    named: {
      profile: async () => described([...readSettings(runtime.env).profiles.keys()], 'profile'),
      topic: async () =>
        (await import('../commands/help/topics.js')).TOPICS.map(({ name, title }) => ({
          value: name,
          description: title,
        })),
      value: async (setting = '') => described((SETTINGS as Readonly<Record<string, Setting>>)[setting]?.choices ?? []),
      setting: async () => Object.entries(SETTINGS).map(([value, { description }]) => ({ value, description })),
    },
  };
}

async function text({ candidates, files, open }: Completion): Promise<string> {
  const { forPeople } = await import('../output/sanitize.js');
  const directives = [files ? 'files' : 'words', ...(open ? ['open'] : [])].join(' ');
  const lines = candidates
    .filter(({ value }) => VISIBLE.test(value))
    .map(({ value, description }) => `${value}\t${forPeople(description)}`);
  return `${[directives, ...lines].join('\n')}\n`;
}

/** All commands and aliases. An alias has only a name and a description. */
function entriesWith(aliases: Aliases): Commands {
  const load = () => Promise.reject(new TypeError('An alias must be expanded before its command is loaded.'));
  return [...ENTRIES, ...[...aliases].map(([name, summary]) => ({ name, summary, section: '', load }))];
}

/** Prints the candidates for a line. @returns always 0 */
export async function completeLine(line: readonly string[], runtime: Runtime): Promise<number> {
  const cleanups: (() => Promise<void>)[] = [];
  let answer: Completion = { candidates: [], files: false, open: false };
  try {
    const aliases = readAliases(runtime.env);
    const { word = '', index } = firstWord(line.slice(0, -1));
    const expanded = findEntry(ENTRIES, word) === undefined ? expandAlias(line, index, aliases) : undefined;
    const words = expanded ?? line;
    answer = await complete(words, entriesWith(aliases), sourcesFor(words, runtime, cleanups));
  } catch {
    // No candidates, because a shell cannot show an error here.
  }
  await runtime.io.stdout.write(await text(answer));
  for (const end of cleanups) await end().catch(() => {});
  return 0;
}
