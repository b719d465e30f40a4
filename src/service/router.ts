/** Finds the endpoint of a request and the parameters in its path. */
import type { HttpRequest } from '../core/http.js';

export interface Route<T> {
  readonly method: string;
  readonly path: string;
  readonly target: T;
}

const segmentsOf = (path: string): string[] => path.split('/').slice(1);

/**
 * Literal segments have priority over parameters, so `books/subjects` is never the book with the id "subjects".
 * @returns a function of a percent-encoded path, which throws URIError if the encoding is invalid
 */
export function createRouter<T>(routes: readonly Route<T>[]) {
  // "{" sorts after the characters of all literals.
  const sorted = routes
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .map((route) => ({ ...route, segments: segmentsOf(route.path) }));
  return (method: string, path: string): { target: T; params: Record<string, string> } | undefined => {
    const given = segmentsOf(path).map(decodeURIComponent);
    const found = sorted.find(
      (route) =>
        route.method === method &&
        route.segments.length === given.length &&
        route.segments.every((segment, at) => segment === given[at] || (segment.startsWith('{') && given[at] !== '')),
    );
    if (found === undefined) return undefined;
    const params: Record<string, string> = {};
    for (const [at, segment] of found.segments.entries()) {
      if (segment.startsWith('{')) params[segment.slice(1, -1)] = given[at] ?? '';
    }
    return { target: found.target, params };
  };
}

/** The lookbehind avoids the quadratic time that `\/+$` alone takes on long runs of slashes. */
export const withoutTrailingSlash = (text: string): string => text.replace(/(?<!\/)\/+$/, '');

/** The path of a base URL, without a trailing slash. */
export const basePathOf = (baseUrl: string): string => withoutTrailingSlash(new URL(baseUrl).pathname);

/**
 * Splits an absolute URL without normalizing it: `URL` would collapse `..`, which may be an id. The path is relative to
 * the base URL, percent-encoded, and starts with a slash.
 * @param basePath path of the base URL without a trailing slash; removed if the URL starts with it
 */
export function addressOf(url: string, basePath: string) {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  const rest = (start === -1 ? '/' : url.slice(start)).split('#', 1)[0] ?? '/';
  const mark = rest.indexOf('?');
  const path = mark === -1 ? rest : rest.slice(0, mark);
  return {
    path: basePath !== '' && path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path,
    query: mark === -1 ? '' : rest.slice(mark + 1),
  };
}

/** Browsers send these headers with every request of a page; programs without them are no browsers. */
export function isSameOrigin({ url, headers }: HttpRequest): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  return (origin === undefined || origin === new URL(url).origin) && (site === undefined || site === 'same-origin');
}
