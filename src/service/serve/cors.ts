/** CORS for the origins given with `--cors`; pages of others can neither read responses nor send a token. */
import type { Headers, HttpRequest, HttpResponse } from '../../core/http.js';
import { addressOf } from '../router.js';

const PREFLIGHT: HttpResponse = {
  status: 204,
  headers: {
    'access-control-allow-methods': 'GET, POST, PUT, DELETE',
    'access-control-allow-headers': 'authorization, content-type',
    'access-control-max-age': '600',
  },
  body: '',
};

/** Returns true for scheme, host and port as browsers send them, with nothing after them. */
export function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

export type Cors = ReturnType<typeof corsFor>;

/** Opens only `/v1` to these origins, not the consent page or the control route. */
export const corsFor =
  (origins: readonly string[], basePath: string) =>
  ({ method, url, headers }: HttpRequest) => {
    const { origin = '', 'access-control-request-method': asked } = headers;
    const isAllowed = origins.includes(origin) && addressOf(url, basePath).path.startsWith('/v1/');
    const vary: Headers = origins.length === 0 ? {} : { vary: 'Origin' };
    return {
      /** For the response, which the page may read only if its origin is allowed. */
      headers: isAllowed ? { ...vary, 'access-control-allow-origin': origin } : vary,
      /** The response to a preflight of an allowed origin; undefined for any other request. */
      preflight: isAllowed && method === 'OPTIONS' && asked !== undefined ? PREFLIGHT : undefined,
    };
  };
