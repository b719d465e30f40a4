/** Runs `edu profiles …`. A profile may be in the settings, in the credentials or in both. */

import { forgetCredentials } from '../../auth/credentials/credential-store.js';
import { type Credentials, readCredentials } from '../../auth/credentials/credentials.js';
import { type Command, textOf, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { commandLine } from '../../cli/format-line.js';
import type { Field } from '../../contract/vocabulary.js';
import { EduError } from '../../core/errors.js';
import { didYouMean } from '../../core/suggest.js';
import { onePage } from '../../output/select/item-pages.js';
import { listProfiles, removeProfiles, setSetting } from '../../settings/profile-store.js';
import { requireYes } from '../kinds/confirm.js';

export async function list(shape: Field, context: Context): Promise<void> {
  const credentials = readCredentials(context.env);
  const rows = listProfiles(context.asked(), credentials.keys()).map((profile) => ({
    ...profile,
    loggedIn: holdsToken(credentials, profile.name),
  }));
  await (await context.printer()).list(onePage(rows), { shape, noun: 'profiles' });
}

/** @throws EduError `usage` when there is no such profile */
export async function use(values: Values, context: Context): Promise<void> {
  const name = textOf(values, 'profile') ?? '';
  await setSetting('profile', name, context.asked(), context.machine);
  await context.say(`Profile ${name} is used when none is named.`);
}

/** @throws EduError `not_found` if a profile does not exist, before any is removed */
export async function remove(command: Command, values: Values, context: Context): Promise<void> {
  const { env, machine } = context;
  const names = [...new Set(textsOf(values, 'profile'))];
  const known = listProfiles(context.asked(), readCredentials(env).keys()).map(({ name }) => name);
  for (const name of names) {
    if (known.includes(name)) continue;
    throw new EduError('not_found', `There is no profile ${JSON.stringify(name)}.`, {
      hint: didYouMean(name, known) ?? 'List them with `edu profiles list`.',
    });
  }
  const what = `${names.length === 1 ? 'profile' : `these ${names.length} profiles:`} ${names.join(', ')}`;
  const line = commandLine(command, context.path, values, { ...context.globals, yes: true });
  const question = `Remove ${what}, with settings, access tokens and client secrets?`;
  await requireYes({ action: `remove ${what}`, question, done: 'removed', line }, context);
  // Credentials first, so that a failure leaves no secret behind.
  await forgetCredentials(env, machine, names, 'all');
  await removeProfiles(env, names, machine);
  await context.say(`Removed ${names.join(', ')}.`);
}

const holdsToken = (credentials: Credentials, profile: string): boolean =>
  [...(credentials.get(profile)?.values() ?? [])].some(({ accessToken }) => accessToken !== undefined);
