/** `edu help`: help pages of commands and topics. */
import { type Command, type Commands, isGroup, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { findCommand, findEntry } from '../../cli/find-command.js';
import { shown } from '../../cli/read-value.js';
import { usageError } from '../../core/errors.js';
import { shellLine } from '../../core/shell.js';
import { didYouMean } from '../../core/suggest.js';
import { TOPICS, topicPage } from './topics.js';

async function pageFor(words: readonly string[], commands: Commands): Promise<string> {
  const { commandPage, groupPage, mainPage } = await import('../../cli/help.js');
  const [first, second] = words;
  if (first === undefined) return mainPage(commands);
  const topic = TOPICS.find(({ name }) => name === first);
  const entry = findEntry(commands, first);
  const only = (count: number, page: string): string => {
    const line = shellLine('edu', 'help', ...words.slice(0, count));
    if (words.length <= count) return page;
    throw usageError(`${shown(words[count] ?? '')} is unexpected: it names no page of ${line}.`, `See: ${line}`);
  };
  // `offline` is a topic and a group; `edu offline --help` shows the group.
  if (topic !== undefined && (second === undefined || entry === undefined)) return only(1, topicPage(topic));
  if (entry === undefined) {
    const known = [...TOPICS.map(({ name }) => name), ...commands.map(({ name }) => name)];
    const hint = didYouMean(first, known) ?? `The topics are ${TOPICS.map(({ name }) => name).join(', ')}.`;
    throw usageError(`There is no command or help topic ${shown(first)}.`, hint);
  }
  const loaded = await entry.load();
  if (!isGroup(loaded)) return only(1, commandPage(loaded, entry.name));
  if (second === undefined) return groupPage(loaded, entry);
  const command = findCommand(loaded, second);
  if (command !== undefined) return only(2, commandPage(command, `${entry.name} ${command.name}`));
  const { unknownCommand } = await import('../../cli/guessed-words.js');
  throw unknownCommand(second, loaded);
}

async function manifestFor(words: readonly string[], commands: Commands): Promise<string> {
  await pageFor(words, commands);
  const { manifest } = await import('./command-manifest.js');
  const found = await manifest(words, commands);
  if (found !== undefined) return `${JSON.stringify(found, null, 2)}\n`;
  throw usageError(
    `--json describes commands, and ${shown(words.join(' '))} is a topic.`,
    `See: ${shellLine('edu', 'help', words[0] ?? '')}`,
  );
}

export const help: Command = {
  name: 'help',
  summary: 'Show help for a command or a topic.',
  details:
    `Topics: ${TOPICS.map(({ name }) => name).join(', ')}.\n` +
    'With --json it prints all commands as data, or those of a group: arguments, flags with types and choices, side ' +
    'effects, exit codes and the JSON Schema of the output.',
  arguments: [
    { name: 'topic', description: 'a topic, or the words of a command', names: 'topic', many: true, optional: true },
  ],
  examples: {
    'Show the flags and examples of a command:': 'edu help licenses create',
    'Read about output formats:': 'edu help formatting',
    'Print the commands of a group as data:': 'edu help licenses --json',
  },
  prints: 'nothing',
  run: async (values: Values, context: Context, commands: Commands) => {
    const words = textsOf(values, 'topic');
    const { json, output } = context.globals;
    if (json === true || output === 'json') {
      await context.io.stdout.write(await manifestFor(words, commands));
      return;
    }
    const page = await pageFor(words, commands);
    const { helpFor } = await import('../../cli/help.js');
    await context.io.stdout.write(helpFor(page, context.io.stdout, context.env, context.globals));
  },
};
