/** Runs `edu alias …`. */
import { type Commands, isGroup, textOf, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { findCommand, findEntry, firstWord } from '../../cli/find-command.js';
import { unknownCommand } from '../../cli/parser.js';
import type { Field } from '../../contract/vocabulary.js';
import { EduError, usageError } from '../../core/errors.js';
import { splitWords } from '../../core/shell.js';
import { didYouMean } from '../../core/suggest.js';
import { onePage } from '../../output/select/item-pages.js';
import { changeAliases, readAliases } from '../../settings/aliases.js';

export async function list(shape: Field, context: Context): Promise<void> {
  const rows = [...readAliases(context.env)].map(([name, line]) => ({ name, line }));
  rows.sort((a, b) => (a.name < b.name ? -1 : 1));
  await (await context.printer()).list(onePage(rows), { shape, noun: 'aliases' });
}

async function checkWords(words: readonly string[], commands: Commands): Promise<void> {
  const first = firstWord(words);
  const namesOf = (all: readonly { readonly name: string; readonly aliases?: readonly string[] }[]) =>
    all.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  if (first.word === undefined) throw usageError('An alias must begin with a command.', 'See: edu --help');
  const entry = findEntry(commands, first.word);
  if (entry === undefined) throw unknownCommand(first.word, namesOf(commands), '');
  const loaded = await entry.load();
  const { word } = firstWord(first.rest);
  if (isGroup(loaded) && word !== undefined && findCommand(loaded, word) === undefined)
    throw unknownCommand(word, namesOf(loaded.commands), entry.name);
}

/** @throws EduError `usage` for an invalid name, or a line that is no command */
export async function set(values: Values, context: Context, commands: Commands): Promise<void> {
  const name = textOf(values, 'name') ?? '';
  const line = (textOf(values, 'line') ?? '').trim().replace(/^edu\s+/, '');
  if (!/^[a-z][a-z0-9-]{0,39}$/.test(name))
    throw usageError(
      `Cannot use ${JSON.stringify(name)} as an alias.`,
      'An alias has up to 40 lowercase letters, digits and hyphens, a letter first.',
    );
  if (findEntry(commands, name) !== undefined)
    throw usageError(`Cannot use ${name} as an alias: it is a command.`, 'Choose another name.');
  await checkWords(splitWords(line), commands);
  const before = readAliases(context.env).get(name);
  await changeAliases(context.env, context.machine, (now) => new Map([...now, [name, line]]));
  await context.say(`edu ${name} now stands for: edu ${line}`);
  if (before !== undefined && before !== line) await context.say(`Before: edu ${before}`);
}

/** @throws EduError `not_found` if an alias does not exist, before any is removed */
export async function remove(values: Values, context: Context): Promise<void> {
  const names = textsOf(values, 'names');
  const known = readAliases(context.env);
  for (const name of names) {
    if (known.has(name)) continue;
    const hint = didYouMean(name, [...known.keys()]) ?? 'List them with `edu alias list`.';
    throw new EduError('not_found', `There is no alias ${JSON.stringify(name)}.`, { hint });
  }
  await changeAliases(
    context.env,
    context.machine,
    (now) => new Map([...now].filter(([name]) => !names.includes(name))),
  );
  await context.say(`Removed ${names.join(', ')}.`);
}
