/** Adds the access token to requests to one origin, and to no others. */
import { usageError } from '../../core/errors.js';
import type { Headers, Send } from '../../core/http.js';
import { getOrSet } from '../../core/maps.js';

export interface Authorization {
  /** Scheme, host and port that the token belongs to. */
  readonly origin: string;
  readonly token: string | undefined;
}

/**
 * Wraps a `Send` so that it adds the token to requests, unless they are anonymous or have their own `authorization`.
 */
export function authorized(send: Send, { origin, token }: Authorization): Send {
  if (token === undefined) return send;
  const home = new URL(origin).origin;
  const under = `${home}/`;
  // The prefix is compared first because parsing the address costs more than all else here.
  const isOwnOrigin = (url: string): boolean => url.startsWith(under) || new URL(url).origin === home;
  const isValid = /^[\x21-\x7e]+$/.test(token);
  const authorization = `Bearer ${token}`;
  /** By the headers without it, which many requests share. */
  const withToken = new WeakMap<Headers, Headers>();
  return (request) => {
    if (request.anonymous || request.headers.authorization !== undefined || !isOwnOrigin(request.url))
      return send(request);
    if (isValid) {
      const { method, url, body, signal } = request;
      const headers = getOrSet(withToken, request.headers, () => ({ ...request.headers, authorization }));
      return send({ method, url, headers, body, signal });
    }
    const hint = 'Set EDU_TOKEN again, or log in with `edu auth login`.';
    return Promise.reject(usageError('The access token contains invalid characters.', hint));
  };
}
