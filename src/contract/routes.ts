/** Finds the endpoint of a request and the parameters in its path. */

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
