/** Adds the access token to requests to one origin, and to no others. */
import { usageError } from '../../core/errors.js';
import type { Send } from '../../core/http.js';

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
  const isValid = /^[\x21-\x7e]+$/.test(token);
  const authorization = `Bearer ${token}`;
  return (request) => {
    const isOwnOrigin = new URL(request.url).origin === home;
    if (request.anonymous || request.headers.authorization !== undefined || !isOwnOrigin) return send(request);
    if (isValid) return send({ ...request, headers: { ...request.headers, authorization } });
    const hint = 'Set EDU_TOKEN again, or log in with `edu auth login`.';
    return Promise.reject(usageError('The access token contains invalid characters.', hint));
  };
}
