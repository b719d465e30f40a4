/**
 * Finds the endpoint of a request and the parameters in its path. Literal segments have priority over parameters, so
 * `books/subjects` is never the book with the id "subjects".
 */
export interface Route<T> {
  readonly method: string;
  readonly path: string;
  readonly target: T;
}

export interface Match<T> {
  readonly target: T;
  readonly params: Readonly<Record<string, string>>;
}

interface Node<T> {
  readonly literals: Map<string, Node<T>>;
  parameter: Node<T> | undefined;
  end: { readonly target: T; readonly names: readonly string[] } | undefined;
}

const newNode = <T>(): Node<T> => ({ literals: new Map(), parameter: undefined, end: undefined });

const parameterName = (segment: string): string | undefined => /^\{(\w+)\}$/.exec(segment)?.[1];

function add<T>(root: Node<T>, path: string, target: T): void {
  let node = root;
  const names: string[] = [];
  for (const segment of path.split('/').slice(1)) {
    const name = parameterName(segment);
    if (name !== undefined) {
      names.push(name);
      node.parameter ??= newNode();
      node = node.parameter;
    } else {
      const next = node.literals.get(segment) ?? newNode<T>();
      node.literals.set(segment, next);
      node = next;
    }
  }
  if (node.end !== undefined) throw new Error(`two routes have the path ${path}`);
  node.end = { target, names };
}

/** Finds the route, trying literals before parameters; adds the values of parameters to `taken`. */
function walk<T>(node: Node<T>, segments: readonly string[], at: number, taken: string[]): Node<T>['end'] {
  const segment = segments[at];
  if (segment === undefined) return node.end;
  const literal = node.literals.get(segment);
  const found = literal === undefined ? undefined : walk(literal, segments, at + 1, taken);
  if (found !== undefined || node.parameter === undefined || segment === '') return found;
  taken.push(segment);
  const end = walk(node.parameter, segments, at + 1, taken);
  if (end === undefined) taken.pop();
  return end;
}

/** The returned function takes a percent-encoded path, and throws URIError for one with invalid encoding. */
export function createRouter<T>(routes: readonly Route<T>[]): (method: string, path: string) => Match<T> | undefined {
  const roots = new Map<string, Node<T>>();
  for (const { method, path, target } of routes) {
    const root = roots.get(method) ?? newNode<T>();
    roots.set(method, root);
    add(root, path, target);
  }
  return (method, path) => {
    const root = roots.get(method);
    if (root === undefined) return undefined;
    const taken: string[] = [];
    const end = walk(root, path.split('/').slice(1).map(decodeURIComponent), 0, taken);
    if (end === undefined) return undefined;
    return { target: end.target, params: Object.fromEntries(end.names.map((name, i) => [name, taken[i] ?? ''])) };
  };
}

export interface Address {
  /** Relative to the base URL, percent-encoded, starting with a slash. */
  readonly path: string;
  readonly query: string;
}

/** The lookbehind avoids the quadratic time that `\/+$` alone takes on long runs of slashes. */
export const withoutTrailingSlash = (text: string): string => text.replace(/(?<!\/)\/+$/, '');

/** The path of a base URL, without a trailing slash. */
export const basePathOf = (baseUrl: string): string => withoutTrailingSlash(new URL(baseUrl).pathname);

/**
 * Splits an absolute URL without normalizing it: `URL` would collapse `..`, which may be an id.
 * @param basePath path of the base URL without a trailing slash; removed if the URL starts with it
 */
export function addressOf(url: string, basePath: string): Address {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  const rest = (start === -1 ? '/' : url.slice(start)).split('#', 1)[0] ?? '/';
  const mark = rest.indexOf('?');
  const path = mark === -1 ? rest : rest.slice(0, mark);
  return {
    path: basePath !== '' && path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path,
    query: mark === -1 ? '' : rest.slice(mark + 1),
  };
}
