/** Adds the access token to requests to one origin, and to no others. */
import { usageError } from '../../core/errors.js';
import type { Send } from '../../core/http.js';

export interface Authorization {
  /** Scheme, host and port that the token belongs to. */
  readonly origin: string;
  readonly token: () => Promise<string | undefined>;
}

/**
 * Wraps a `Send` so that it adds the token to requests, unless they are anonymous or have their own `authorization`.
 */
export function authorized(send: Send, { origin, token }: Authorization): Send {
  const home = new URL(origin).origin;
  const under = `${home}/`;
  // The prefix is compared first because parsing the address costs more than all else here.
  const isOwnOrigin = (url: string): boolean => url.startsWith(under) || new URL(url).origin === home;
  /** The last token with valid characters. */
  let checked: string | undefined;
  return async (request) => {
    if (request.anonymous || request.headers.authorization !== undefined || !isOwnOrigin(request.url))
      return send(request);
    const value = await token();
    if (value === undefined) return send(request);
    if (value !== checked && !/^[\x21-\x7e]+$/.test(value)) {
      throw usageError(
        'The access token contains invalid characters.',
        'Set EDU_TOKEN again, or log in with `edu auth login`.',
      );
    }
    checked = value;
    return send({ ...request, headers: { ...request.headers, authorization: `Bearer ${value}` } });
  };
}
