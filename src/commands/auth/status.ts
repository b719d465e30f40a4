/** Runs `edu auth status` and `edu auth token`. */
import { accessToken, masked } from '../../auth/credentials/credentials.js';
import { isOn, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { usageError } from '../../core/errors.js';
import { requireBaseUrl } from '../../settings/in-effect.js';
import { LOGIN } from './auth-shape.js';

/** @throws EduError `unauthenticated` without a login, or when the service rejects the token */
export async function showStatus(values: Values, context: Context): Promise<void> {
  const printer = await context.printer();
  await printer.check(LOGIN, 'item');
  const effective = context.effective();
  const profile = effective.profile.value;
  const { token, source, from } = context.isOffline
    ? { token: null, source: 'offline', from: null }
    : accessToken({ env: context.env, profile, baseUrl: effective.baseUrl?.value }, context.canAsk);
  const baseUrl = context.isOffline ? (await context.client()).baseUrl : requireBaseUrl(effective);
  const account = isOn(values, 'offline-check') ? null : await fetchCaller(context);
  const shown = { loggedIn: true, account, profile, baseUrl, token: token && masked(token), source, from };
  await printer.item(shown, LOGIN);
}

export async function printToken(context: Context): Promise<void> {
  if (context.isOffline) throw usageError('There is no token: --offline needs none.');
  const effective = context.effective();
  const place = { env: context.env, profile: effective.profile.value, baseUrl: effective.baseUrl?.value };
  await (await context.printer()).text(accessToken(place, context.canAsk).token);
}

async function fetchCaller(context: Context): Promise<unknown> {
  const { account } = await import('../../contract/account.js');
  const { call } = await context.client();
  return context.during('Asking the service', call(account.show, {}, { signal: context.signal }));
}
