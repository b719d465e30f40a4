/**
 * Decides which request to the callback's port is the redirect of a login. The rules have a fixed order; all but the
 * last leave the login waiting.
 */
import { type Answer, answerIn } from './browser-answer.js';

/** A request as it came, nothing repaired. */
export interface Seen {
  readonly remoteAddress: string | undefined;
  readonly method: string | undefined;
  /** The request target, undecoded. */
  readonly target: string | undefined;
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[];
}

export interface Expected {
  /** Host and port as a browser sends them. */
  readonly host: string;
  /** The paths that belong to this login: the registered one, where errors go, and its own. */
  readonly paths: readonly string[];
  readonly stateDigest: Buffer;
}

export type Verdict =
  | { readonly kind: 'drop' }
  /** Answered with a status alone; the login keeps waiting. */
  | { readonly kind: 'turned-away'; readonly status: number }
  | { readonly kind: 'settles'; readonly answer: Extract<Answer, { kind: 'code' | 'refused' }> };

const away = (status: number): Verdict => ({ kind: 'turned-away', status });

/** Judges one request. */
export function judge(seen: Seen, { host, paths, stateDigest }: Expected): Verdict {
  if (!isLoopbackAddress(seen.remoteAddress)) return { kind: 'drop' };
  const header = (name: string): string[] =>
    seen.rawHeaders.filter((_, index) => index % 2 === 1 && seen.rawHeaders[index - 1]?.toLowerCase() === name);
  // Another name for this machine, made up by a page that lets its own name point here (DNS rebinding).
  const hosts = header('host');
  if (hosts.length !== 1 || hosts[0]?.toLowerCase() !== host) return away(421);
  if (seen.method !== 'GET') return away(405);
  const target = seen.target ?? '';
  if (!/^\/(?!\/)/.test(target)) return away(400);
  const prefetch = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'].flatMap(header);
  if (prefetch.some((purpose) => /prefetch|prerender|preview/i.test(purpose))) return away(503);
  // A page may embed or fetch this address; only a person going there is an answer. Browsers that send either header
  // send the destination; a mode alone comes from programs, such as Node's fetch, which no page can make ask.
  const destinations = header('sec-fetch-dest');
  const modes = destinations.length === 0 ? [] : header('sec-fetch-mode');
  if (destinations.some((kind) => kind !== 'document') || modes.some((mode) => mode !== 'navigate')) return away(403);
  // A socket that a page opens has neither of them, but an origin; going somewhere has none.
  if (header('origin').length > 0 || header('upgrade').length > 0) return away(403);
  const [path = '', ...rest] = target.split('?');
  if (path === '/favicon.ico') return away(204);
  if (!paths.includes(path)) return away(404);
  const answer = answerIn(rest.join('?'), [stateDigest]);
  return answer.kind === 'code' || answer.kind === 'refused' ? { kind: 'settles', answer } : away(400);
}

function isLoopbackAddress(address: string | undefined): boolean {
  return address !== undefined && /^(?:(?:::ffff:)?127\.\d+\.\d+\.\d+|::1)$/.test(address);
}
