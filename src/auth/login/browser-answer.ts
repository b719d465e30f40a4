/** Creates an authorization request, and reads its response from a query (RFC 6749, section 4.1). */
import { createHash, timingSafeEqual } from 'node:crypto';
import { oauth } from '../../contract/oauth.js';
import type { LoginFacts } from './login-facts.js';

export type Answer =
  /** A parameter is missing or repeated. */
  | { readonly kind: 'malformed' }
  /** The response belongs to another login. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'code'; readonly code: string; readonly state: string }
  | {
      readonly kind: 'refused';
      readonly state: string;
      readonly error: string;
      readonly description: string | undefined;
    };

/** The digest by which a state is compared, so that timing reveals nothing about the state. */
export const digestOf = (state: string): Buffer => createHash('sha256').update(state).digest();

/** @param query without question mark @param digests digests of the expected states */
export function answerIn(query: string, digests: readonly Buffer[]): Answer {
  const parameters = new URLSearchParams(query);
  const [state, code, error, description] = ['state', 'code', 'error', 'error_description'].map((name) =>
    parameters.getAll(name),
  ) as [string[], string[], string[], string[]];
  if (state.length !== 1 || code.length + error.length !== 1 || description.length > 1) return { kind: 'malformed' };
  const [given = ''] = state;
  if (given === '') return { kind: 'malformed' };
  // Checked first, for errors too: any page can send a browser here (RFC 6749, section 10.12; RFC 9700, 4.7).
  const digest = digestOf(given);
  // Every digest is compared, so that timing does not reveal which one matched.
  const right = digests.filter((expected) => timingSafeEqual(expected, digest)).length > 0;
  if (!right) return { kind: 'foreign' };
  if (error[0] !== undefined) return { kind: 'refused', state: given, error: error[0], description: description[0] };
  if (!code[0]) return { kind: 'malformed' };
  return { kind: 'code', code: code[0], state: given };
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
    exact || !callback.local ? callback.url : `${callback.url.replace(/(?<!\/)\/+$/, '')}/${unguessable(16)}`;
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
