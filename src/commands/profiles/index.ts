/** `edu profiles …`: sets of settings, each with a login of its own. */
import type { Command, Group } from '../../cli/command.js';
import { LOCAL_LIST } from '../../cli/traits.js';
import { boolean, object, text } from '../../contract/vocabulary.js';
import { plainCommand } from '../kinds/define.js';

const PROFILE = object(
  {
    name: text('profile'),
    current: boolean('whether it is the one in use'),
    baseUrl: text('address of the service', { nullable: true }),
    organization: text('organization that commands are about', { nullable: true }),
    loggedIn: boolean('whether it holds a token'),
  },
  'a profile',
);

const list: Command = {
  name: 'list',
  summary: 'List the profiles.',
  details: 'To create a profile, run `edu auth login --profile NAME` or `edu config set` with --profile.',
  examples: {
    'List the profiles:': 'edu profiles list',
    'Print the name of the current one:': "edu profiles list --json --query '[?current].name'",
  },
  prints: 'list',
  traits: LOCAL_LIST,
  run: async (_, context) => (await import('./run-profiles.js')).list(PROFILE, context),
};

const remove: Command = plainCommand({
  name: 'remove',
  aliases: ['delete'],
  summary: 'Remove profiles: their settings, access tokens and client secrets. Asks for confirmation.',
  arguments: [{ name: 'profile', description: 'profiles to remove', many: true }],
  examples: {
    'Remove a profile:': 'edu profiles remove test',
    'Remove two without confirmation:': 'edu profiles remove test staging --yes',
  },
  prints: 'nothing',
  traits: [],
  run: async (values, context) => (await import('./run-profiles.js')).remove(remove, values, context),
});

const use: Command = plainCommand({
  name: 'use',
  summary: 'Choose the profile that is used when none is named.',
  details:
    'The same as `edu config set profile NAME`. --profile and EDU_PROFILE override it: a script that names its profile ' +
    'keeps to it.',
  arguments: [{ name: 'profile', description: 'profile to use by default' }],
  examples: {
    'Work with a profile from now on:': 'edu profiles use work',
    'Go back to the first one:': 'edu profiles use default',
  },
  prints: 'nothing',
  traits: [],
  run: async (values, context) => (await import('./run-profiles.js')).use(values, context),
});

export const group: Group = { name: 'profiles', commands: [list, use, remove] };
