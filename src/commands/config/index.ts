/** `edu config …`: the settings of a profile. */
import { type Argument, type Command, flag, type Group, isOn, textOf, type Values } from '../../cli/command.js';
import { LOCAL_LIST } from '../../cli/traits.js';
import { object, text } from '../../contract/vocabulary.js';
import { SETTINGS } from '../../settings/keys.js';
import { getSetting, listSettings, setSetting, unsetSetting } from '../../settings/profile-store.js';
import { settingsFile } from '../../settings/read-settings.js';
import { plainCommand } from '../kinds/define.js';

const KEY: Argument = { name: 'setting', description: 'name of the setting', names: 'setting' };

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

const KEYS = Object.entries(SETTINGS)
  .map(([name, { description }]) => `${name}\t${description}`)
  .join('\n');

const settingIn = (values: Values): string => textOf(values, 'setting') ?? '';

const list: Command = {
  name: 'list',
  summary: 'List all settings with their values and sources.',
  examples: {
    'List the settings:': 'edu config list',
    'List the settings of another profile:': 'edu config list --profile test',
  },
  prints: 'list',
  // Accepts the connection flags, because they override settings and are listed as such.
  traits: [...LOCAL_LIST, 'service'],
  run: async (_, context) => {
    const rows = listSettings(context.asked());
    await (await context.printer()).list(rows, { shape: SETTING, noun: 'settings' });
  },
};

const get: Command = plainCommand({
  name: 'get',
  summary: 'Print the effective value of a setting.',
  arguments: [KEY],
  examples: {
    'Print the address of the service:': 'edu config get base-url',
    'Print it for another profile:': 'edu config get base-url --profile test',
  },
  prints: 'nothing',
  // Flags are settings, too.
  traits: ['service'],
  run: async (values, context) => {
    const printer = await context.printer();
    await printer.text(getSetting(settingIn(values), context.asked()));
  },
});

const set: Command = plainCommand({
  name: 'set',
  summary: 'Change a setting of the profile.',
  details: `The settings are:\n\n${KEYS}\n\nThe setting profile names the default profile.`,
  arguments: [KEY, { name: 'value', description: 'new value', names: 'value' }],
  examples: {
    'Use this service:': 'edu config set base-url https://api.example.com',
    'Show the names of subjects and types in Dutch:': 'edu config set language NL',
    'Use another profile from now on:': 'edu config set profile test',
  },
  prints: 'nothing',
  run: async (values, context) => {
    const name = settingIn(values);
    const done = await setSetting(name, textOf(values, 'value') ?? '', context.asked(), context.machine);
    if (done.notice !== undefined) await context.warn(done.notice);
    await context.say(
      name === 'profile'
        ? `Profile ${done.value} is used from now on.`
        : `${name} of profile ${done.profile} is now ${done.value}.`,
    );
  },
});

const unset: Command = plainCommand({
  name: 'unset',
  summary: 'Remove a setting from the profile.',
  arguments: [KEY],
  examples: {
    'Go back to your own organization:': 'edu config unset organization',
    'Go back to English names in another profile:': 'edu config unset language --profile test',
  },
  prints: 'nothing',
  // No error if the setting was not set.
  run: async (values, context) => {
    const name = settingIn(values);
    const wasSet = await unsetSetting(name, context.asked(), context.machine);
    await context.say(wasSet ? `${name} is not set any more.` : `${name} was not set.`);
  },
});

const path: Command = {
  name: 'path',
  summary: 'Print the path of the settings file.',
  flags: [flag('--credentials', 'print the path of the file with tokens and client secrets')],
  examples: {
    'Print the settings file:': 'cat "$(edu config path)"',
    'Print the path of the credentials file:': 'edu config path --credentials',
  },
  prints: 'nothing',
  // Does not read the file, which may be invalid.
  run: async (values, { env, io }) => {
    const { credentialsFile } = await import('../../auth/credentials/credentials.js');
    await io.stdout.write(`${isOn(values, 'credentials') ? credentialsFile(env) : settingsFile(env)}\n`);
  },
};

export const group: Group = { name: 'config', commands: [list, get, set, unset, path] };
