/** Patterns of requests for faults and expectations: by method, path, query, caller and body. */
import { contract } from '../../contract/index.js';
import type { Endpoint } from '../../contract/vocabulary.js';
import { decodePercent } from '../../core/http.js';
import { isObject } from '../../core/json.js';
import { suggestions } from '../../core/suggest.js';
import { OptionError } from './option-values.js';
import type { Person } from './test-users.js';

/** Decodes a path as the router does, but leaves slashes within segments encoded. */
const decoded = (path: string): string => decodePercent(path.replace(/%2f/gi, '%252F'));

/** In a pattern `*` matches one segment and `**` any number of characters. Percent-encoding makes no difference. */
export function pathMatcher(pattern: string): (path: string) => boolean {
  const literal = (part: string): string => decoded(part).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const source = pattern
    .split(/(\*\*|\*)/)
    .map((part) => (part === '**' ? '.*' : part === '*' ? '[^/]+' : literal(part)))
    .join('');
  const expression = new RegExp(`^${source}$`, 's');
  return (path) => expression.test(decoded(path));
}

/** Splits a path from its query, in which further question marks are text. */
export function splitTarget(target: string): readonly [path: string, query: string] {
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  return [path, query];
}

/** A pattern may have a query, whose parameters a request must have among others: `/v1/licenses?type=BOOKS`. */
export function targetMatcher(pattern: string): (path: string, query: string) => boolean {
  const [path, wanted] = splitTarget(pattern);
  const matches = pathMatcher(path);
  const parameters = [...new URLSearchParams(wanted)];
  return (given, query) => {
    const found = new URLSearchParams(query);
    return matches(given) && parameters.every(([name, value]) => found.getAll(name).includes(value));
  };
}

/** The endpoints outside of the contract's groups, and the pages that people see. */
const OTHERS: readonly (readonly [method: string, path: string])[] = [
  ['GET', '/login/oauth/authorize'],
  ['HEAD', '/login/oauth/authorize'],
  ['POST', '/login/oauth/authorize'],
  ['POST', '/login/oauth/access_token'],
  ['GET', '/editor/{kind}/{id}'],
  ['GET', '/v1/api/file/get/{id}'],
];

const endpoints = (): (readonly [method: string, path: string])[] => [
  ...Object.values(contract).flatMap((group) =>
    Object.values(group as Readonly<Record<string, Endpoint>>).map(({ method, path }) => [method, path] as const),
  ),
  ...OTHERS,
];

/** Whether some path of an endpoint matches the pattern, of which the part after `**` is not compared. */
function fits(pattern: string, endpoint: string): boolean {
  const [head = '', ...rest] = pattern.split('**');
  const given = head.split('/');
  const segments = endpoint.split('/');
  const isOpen = rest.length > 0;
  if (isOpen ? given.length > segments.length : given.length !== segments.length) return false;
  return given.every((part, at) => {
    const segment = segments[at] ?? '';
    if (segment.startsWith('{') || pathMatcher(part)(segment)) return true;
    return isOpen && at === given.length - 1 && segment.startsWith(part);
  });
}

/** @throws OptionError if no endpoint has this method and a path that matches; each may be left out */
export function requireEndpoint(method: string | undefined, target: string | undefined): void {
  const path = target && splitTarget(target)[0];
  const known = endpoints().filter(([one]) => method === undefined || one === method);
  if (known.some(([, one]) => path === undefined || fits(path, one))) return;
  const close = suggestions(path ?? '', new Set(known.map(([, one]) => one)));
  const hint = close.length === 0 ? 'docs/openapi.json lists the endpoints.' : `Similar paths: ${close.join(', ')}.`;
  throw new OptionError(`no endpoint is ${[method, path].filter((part) => part !== undefined).join(' ')}`, hint);
}

/** @throws OptionError unless a persona or user has this name, ID or e-mail address */
export function requireUser(user: string, isUser: (user: string) => boolean): void {
  if (isUser(user)) return;
  throw new OptionError(`no persona or user is ${user}`, 'Give a persona, or the ID or e-mail address of a user.');
}

/** Whether a user is meant by a persona, an ID or an e-mail address. */
export const isMeant = (as: string, user: Person | undefined): boolean =>
  user !== undefined && Object.values(user).includes(as);

/** Whether a value has these members, among others; the texts `5` and `true` are equal to the number and the boolean. */
export const hasMembers = (members: unknown, value: unknown): boolean =>
  isObject(members)
    ? isObject(value) && Object.entries(members).every(([name, member]) => hasMembers(member, value[name]))
    : JSON.stringify(members) === JSON.stringify(value) ||
      (['number', 'boolean'].includes(typeof value) && members === String(value));
