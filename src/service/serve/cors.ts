/**
 * CORS responses for origins that the user named. Without `--cors`, no web page can read anything or send a token: the
 * preflight is never granted.
 */
import type { Headers, HttpRequest, HttpResponse } from '../../core/http.js';
import { addressOf } from '../router.js';

const ALLOWED_METHODS = 'GET, POST, PUT, DELETE';
const ALLOWED_HEADERS = 'authorization, content-type';

/** A web page's origin, as browsers write it: scheme, host and port, nothing behind. */
export function isOrigin(text: string): boolean {
  try {
    const url = new URL(text);
    return (url.protocol === 'http:' || url.protocol === 'https:') && url.origin === text;
  } catch {
    return false;
  }
}

export interface Cors {
  /** The headers that let the page read this answer; none for a page that was not allowed. */
  readonly headersFor: (request: HttpRequest) => Headers;
  /** The answer to a browser that asks before it sends; undefined when this is no such question, or a page not allowed. */
  readonly preflight: (request: HttpRequest) => HttpResponse | undefined;
}

/**
 * The rules for pages of these origins. Only `/v1` is open to them: neither the consent page nor the control route.
 * @param origins compared whole
 * @param basePath path of the service's base URL, without a slash at the end
 */
export function corsFor(origins: readonly string[], basePath: string): Cors {
  const allowed = new Set(origins);
  const inApi = (url: string): boolean => addressOf(url, basePath).path.startsWith('/v1/');
  const originOf = ({ url, headers }: HttpRequest): string | undefined => {
    const origin = headers.origin;
    return origin !== undefined && allowed.has(origin) && inApi(url) ? origin : undefined;
  };
  return {
    headersFor(request): Headers {
      if (allowed.size === 0) return {};
      const origin = originOf(request);
      return origin === undefined ? { vary: 'Origin' } : { vary: 'Origin', 'access-control-allow-origin': origin };
    },
    preflight(request): HttpResponse | undefined {
      if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return;
      const origin = originOf(request);
      if (origin === undefined) return;
      const headers: Record<string, string> = {
        'access-control-allow-methods': ALLOWED_METHODS,
        'access-control-allow-headers': ALLOWED_HEADERS,
        'access-control-max-age': '600',
      };
      if (request.headers['access-control-request-private-network'] === 'true') {
        headers['access-control-allow-private-network'] = 'true';
      }
      return { status: 204, headers, body: '' };
    },
  };
}
