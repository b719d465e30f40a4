/** Decides which request to the callback's port is the redirect of a login, by rules in a fixed order. */
import { answerIn, type TrueAnswer } from './browser-answer.js';

export interface ReceivedRequest {
  readonly remoteAddress: string | undefined;
  readonly method: string | undefined;
  /** The request target, undecoded. */
  readonly target: string | undefined;
  /** Alternating names and values, as received. */
  readonly rawHeaders: readonly string[];
}

export interface Expected {
  /** Host and port as a browser sends them. */
  readonly host: string;
  /** The paths of this login: the registered one, which gets errors, and the unique one. */
  readonly paths: readonly string[];
  readonly stateDigest: Buffer;
}

export type Verdict =
  | { readonly kind: 'drop' }
  /** Rejected with a status; the login keeps waiting. */
  | { readonly kind: 'turned-away'; readonly status: number }
  | { readonly kind: 'settles'; readonly answer: TrueAnswer };

const away = (status: number): Verdict => ({ kind: 'turned-away', status });

export function judge(seen: ReceivedRequest, { host, paths, stateDigest }: Expected): Verdict {
  if (!isLoopbackAddress(seen.remoteAddress)) return { kind: 'drop' };
  const header = (name: string): string[] =>
    seen.rawHeaders.filter((_, index) => index % 2 === 1 && seen.rawHeaders[index - 1]?.toLowerCase() === name);
  // DNS rebinding: another host name that resolves to this machine.
  const hosts = header('host');
  if (hosts.length !== 1 || hosts[0]?.toLowerCase() !== host) return away(421);
  if (seen.method !== 'GET') return away(405);
  const target = seen.target ?? '';
  if (!/^\/(?!\/)/.test(target)) return away(400);
  const prefetch = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'].flatMap(header);
  if (prefetch.some((purpose) => /prefetch|prerender|preview/i.test(purpose))) return away(503);
  // A page may embed or fetch this address, but only a navigation is a redirect. Browsers that send either header send the
  // destination; a mode alone comes from programs such as Node's fetch, which no page can trigger.
  const destinations = header('sec-fetch-dest');
  const modes = destinations.length === 0 ? [] : header('sec-fetch-mode');
  if (destinations.some((kind) => kind !== 'document') || modes.some((mode) => mode !== 'navigate')) return away(403);
  // A WebSocket of a page has neither header but an origin, which a navigation does not have.
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
