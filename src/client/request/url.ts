/** Builds URLs under the base URL: path segments, queries and raw paths. */
import type { Endpoint } from '../../contract/vocabulary.js';
import { excerpt } from '../../core/clean-text.js';
import { type EduError, usageError } from '../../core/errors.js';
import { withoutTrailingSlash } from '../../core/http.js';

/** Percent-encodes all but the unreserved characters of RFC 3986. */
export function encode(value: string): string {
  return encodeURIComponent(value).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

const quoted = (value: string): string => JSON.stringify(excerpt(value, 100));

/**
 * Encodes a path segment. An empty one would address another endpoint, and URL parsers collapse `.` and `..` even if
 * percent-encoded.
 * @throws a usage error that names the value
 */
function segment(name: string, value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const named = name === 'id' ? 'ID' : name;
  if (text.trim() === '') throw usageError(`The ${named} is empty.`, `Give the ${named}.`);
  if (text === '.' || text === '..') throw usageError(`${quoted(text)} is not a valid ${named}.`);
  if (!text.isWellFormed()) throw usageError(`The ${named} ${quoted(text)} is not valid text.`);
  return encode(text);
}

/**
 * Fills `{name}` in an endpoint's path.
 * @throws a usage error for an empty value, `.` or `..`
 */
export function fillPath(path: string, params: Readonly<Record<string, unknown>>): string {
  if (!path.includes('{')) return path;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, params[name]));
}

/** `?a=1&b=2`, or an empty string. Undefined values are omitted, lists repeat the name. */
export function queryString(query: Readonly<Record<string, unknown>>): string {
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) {
      if (one !== undefined) pairs.push(`${encode(name)}=${encode(String(one).toWellFormed())}`);
    }
  }
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Path and query of an endpoint. Query parameters come in the contract's order, followed by others. */
export function endpointPath(
  endpoint: Endpoint,
  params: Readonly<Record<string, unknown>>,
  query: Readonly<Record<string, unknown>> | undefined,
): string {
  const path = fillPath(endpoint.path, params);
  if (query === undefined) return path;
  const ordered: Record<string, unknown> = {};
  for (const name in endpoint.query) ordered[name] = query[name];
  return path + queryString(Object.assign(ordered, query));
}

const outside = (path: string, why: string): EduError =>
  usageError(`${quoted(path)} is not a path under the base URL: ${why}.`, 'Give a path such as /v1/account.');

/** True if URL parsers treat a segment as `.` or `..`. */
const isDots = (part: string): boolean => /^(\.|%2e){1,2}$/i.test(part);

/**
 * Checks a user's path, which may also be a whole address under the base URL.
 * @returns the path with its query, beginning with a slash
 * @throws a usage error that repeats the path
 */
export function rawPath(baseUrl: string, path: string): string {
  const base = withoutTrailingSlash(baseUrl);
  let rest = path;
  if (/^[a-z][a-z0-9+.-]*:/i.test(path)) {
    if (path !== base && !path.startsWith(`${base}/`) && !path.startsWith(`${base}?`)) {
      throw outside(path, `the base URL is ${base}`);
    }
    rest = path.slice(base.length);
  }
  if (!rest.startsWith('/')) rest = `/${rest}`;
  if (rest.startsWith('//')) throw outside(path, 'it names another host');
  if (/[\s\\\0-\x1f\x7f-\x9f]/.test(rest))
    throw outside(path, 'it contains a space, a backslash or a control character');
  if (rest.includes('#')) throw outside(path, 'it has a fragment (#)');
  const [pathname = ''] = rest.split('?');
  if (pathname.split('/').some(isDots)) throw outside(path, '"." and ".." are not allowed in it');
  if (!rest.isWellFormed()) throw outside(path, 'it is not valid text');
  // Encodes non-ASCII characters; existing percent-encoding is kept.
  return rest.replace(/[^\x21-\x7e]+/g, (letters) => encodeURIComponent(letters));
}
