/** `edu config …`: the settings of a profile. */
import type { Argument, Command, Group } from '../../cli/command.js';
import { LOCAL_LIST } from '../../cli/traits.js';
import { object, text } from '../../contract/vocabulary.js';
import { SETTING_KEYS } from '../../settings/keys.js';

const KEY: Argument = { name: 'setting', about: 'name of the setting' };

const SETTING = object(
  {
    name: text('setting'),
    value: text('value in effect', { nullable: true }),
    source: text('flag, environment, profile or default', { nullable: true }),
    from: text('the place by name', { nullable: true }),
    about: text('what it is'),
  },
  'a setting',
);

const KEYS = SETTING_KEYS.map(({ name, about }) => `${name}\t${about}`).join('\n');

const list: Command = {
  name: 'list',
  summary: 'List all settings with their values, and where each value comes from.',
  examples: [
    { about: 'What is set, and where?', line: 'edu config list' },
    { about: 'The settings of another profile:', line: 'edu config list --profile test' },
  ],
  prints: 'list',
  // Connection flags are settings, and are shown as such.
  traits: [...LOCAL_LIST, 'service'],
  run: async (_, context) => (await import('./run-config.js')).list(SETTING, context),
};

const get: Command = {
  name: 'get',
  summary: 'Print the value in effect of one setting.',
  arguments: [KEY],
  examples: [
    { about: 'Which service is used?', line: 'edu config get base-url' },
    { about: 'And by another profile?', line: 'edu config get base-url --profile test' },
  ],
  prints: 'nothing',
  run: async (values, context) => (await import('./run-config.js')).get(get, values, context),
};

const set: Command = {
  name: 'set',
  summary: 'Set a setting in the profile.',
  details: `The settings are:\n\n${KEYS}\n\n\`profile\` chooses the profile that is used when none is named.`,
  arguments: [KEY, { name: 'value', about: 'what to set it to' }],
  examples: [
    { about: 'Use this service:', line: 'edu config set base-url https://api.example.com' },
    { about: 'Dutch names of subjects and types:', line: 'edu config set language NL' },
    { about: 'Use another profile from now on:', line: 'edu config set profile test' },
  ],
  prints: 'nothing',
  traits: [],
  run: async (values, context) => (await import('./run-config.js')).set(set, values, context),
};

const unset: Command = {
  name: 'unset',
  summary: 'Take a setting out of the profile.',
  arguments: [KEY],
  examples: [
    { about: 'Go back to your own organization:', line: 'edu config unset organization' },
    { about: 'Go back to English names in another profile:', line: 'edu config unset language --profile test' },
  ],
  prints: 'nothing',
  traits: [],
  run: async (values, context) => (await import('./run-config.js')).unset(unset, values, context),
};

const path: Command = {
  name: 'path',
  summary: 'Print where the settings file is.',
  flags: [{ name: 'credentials', kind: 'switch', about: 'print where tokens and client secrets are' }],
  examples: [
    { about: 'Look at the settings file:', line: 'cat "$(edu config path)"' },
    { about: 'Where are the tokens?', line: 'edu config path --credentials' },
  ],
  prints: 'nothing',
  traits: [],
  run: async (values, context) => (await import('./run-config.js')).path(values, context),
};

export const configGroup: Group = { name: 'config', commands: [list, get, set, unset, path] };
