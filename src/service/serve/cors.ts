/** CORS for the origins given with `--cors`; pages of others can neither read responses nor send a token. */
import type { Headers, HttpRequest, HttpResponse } from '../../core/http.js';
import { addressOf } from '../router.js';

const ALLOWED_METHODS = 'GET, POST, PUT, DELETE';
const ALLOWED_HEADERS = 'authorization, content-type';

/** Returns true for scheme, host and port as browsers send them, with nothing after them. */
export function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

export type Cors = ReturnType<typeof corsFor>;

/** Opens only `/v1` to these origins, not the consent page or the control route. */
export function corsFor(origins: readonly string[], basePath: string) {
  const allowed = new Set(origins);
  const inApi = (url: string): boolean => addressOf(url, basePath).path.startsWith('/v1/');
  const originOf = ({ url, headers }: HttpRequest): string | undefined => {
    const origin = headers.origin;
    return origin !== undefined && allowed.has(origin) && inApi(url) ? origin : undefined;
  };
  return {
    /** Headers that let the page read the response; no `access-control-allow-origin` for other origins. */
    headersFor(request: HttpRequest): Headers {
      if (allowed.size === 0) return {};
      const origin = originOf(request);
      return origin === undefined ? { vary: 'Origin' } : { vary: 'Origin', 'access-control-allow-origin': origin };
    },
    /** The response to a preflight of an allowed origin; undefined for any other request. */
    preflight(request: HttpRequest): HttpResponse | undefined {
      if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return;
      const origin = originOf(request);
      if (origin === undefined) return;
      const headers = {
        'access-control-allow-methods': ALLOWED_METHODS,
        'access-control-allow-headers': ALLOWED_HEADERS,
        'access-control-max-age': '600',
      };
      return { status: 204, headers, body: '' };
    },
  };
}
