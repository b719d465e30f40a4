/**
 * Finds the endpoint of a request and the parameters in its path. Literal segments have priority over parameters, so
 * `books/subjects` is never the book with the id "subjects".
 */
export interface Route<T> {
  readonly method: string;
  readonly path: string;
  readonly target: T;
}

const parameterOf = (segment: string): string | undefined => /^\{(\w+)\}$/.exec(segment)?.[1];

const segmentsOf = (path: string): string[] => path.split('/').slice(1);

/** Equal for routes of the same form; literals sort before parameters. */
const formOf = (segments: readonly string[]): string =>
  segments.map((segment) => (parameterOf(segment) === undefined ? ` ${segment}` : '{}')).join('/');

/** The returned function takes a percent-encoded path, and throws URIError for one with invalid encoding. */
export function createRouter<T>(
  routes: readonly Route<T>[],
): (
  method: string,
  path: string,
) => { readonly target: T; readonly params: Readonly<Record<string, string>> } | undefined {
  const sorted = routes
    .map(({ method, path, target }) => ({ method, path, target, segments: segmentsOf(path) }))
    .map((route) => ({ ...route, form: `${route.method} ${formOf(route.segments)}` }))
    .sort((one, other) => (one.form === other.form ? 0 : one.form < other.form ? -1 : 1));
  const twice = sorted.find(({ form }, index) => form === sorted[index - 1]?.form);
  if (twice !== undefined) throw new Error(`two routes have the path ${twice.path}`);
  return (method, path) => {
    const given = segmentsOf(path).map(decodeURIComponent);
    const found = sorted.find(
      (route) =>
        route.method === method &&
        route.segments.length === given.length &&
        route.segments.every((segment, at) => segment === given[at] || (segment.startsWith('{') && given[at] !== '')),
    );
    if (found === undefined) return undefined;
    const params = found.segments.flatMap((segment, at) => {
      const name = parameterOf(segment);
      return name === undefined ? [] : [[name, given[at] ?? ''] as const];
    });
    return { target: found.target, params: Object.fromEntries(params) };
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
