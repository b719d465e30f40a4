/** Creates the values of one login: state, callback URL and the address to open. */
import { oauth } from '../../contract/oauth.js';
import type { Callback } from '../../settings/callback-url.js';
import { digestOf } from './browser-answer.js';

export interface Attempt {
  readonly state: string;
  readonly stateDigest: Buffer;
  readonly redirectUri: string;
  /** Path of the redirect URI as a browser sends it. */
  readonly path: string;
  /** Address of the authorization page. */
  readonly address: string;
}

export interface AttemptFacts {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly callback: Callback;
  /** Use the callback URL itself instead of a unique path below it. */
  readonly exact: boolean;
  readonly randomBytes: (count: number) => Uint8Array;
}

/**
 * Creates the values of a login. A unique path below the callback prevents that other pages and old tabs hit it
 * (service-api-v1.md, "Redirect URL rule", allows deeper paths).
 */
export function newAttempt({ baseUrl, clientId, callback, exact, randomBytes }: AttemptFacts): Attempt {
  const unguessable = (count: number): string => Buffer.from(randomBytes(count)).toString('base64url');
  const state = unguessable(32);
  const redirectUri =
    exact || !callback.local ? callback.url : `${callback.url.replace(/(?<!\/)\/+$/, '')}/${unguessable(16)}`;
  const query = new URLSearchParams({ client_id: clientId, redirect_uri: redirectUri, state });
  return {
    state,
    stateDigest: digestOf(state),
    redirectUri,
    path: new URL(redirectUri).pathname,
    address: `${baseUrl}${oauth.authorize.path}?${query}`,
  };
}
