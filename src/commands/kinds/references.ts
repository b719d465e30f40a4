/**
 * Resolves references of a single command (PRODUCT.md section 2): an e-mail address to a user, `code:CODE` to a
 * licence.
 */

import { textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { shown } from '../../cli/read-value.js';
import { idIn } from '../../client/references/id-in.js';
import { licenses } from '../../contract/licenses.js';
import { users } from '../../contract/users.js';
import { excerpt } from '../../core/clean-text.js';
import { EduError, isKind, usageError } from '../../core/errors.js';

const CODE = 'code:';

/** Finds the ID of an e-mail address. @throws EduError `not_found` when no user has it */
export async function findUser(email: string, context: Context): Promise<string> {
  const client = await context.client();
  const answer = await client
    .call(users.findByEmail, { params: { email } }, { signal: context.signal })
    .catch((error: unknown) => {
      if (!isKind(error, 'not_found')) throw error;
      throw error.with({ message: `no user has the e-mail address ${excerpt(email, 100)}`, details: [] });
    });
  const id = idIn(answer);
  if (id === undefined) {
    throw new EduError('invalid_response', `the response contains no ID of the user ${shown(email)}`, {
      method: 'GET',
      path: `/v1/users/userId/${encodeURIComponent(email)}`,
      hint: 'Give the user by ID.',
    });
  }
  return id;
}

/** Resolves an ID or e-mail address to the user's ID. */
export async function userId(reference: string, context: Context): Promise<string> {
  return reference.includes('@') ? findUser(reference, context) : reference;
}

/** Resolves the users of the argument `user`, one after the other. */
export async function givenUsers(
  values: Values,
  context: Context,
): Promise<readonly { readonly id: string; readonly given: string }[]> {
  const found: { id: string; given: string }[] = [];
  for (const given of textsOf(values, 'user')) found.push({ id: await userId(given, context), given });
  return found;
}

/** Returns CODE of `code:CODE`; undefined for an ID. */
export function licenceCode(reference: string): string | undefined {
  if (!reference.startsWith(CODE)) return undefined;
  const code = reference.slice(CODE.length);
  if (code === '')
    throw usageError('The licence code behind "code:" is empty.', 'Write code:CODE, or the ID of the licence.');
  return code;
}

/** Reads a licence by ID or `code:CODE`. */
export async function fetchLicence(reference: string, context: Context) {
  const client = await context.client();
  const options = { signal: context.signal };
  const code = licenceCode(reference);
  return code === undefined
    ? client.call(licenses.get, { params: { id: reference } }, options)
    : client.call(licenses.getByCode, { params: { code } }, options);
}

/** Resolves an ID or `code:CODE` to the licence's ID. */
export async function licenceId(reference: string, context: Context): Promise<string> {
  if (licenceCode(reference) === undefined) return reference;
  const { id } = await fetchLicence(reference, context);
  return id;
}
