/** Runs `edu auth logout`: deletes the token on this machine. The API cannot revoke tokens. */

import { forgetCredentials } from '../../auth/credentials/credential-store.js';
import { findAccessToken } from '../../auth/credentials/credentials.js';
import { isOn, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { cleanText } from '../../core/clean-text.js';
import { usageError } from '../../core/errors.js';
import { rememberOrganization } from '../../settings/remembered.js';

/** No error if no one was logged in. */
export async function logOut(values: Values, context: Context): Promise<void> {
  const { env, machine } = context;
  if (context.isOffline) throw usageError('There is nothing to log out of: --offline needs no login.');
  const effective = context.effective();
  const profile = effective.profile.value;
  const stored = { ...env, EDU_TOKEN: undefined };
  const baseUrl = effective.baseUrl?.value;
  const token = findAccessToken({ env: stored, profile, baseUrl })?.token;
  const origins = await forgetCredentials(env, machine, [profile], isOn(values, 'all') ? 'all' : 'token');
  if (baseUrl !== undefined && token !== undefined) {
    await rememberOrganization(env, { baseUrl, token }, undefined, machine);
  }
  const where =
    origins.length === 0
      ? `Profile ${profile} was not logged in`
      : `Profile ${profile} is logged out of ${origins.join(', ')}`;
  // Origins come from a file, so they may contain control characters.
  if (!context.quiet) await context.io.stderr.write(`${cleanText(where)}.\n`);
  if (env.EDU_TOKEN?.trim()) await context.warn('EDU_TOKEN is still set, and will be used. Unset it: unset EDU_TOKEN');
}
