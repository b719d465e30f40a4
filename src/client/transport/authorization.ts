/** Adds the access token to requests to one origin, and to no others. */
import { usageError } from '../../core/errors.js';
import type { Send } from '../../core/http.js';

export interface Authorization {
  /** Scheme, host and port that the token belongs to. */
  readonly origin: string;
  /** The token, if there is one. */
  readonly token: () => Promise<string | undefined>;
}

/**
 * Wraps a `Send` so that requests carry the token. A request that is anonymous, or has its own `authorization`, is left
 * as it is.
 */
export function authorized(send: Send, { origin, token }: Authorization): Send {
  const home = new URL(origin).origin;
  const under = `${home}/`;
  // Taking an address apart costs more than all else here; one that begins with the origin and a slash is of that origin.
  const goesHome = (url: string): boolean => url.startsWith(under) || new URL(url).origin === home;
  /** The last token that was found valid. */
  let checked: string | undefined;
  return async (request) => {
    if (request.anonymous || request.headers.authorization !== undefined || !goesHome(request.url))
      return send(request);
    const value = await token();
    if (value === undefined) return send(request);
    if (value !== checked && !/^[\x21-\x7e]+$/.test(value)) {
      throw usageError(
        'The access token contains invalid characters',
        'Set EDU_TOKEN again, or log in with `edu auth login`.',
      );
    }
    checked = value;
    return send({ ...request, headers: { ...request.headers, authorization: `Bearer ${value}` } });
  };
}
