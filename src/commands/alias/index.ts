/** `edu alias …`: short names for command lines. */
import { type Command, type Commands, type Group, isGroup, textOf, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { findCommand, findEntry, firstWord } from '../../cli/find-command.js';
import { unknownCommand, unknownEntry } from '../../cli/guessed-words.js';
import { LOCAL_LIST } from '../../cli/traits.js';
import { object, text } from '../../contract/vocabulary.js';
import { EduError, usageError } from '../../core/errors.js';
import { splitWords } from '../../core/shell.js';
import { didYouMean } from '../../core/suggest.js';
import { changeAliases, readAliases } from '../../settings/aliases.js';
import { plainCommand } from '../kinds/define.js';

const ALIAS = object({ name: text('alias'), line: text('command line, without edu') }, 'an alias');

const list: Command = {
  name: 'list',
  summary: 'List your aliases.',
  examples: {
    'List your aliases:': 'edu alias list',
  },
  prints: 'list',
  traits: LOCAL_LIST,
  run: async (_, context) => {
    const rows = [...readAliases(context.env)].map(([name, line]) => ({ name, line }));
    rows.sort((a, b) => (a.name < b.name ? -1 : 1));
    await (await context.printer()).list(rows, { shape: ALIAS, noun: 'aliases' });
  },
};

async function checkWords(words: readonly string[], commands: Commands): Promise<void> {
  const first = firstWord(words);
  if (first.word === undefined) throw usageError('An alias must start with a command.', 'See: edu --help');
  const entry = findEntry(commands, first.word);
  if (entry === undefined) throw await unknownEntry(first.word, first.rest, commands);
  const loaded = await entry.load();
  const { word } = firstWord(first.rest);
  if (isGroup(loaded) && word !== undefined && findCommand(loaded, word) === undefined)
    throw unknownCommand(word, loaded);
}

/** @throws EduError `usage` for an invalid name, or a line that is no command */
async function setAlias(values: Values, context: Context, commands: Commands): Promise<void> {
  const name = textOf(values, 'name') ?? '';
  const line = (textOf(values, 'line') ?? '').trim().replace(/^edu\s+/, '');
  if (!/^[a-z][a-z0-9-]{0,39}$/.test(name))
    throw usageError(
      `Cannot use ${JSON.stringify(name)} as an alias.`,
      'An alias has up to 40 lowercase letters, digits and hyphens, a letter first.',
    );
  if (findEntry(commands, name) !== undefined)
    throw usageError(`Cannot use ${name} as an alias: it is a command.`, 'Choose another name.');
  const parameter = splitWords(line).find((word) => /\$[\d@*]/.test(word));
  if (parameter !== undefined)
    throw usageError(
      `Cannot use ${parameter} in an alias: words after an alias are added to the end of its line.`,
      `Leave it out: \`edu ${name} WORD\` then runs the line with WORD at its end.`,
    );
  await checkWords(splitWords(line), commands);
  const before = readAliases(context.env).get(name);
  await changeAliases(context.env, context.machine, (now) => new Map([...now, [name, line]]));
  await context.say(`edu ${name} now stands for: edu ${line}`);
  if (before !== undefined && before !== line) await context.say(`Before: edu ${before}`);
}

const set: Command = plainCommand({
  name: 'set',
  summary: 'Give a command line a short name.',
  details:
    'Words after the alias are appended to the command line. Quote the command line, so that the shell passes it as one ' +
    'argument. An alias cannot replace a command. Spell commands out in scripts: aliases are personal settings.',
  arguments: [
    { name: 'name', description: 'name of lowercase letters, digits and hyphens' },
    { name: 'line', description: 'command line that it stands for' },
  ],
  examples: {
    'Name the list of licences that have ended or end soon:':
      "edu alias set soon 'licenses list --expires-before +60d'",
    'Name the classes of one school:': 'edu alias set ours "classes list --school \'Lakeside\'"',
  },
  prints: 'nothing',
  run: setAlias,
});

/** @throws EduError `not_found` if an alias does not exist, before any is removed */
async function removeAliases(values: Values, context: Context): Promise<void> {
  const names = textsOf(values, 'names');
  const known = readAliases(context.env);
  for (const name of names) {
    if (known.has(name)) continue;
    const hint = didYouMean(name, [...known.keys()]) ?? 'List them with `edu alias list`.';
    throw new EduError('not_found', `There is no alias ${JSON.stringify(name)}.`, { hint });
  }
  const isKept = ([name]: readonly [string, string]): boolean => !names.includes(name);
  await changeAliases(context.env, context.machine, (now) => new Map([...now].filter(isKept)));
  await context.say(`Removed ${names.join(', ')}.`);
}

const remove: Command = plainCommand({
  name: 'remove',
  aliases: ['delete'],
  summary: 'Remove aliases.',
  arguments: [{ name: 'names', description: 'aliases to remove', many: true }],
  examples: {
    'Remove an alias:': 'edu alias remove soon',
  },
  prints: 'nothing',
  run: removeAliases,
});

export const group: Group = { name: 'alias', commands: [list, set, remove] };
