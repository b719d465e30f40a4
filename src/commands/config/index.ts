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
    from: text('name of the flag, variable or profile', { nullable: true }),
    about: text('description'),
  },
  'a setting',
);

const KEYS = SETTING_KEYS.map(({ name, about }) => `${name}\t${about}`).join('\n');

const list: Command = {
  name: 'list',
  summary: 'List all settings with their values and sources.',
  examples: [
    { about: 'List the settings:', line: 'edu config list' },
    { about: 'List the settings of another profile:', line: 'edu config list --profile test' },
  ],
  prints: 'list',
  // Connection flags are settings, and are shown as such.
  traits: [...LOCAL_LIST, 'service'],
  run: async (_, context) => (await import('./run-config.js')).list(SETTING, context),
};

const get: Command = {
  name: 'get',
  summary: 'Print the effective value of a setting.',
  arguments: [KEY],
  examples: [
    { about: 'Print the address of the service:', line: 'edu config get base-url' },
    { about: 'Print it for another profile:', line: 'edu config get base-url --profile test' },
  ],
  prints: 'nothing',
  run: async (values, context) => (await import('./run-config.js')).get(get, values, context),
};

const set: Command = {
  name: 'set',
  summary: 'Change a setting of the profile.',
  details: `The settings are:\n\n${KEYS}\n\nThe setting profile names the default profile.`,
  arguments: [KEY, { name: 'value', about: 'new value' }],
  examples: [
    { about: 'Use this service:', line: 'edu config set base-url https://api.example.com' },
    { about: 'Show the names of subjects and types in Dutch:', line: 'edu config set language NL' },
    { about: 'Use another profile from now on:', line: 'edu config set profile test' },
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
    { about: 'Go back to your own organization:', line: 'edu config unset organization' },
    { about: 'Go back to English names in another profile:', line: 'edu config unset language --profile test' },
  ],
  prints: 'nothing',
  traits: [],
  run: async (values, context) => (await import('./run-config.js')).unset(unset, values, context),
};

const path: Command = {
  name: 'path',
  summary: 'Print the path of the settings file.',
  flags: [{ name: 'credentials', kind: 'switch', about: 'print the path of the file with tokens and client secrets' }],
  examples: [
    { about: 'Print the settings file:', line: 'cat "$(edu config path)"' },
    { about: 'Print the path of the credentials file:', line: 'edu config path --credentials' },
  ],
  prints: 'nothing',
  traits: [],
  run: async (values, context) => (await import('./run-config.js')).path(values, context),
};

export const configGroup: Group = { name: 'config', commands: [list, get, set, unset, path] };
