/** Splits the addresses of requests, and compares their origins. */
import { type HttpRequest, withoutTrailingSlash } from '../core/http.js';

/** The path of a base URL, without a trailing slash. */
export const basePathOf = (baseUrl: string): string => withoutTrailingSlash(new URL(baseUrl).pathname);

/**
 * Splits an absolute URL without normalizing it: `URL` would collapse `..`, which may be an id. The path is relative to
 * the base URL, percent-encoded, and starts with a slash; one outside the base URL starts with `/..`.
 * @param basePath path of the base URL without a trailing slash
 */
export function addressOf(url: string, basePath: string) {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  const rest = (start === -1 ? '/' : url.slice(start)).split('#', 1)[0] ?? '/';
  const mark = rest.indexOf('?');
  const path = mark === -1 ? rest : rest.slice(0, mark);
  return {
    path: path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : `/..${path}`,
    query: mark === -1 ? '' : rest.slice(mark + 1),
  };
}

/** Browsers send these headers with every request of a page; programs without them are no browsers. */
export function isSameOrigin({ url, headers }: HttpRequest): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  return (origin === undefined || origin === new URL(url).origin) && (site === undefined || site === 'same-origin');
}
