/** The token request (service-api-v1.md, "Flow" 3 and "Token request errors"). */
import { createHash, timingSafeEqual } from 'node:crypto';
import { oauth, type TOKEN_ERRORS } from '../../contract/oauth.js';
import type { AnswerOf } from '../../contract/vocabulary.js';
import type { Headers, HttpRequest, HttpResponse } from '../../core/http.js';
import { newToken, secretId } from '../identifiers.js';
import type { OAuthContext } from './consents.js';
import { bodyParameters } from './parameters.js';

/** Compares in constant time. Hashing makes the lengths equal, which `timingSafeEqual` requires. */
const sameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest());

/** RFC 6749 §5.1: no cache may store a token. */
const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', pragma: 'no-cache' };

type Refuse = (error: (typeof TOKEN_ERRORS)[number], message: string) => HttpResponse;

/** Explains Authorization headers with credentials (RFC 6749 §2.3.1) too, which the API document does not mention. */
function missingText(missing: readonly string[], { authorization = '' }: Headers): string {
  const text = `Missing in the form or JSON body: ${missing.join(', ')}.`;
  if (!/^Basic /i.test(authorization)) return text;
  return `${text} The Authorization header is not read here: send client_id and client_secret as fields of the body (client_secret_post).`;
}

/** Exchanges a code for an access token. A code works once, for the application and state it was requested with. */
export async function exchangeCode({ store, now, random, variants }: OAuthContext, request: HttpRequest) {
  // The API document shows no status; the default, 400, is the one of RFC 6749 §5.2.
  const status = variants.tokenErrorStatus;
  const refuse: Refuse = (error, message) => ({ status, headers: HEADERS, body: JSON.stringify({ error, message }) });
  const invalid = (): HttpResponse =>
    refuse('InvalidClientCredentials', 'The combination of code, state, client_id and client_secret is invalid.');
  const parameters = await bodyParameters(request);
  const missing = Object.entries(oauth.token.body)
    .filter(([name, field]) => 'required' in field && parameters?.get(name) === undefined)
    .map(([name]) => name);
  if (parameters === undefined || missing.length > 0) {
    return refuse('MissingClientCredentials', missingText(missing, request.headers));
  }
  const required = (name: 'client_id' | 'client_secret' | 'code'): string => parameters.get(name) ?? '';
  const id = required('client_id');
  const client = await store.whenFree(() => store.read(() => store.oauthClients.get(id)), request.signal);
  const isKnown = client !== undefined && sameSecret(client.secret, required('client_secret')) && !client.suspended;
  if (!isKnown || parameters.repeated.size > 0) return invalid();
  const state = parameters.get('state');
  const redirectUri = parameters.get('redirect_uri');
  const token = `edu_${newToken(random)}`;
  const exchange = (): boolean => {
    const grant = store.authorizationCodes.get(secretId(required('code')));
    const isAccepted =
      grant?.clientId === id &&
      grant.expiresAt > now() &&
      (state === undefined || state === grant.state) &&
      (redirectUri === undefined || redirectUri === grant.redirectUri);
    if (!isAccepted) return false;
    const { userId } = grant;
    store.authorizationCodes.remove(grant.id);
    store.accessTokens.insert({ id: secretId(token), userId, clientId: id, createdAt: now(), expiresAt: null });
    const login = { id: `${userId}/web`, userId, device: 'web', at: now() } as const;
    if (store.logins.get(login.id) === undefined) store.logins.insert(login);
    else store.logins.update(login);
    return true;
  };
  if (!(await store.whenFree(() => store.write(exchange), request.signal))) return invalid();
  const answer: AnswerOf<typeof oauth.token> = { access_token: token, scope: '', token_type: 'bearer' };
  return { status: 200, headers: HEADERS, body: JSON.stringify(answer) };
}
