/**
 * Resolves references of a single command (PRODUCT.md section 2): an e-mail address to a user, `code:CODE` to a
 * licence.
 */
import { textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { shown } from '../../cli/read-value.js';
import { licenses } from '../../contract/licenses.js';
import { users } from '../../contract/users.js';
import { excerpt } from '../../core/clean-text.js';
import { EduError, usageError } from '../../core/errors.js';

const CODE = 'code:';

/**
 * Finds the ID in a response of `GET users/userId/:email`, whose shape the API document does not show: a bare text,
 * `{id}`, or the only text in an object.
 */
export function idInAnswer(answer: unknown): string | undefined {
  if (typeof answer === 'string' && answer !== '') return answer;
  if (typeof answer === 'number') return String(answer);
  if (typeof answer !== 'object' || answer === null) return undefined;
  const entries = Object.entries(answer);
  const named = entries.find(([name]) => name === 'id') ?? entries.find(([name]) => /^user_?id$/i.test(name));
  if (named !== undefined) return idInAnswer(named[1]);
  const ids = entries.map(([, value]) => idInAnswer(value)).filter((id) => id !== undefined);
  return ids.length === 1 ? ids[0] : undefined;
}

/** Finds the ID of an e-mail address. @throws EduError `not_found` when no user has it */
export async function findUser(email: string, context: Context): Promise<string> {
  const client = await context.client();
  const answer = await client
    .call(users.findByEmail, { params: { email } }, { signal: context.signal })
    .catch((error: unknown) => {
      if (!(error instanceof EduError) || error.kind !== 'not_found') throw error;
      const { kind, hint, status, method, path, requestId } = error;
      const message = `no user has the e-mail address ${excerpt(email, 100)}`;
      throw new EduError(kind, message, { hint, status, method, path, requestId, cause: error });
    });
  const id = idInAnswer(answer);
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
