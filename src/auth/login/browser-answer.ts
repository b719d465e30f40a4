/** Creates an authorization request, and reads its response from a query (RFC 6749, section 4.1). */
import { createHash, timingSafeEqual } from 'node:crypto';
import { oauth } from '../../contract/oauth.js';
import { withoutTrailingSlash } from '../../core/http.js';
import type { LoginFacts } from './login-facts.js';

/** The response to this login. */
export type TrueAnswer = { readonly state: string } & (
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'refused'; readonly error: string; readonly description: string | undefined }
);

/** `malformed`: a parameter is missing or repeated. `foreign`: it belongs to another login. */
type Answer = TrueAnswer | { readonly kind: 'malformed' } | { readonly kind: 'foreign' };

/** The digest by which a state is compared, so that timing reveals nothing about the state. */
export const digestOf = (state: string): Buffer => createHash('sha256').update(state).digest();

/** @param query without question mark @param digests digests of the expected states */
export function answerIn(query: string, digests: readonly Buffer[]): Answer {
  const parameters = new URLSearchParams(query);
  const names = ['state', 'code', 'error', 'error_description'];
  const isRepeated = names.some((name) => parameters.getAll(name).length > 1);
  const [state, code, error, description] = names.map((name) => parameters.get(name) ?? undefined);
  // An empty parameter is a missing one.
  if (isRepeated || !state || !code === !error) return { kind: 'malformed' };
  // Checked first, for errors too: any page can send a browser here (RFC 6749, section 10.12; RFC 9700, 4.7).
  const digest = digestOf(state);
  // Every digest is compared, so that timing does not reveal which one matched.
  if (digests.filter((expected) => timingSafeEqual(expected, digest)).length === 0) return { kind: 'foreign' };
  return code ? { kind: 'code', code, state } : { kind: 'refused', state, error: error ?? '', description };
}

export type Attempt = ReturnType<typeof newAttempt>;

interface AttemptFacts extends Pick<LoginFacts, 'baseUrl' | 'clientId' | 'callback' | 'exact'> {
  readonly randomBytes: (count: number) => Uint8Array;
}

/**
 * Creates the values of a login. A unique path below the callback prevents that other pages and old tabs hit it
 * (service-api-v1.md, "Redirect URL rule", allows deeper paths).
 */
export function newAttempt({ baseUrl, clientId, callback, exact, randomBytes }: AttemptFacts) {
  const unguessable = (count: number): string => Buffer.from(randomBytes(count)).toString('base64url');
  const state = unguessable(32);
  const redirectUri =
    exact || !callback.local ? callback.url : `${withoutTrailingSlash(callback.url)}/${unguessable(16)}`;
  const query = new URLSearchParams({ client_id: clientId, redirect_uri: redirectUri, state });
  return {
    state,
    stateDigest: digestOf(state),
    redirectUri,
    /** Path of the redirect URI as a browser sends it. */
    path: new URL(redirectUri).pathname,
    address: `${baseUrl}${oauth.authorize.path}?${query}`,
  };
}
