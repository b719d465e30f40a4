/** `edu alias …`: short names for command lines. */
import type { Command, Group } from '../../cli/command.js';
import { LOCAL_LIST } from '../../cli/traits.js';
import { object, text } from '../../contract/vocabulary.js';
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
  run: async (_, context) => (await import('./run-alias.js')).list(ALIAS, context),
};

const set: Command = plainCommand({
  name: 'set',
  summary: 'Give a command line a short name.',
  details:
    'Words after the alias are appended to the command line. Quote the command line, so that the shell passes it as one ' +
    'argument. An alias cannot replace a command. Spell commands out in scripts: aliases are personal settings.',
  arguments: [
    { name: 'name', description: 'lowercase letters, digits and hyphens' },
    { name: 'line', description: 'command line that it stands for' },
  ],
  examples: {
    'Name the list of licences that end soon:': "edu alias set soon 'licenses list --expires-before +60d'",
    'Name the classes of one school:': 'edu alias set ours "classes list --school \'Lakeside\'"',
  },
  prints: 'nothing',
  traits: [],
  run: async (values, context, commands) => (await import('./run-alias.js')).set(values, context, commands),
});

const remove: Command = plainCommand({
  name: 'remove',
  aliases: ['delete'],
  summary: 'Remove aliases.',
  arguments: [{ name: 'names', description: 'aliases to remove', many: true }],
  examples: {
    'Remove an alias:': 'edu alias remove soon',
  },
  prints: 'nothing',
  traits: [],
  run: async (values, context) => (await import('./run-alias.js')).remove(values, context),
});

export const group: Group = { name: 'alias', commands: [list, set, remove] };
