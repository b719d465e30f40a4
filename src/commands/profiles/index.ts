/** `edu profiles …`: sets of settings, each with a login of its own. A profile may be in the settings, in the credentials or in both. */
import { type Command, flag, type Group, isOn, textOf, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { LOCAL_LIST } from '../../cli/traits.js';
import { boolean, object, text } from '../../contract/vocabulary.js';
import { EduError } from '../../core/errors.js';
import { didYouMean } from '../../core/suggest.js';
import { listProfiles, removeProfiles, setFolderProfile, setSetting } from '../../settings/profile-store.js';
import { plainCommand } from '../kinds/define.js';

const PROFILE = object(
  {
    name: text('profile'),
    current: boolean('whether it is the one in use'),
    baseUrl: text('address of the service', { nullable: true }),
    organization: text('organization that commands are about', { nullable: true }),
    loggedIn: boolean('whether it has an access token, or a command that prints one'),
  },
  'a profile',
);

async function allProfiles(context: Context) {
  const { readCredentials } = await import('../../auth/credentials/credentials.js');
  const credentials = readCredentials(context.env);
  const { settings } = context.asked();
  const holdsToken = (profile: string): boolean =>
    settings.profiles.get(profile)?.['token-command'] !== undefined ||
    [...(credentials.get(profile)?.values() ?? [])].some(({ accessToken }) => accessToken !== undefined);
  return listProfiles(context.asked(), credentials.keys()).map((one) => ({ ...one, loggedIn: holdsToken(one.name) }));
}

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
  run: async (_, context) => {
    await (await context.printer()).list(await allProfiles(context), { shape: PROFILE, noun: 'profiles' });
  },
};

/** @throws EduError `not_found` if a profile does not exist, before any is removed */
async function removeNamed(values: Values, context: Context): Promise<void> {
  const { env, machine } = context;
  const names = [...new Set(textsOf(values, 'profile'))];
  const known = (await allProfiles(context)).map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new EduError('not_found', `There is no profile ${JSON.stringify(unknown)}.`, {
      hint: didYouMean(unknown, known) ?? 'List them with `edu profiles list`.',
    });
  const what = `${names.length === 1 ? 'profile' : `these ${names.length} profiles:`} ${names.join(', ')}`;
  const question = `Remove ${what}, with settings, access tokens and client secrets?`;
  const { confirmedLine, requireYes } = await import('../kinds/confirm.js');
  const line = confirmedLine(remove, values, context);
  await requireYes({ action: `remove ${what}`, question, done: 'removed', line }, context);
  const { forgetCredentials } = await import('../../auth/credentials/credential-store.js');
  // Credentials first, so that a failure leaves no secret behind.
  await forgetCredentials(env, machine, names, 'all');
  await removeProfiles(env, names, machine);
  await context.say(`Removed ${names.join(', ')}.`);
}

const remove: Command = plainCommand({
  name: 'remove',
  aliases: ['delete'],
  summary: 'Remove profiles: their settings, access tokens and client secrets. Asks for confirmation.',
  arguments: [{ name: 'profile', description: 'profiles to remove', names: 'profile', many: true }],
  examples: {
    'Remove a profile:': 'edu profiles remove test',
    'Remove two without confirmation:': 'edu profiles remove test staging --yes',
  },
  prints: 'nothing',
  run: removeNamed,
});

const use: Command = plainCommand({
  name: 'use',
  summary: 'Choose the profile that is used when none is named.',
  details:
    'The same as `edu config set profile NAME`. --profile and EDU_PROFILE override it: a script that names its profile ' +
    'keeps to it. --here uses it in the current folder and below; your settings remember the folder, nothing is written ' +
    'into it.',
  arguments: [{ name: 'profile', description: 'profile to use by default', names: 'profile' }],
  flags: [flag('--here', 'use it in the current folder and below, instead of everywhere')],
  examples: {
    'Work with a profile from now on:': 'edu profiles use work',
    'Use it in this folder only:': 'edu profiles use work --here',
    'Go back to the first one:': 'edu profiles use default',
  },
  prints: 'nothing',
  run: async (values, context) => {
    const name = textOf(values, 'profile') ?? '';
    if (isOn(values, 'here')) {
      const folder = await setFolderProfile(name, context.asked(), context.machine);
      return context.say(`Profile ${name} is used in ${folder} and below.`);
    }
    await setSetting('profile', name, context.asked(), context.machine);
    await context.say(`Profile ${name} is used when none is named.`);
  },
});

export const group: Group = { name: 'profiles', commands: [list, use, remove] };
