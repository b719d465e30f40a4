/** Interprets the token response by its fields, because neither its status nor its encoding is documented. */
import { looksLikeMarkup, wordsOf } from '../../client/errors/error-body.js';
import { redact } from '../../client/request/redact.js';
import { retryAfter } from '../../client/request/retry-after.js';
import { oauth } from '../../contract/oauth.js';
import { endSentence, excerpt } from '../../core/clean-text.js';
import { EduError, type ErrorKind } from '../../core/errors.js';
import type { Headers } from '../../core/http.js';
import { isObject, type JsonObject } from '../../core/json.js';
import { isToken } from '../credentials/credentials.js';

export type TokenAnswer =
  | { readonly kind: 'token'; readonly token: string }
  /** The service did not find the parameters, so the other encoding may work. */
  | { readonly kind: 'not-understood'; readonly error: EduError }
  /** `after`: milliseconds until a retry, if the service returned a time. */
  | { readonly kind: 'later'; readonly after: number | undefined; readonly error: EduError }
  | { readonly kind: 'failed'; readonly error: EduError };

const LOOK_AT_BASE_URL = 'Check the base URL: edu config get base-url';

/** @param now milliseconds since the epoch, for dates in `Retry-After` */
export function readTokenAnswer(
  status: number,
  headers: Headers,
  body: string,
  { now, secrets }: { readonly now: number; readonly secrets: readonly string[] },
): TokenAnswer {
  const type = headers['content-type'] ?? '';
  const fields = fieldsOf(body, type);
  const fail = (kind: ErrorKind, why: string, hint?: string): EduError => {
    const message = endSentence(redact(`Cannot log in: the token request ${why}`, secrets));
    return new EduError(kind, message, { hint, status, method: oauth.token.method, path: oauth.token.path });
  };
  const failed = (...parts: Parameters<typeof fail>): TokenAnswer => ({ kind: 'failed', error: fail(...parts) });
  const said = wordsOf(Buffer.from(body), type).text;
  const quoted = said === '' ? '' : `: ${said}`;

  if (status >= 300 && status < 400) {
    const to = hostOf(headers.location);
    return failed(
      'invalid_response',
      `returned a redirect (${status}${to === undefined ? '' : ` to ${to}`}), which edu does not follow because it would pass on the client secret`,
      LOOK_AT_BASE_URL,
    );
  }
  if (status === 429 || status === 503) {
    const error = fail('unavailable', `was deferred (${status})${quoted}`, 'Run `edu auth login` again later.');
    return { kind: 'later', after: retryAfter(headers, now), error };
  }
  const name = typeof fields?.error === 'string' ? excerpt(fields.error, 80) : undefined;
  const notUnderstood =
    name === 'MissingClientCredentials' ||
    status === 415 ||
    ((status === 400 || status === 422) && /missing|unsupported|content.?type|media.?type|required/i.test(body));
  if (name !== 'InvalidClientCredentials' && notUnderstood && typeof fields?.access_token !== 'string') {
    return { kind: 'not-understood', error: fail('refused', `was not understood (${status})${quoted}`, CREDENTIALS) };
  }
  if (name !== undefined || (fields?.error !== undefined && fields.error !== null)) {
    return failed('refused', `was refused${quoted || ` (${status})`}`, CREDENTIALS);
  }
  if (status >= 500) {
    const hint = 'Run `edu auth login` again for a new code.';
    return failed('server_error', `failed at the service (${status})${quoted}`, hint);
  }
  if (status < 200 || status >= 300) {
    const hint = status === 404 || status === 405 ? LOOK_AT_BASE_URL : CREDENTIALS;
    return failed('refused', `was refused (${status})${quoted}`, hint);
  }
  const unusable = (why: string) => failed('invalid_response', `returned ${why}`, LOOK_AT_BASE_URL);
  if (fields === undefined)
    return unusable(looksLikeMarkup(body) ? `a page${quoted}` : 'something that is not a token');
  const { access_token: token, token_type: kind } = fields;
  if (typeof token !== 'string' || !isToken(token)) return unusable('no usable access token');
  if (kind !== undefined && kind !== null && (typeof kind !== 'string' || kind.toLowerCase() !== 'bearer')) {
    return unusable('a token that is not of type bearer');
  }
  return { kind: 'token', token };
}

const CREDENTIALS =
  'Check client ID and client secret with the operator of the service, then run `edu auth login` again: a code works once.';

/** The fields of a JSON or form-encoded response; undefined if it is neither. */
function fieldsOf(body: string, type: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(body.replace(/^\uFEFF/, ''));
    return isObject(value) ? value : undefined;
  } catch {
    const isForm = /x-www-form-urlencoded/i.test(type) || /^(access_token|token_type|scope|error)=/.test(body.trim());
    return isForm && !looksLikeMarkup(body) ? Object.fromEntries(new URLSearchParams(body.trim())) : undefined;
  }
}

function hostOf(location: string | undefined): string | undefined {
  return location !== undefined && URL.canParse(location) ? excerpt(new URL(location).host, 80) : undefined;
}
