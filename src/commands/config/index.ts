/** `edu config …`: the settings of a profile. */
import type { Argument, Command, Group } from '../../cli/command.js';
import { LOCAL_LIST } from '../../cli/traits.js';
import { object, text } from '../../contract/vocabulary.js';
import { SETTING_KEYS } from '../../settings/keys.js';

const KEY: Argument = { name: 'setting', description: 'name of the setting' };

const SETTING = object(
  {
    name: text('setting'),
    value: text('value in effect', { nullable: true }),
    source: text('flag, environment, profile or default', { nullable: true }),
    from: text('name of the flag, variable or profile', { nullable: true }),
    description: text('description'),
  },
  'a setting',
);

const KEYS = SETTING_KEYS.map(({ name, description }) => `${name}\t${description}`).join('\n');

const list: Command = {
  name: 'list',
  summary: 'List all settings with their values and sources.',
  examples: [
    { description: 'List the settings:', line: 'edu config list' },
    { description: 'List the settings of another profile:', line: 'edu config list --profile test' },
  ],
  prints: 'list',
  // Accepts the connection flags, because they override settings and are listed as such.
  traits: [...LOCAL_LIST, 'service'],
  run: async (_, context) => (await import('./run-config.js')).list(SETTING, context),
};

const get: Command = {
  name: 'get',
  summary: 'Print the effective value of a setting.',
  arguments: [KEY],
  examples: [
    { description: 'Print the address of the service:', line: 'edu config get base-url' },
    { description: 'Print it for another profile:', line: 'edu config get base-url --profile test' },
  ],
  prints: 'nothing',
  run: async (values, context) => (await import('./run-config.js')).get(get, values, context),
};

const set: Command = {
  name: 'set',
  summary: 'Change a setting of the profile.',
  details: `The settings are:\n\n${KEYS}\n\nThe setting profile names the default profile.`,
  arguments: [KEY, { name: 'value', description: 'new value' }],
  examples: [
    { description: 'Use this service:', line: 'edu config set base-url https://api.example.com' },
    { description: 'Show the names of subjects and types in Dutch:', line: 'edu config set language NL' },
    { description: 'Use another profile from now on:', line: 'edu config set profile test' },
  ],
  prints: 'nothing',
  traits: [],
  run: async (values, context) => (await import('./run-config.js')).set(set, values, context),
};

const unset: Command = {
  name: 'unset',
  summary: 'Remove a setting from the profile.',
  arguments: [KEY],
  examples: [
    { description: 'Go back to your own organization:', line: 'edu config unset organization' },
    { description: 'Go back to English names in another profile:', line: 'edu config unset language --profile test' },
  ],
  prints: 'nothing',
  traits: [],
  run: async (values, context) => (await import('./run-config.js')).unset(unset, values, context),
};

const path: Command = {
  name: 'path',
  summary: 'Print the path of the settings file.',
  flags: [
    { name: 'credentials', kind: 'switch', description: 'print the path of the file with tokens and client secrets' },
  ],
  examples: [
    { description: 'Print the settings file:', line: 'cat "$(edu config path)"' },
    { description: 'Print the path of the credentials file:', line: 'edu config path --credentials' },
  ],
  prints: 'nothing',
  traits: [],
  run: async (values, context) => (await import('./run-config.js')).path(values, context),
};

export const configGroup: Group = { name: 'config', commands: [list, get, set, unset, path] };
