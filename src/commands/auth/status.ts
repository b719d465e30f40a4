/** Runs `edu auth status`, `edu auth token` and `edu auth logout`. */

import { forgetCredentials } from '../../auth/credentials/credential-store.js';
import { accessToken, masked, placeOf, precedence } from '../../auth/credentials/credentials.js';
import { isOn, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { boolean, object, text } from '../../contract/vocabulary.js';
import { cleanText } from '../../core/clean-text.js';
import { usageError } from '../../core/errors.js';
import { type Effective, requireBaseUrl } from '../../settings/in-effect.js';

export const LOGIN = object(
  {
    loggedIn: boolean('whether the service accepts the token'),
    account: object(
      {
        id: text('user ID'),
        email: text('e-mail address'),
        firstName: text('first name'),
        lastName: text('last name'),
      },
      'who is logged in',
      { nullable: true },
    ),
    profile: text('profile'),
    baseUrl: text('address of the service'),
    token: text('the access token, masked', { nullable: true }),
    source: text('where the token comes from: environment, command, file, or offline'),
    from: text('the variable, setting or file that it comes from', { nullable: true }),
    folder: text('folder that chose the profile', { nullable: true }),
  },
  'a login',
);

/** The login as shown: also the folder that chose the profile, if one did. */
export function shownLogin(
  { profile: { value: profile, source: by, from: place } }: Effective,
  account: unknown,
  baseUrl: string,
  { token, source, from }: { readonly token: string | null; readonly source: string; readonly from: string | null },
) {
  const folder = by === 'folder' ? place.replace(/^folder /, '') : null;
  return { loggedIn: true, account, profile, baseUrl, token: token && masked(token), source, from, folder };
}

/** @throws EduError `unauthenticated` without a login, or when the service rejects the token */
export async function showStatus(values: Values, context: Context): Promise<void> {
  const printer = await context.printer();
  await printer.check(LOGIN, 'item');
  const effective = context.effective();
  const token = context.isOffline
    ? { token: null, source: 'offline', from: null }
    : accessToken(placeOf(context.env, effective), context.canAsk);
  const baseUrl = context.isOffline ? (await context.client()).baseUrl : requireBaseUrl(effective);
  const account = isOn(values, 'offline-check') ? null : await fetchCaller(context);
  await printer.item(shownLogin(effective, account, baseUrl, token), LOGIN);
}

export async function printToken(context: Context): Promise<void> {
  if (context.isOffline) throw usageError('There is no token: --offline needs none.');
  const place = placeOf(context.env, context.effective());
  await (await context.printer()).text(accessToken(place, context.canAsk).token);
}

async function fetchCaller(context: Context): Promise<unknown> {
  const { account } = await import('../../contract/account.js');
  const { call } = await context.client();
  return context.during('Asking the service', call(account.show, {}, { signal: context.signal }));
}

/** No error if no one was logged in. */
export async function logOut(values: Values, context: Context): Promise<void> {
  const { env, machine } = context;
  if (context.isOffline) throw usageError('There is nothing to log out of: --offline needs no login.');
  const effective = context.effective();
  const profile = effective.profile.value;
  const origins = await forgetCredentials(env, machine, [profile], isOn(values, 'all') ? 'all' : 'token');
  const what = origins.length === 0 ? 'was not logged in' : `is logged out of ${origins.join(', ')}`;
  // Origins come from a file, so they may contain control characters.
  if (!context.quiet) await context.io.stderr.write(`Profile ${profile} ${cleanText(what)}.\n`);
  const first = precedence(placeOf(env, effective));
  if (first !== undefined)
    await context.warn(`${first.from} is still set, and will be used. Unset it: ${first.remove}`);
}
