/** A request as node:http received it, as the service's own `HttpRequest`. It knows nothing of what is asked for. */
import type { IncomingMessage } from 'node:http';
import type { Body, Headers, HttpRequest, Method } from '../../http.js';
import { isLoopbackAddress, isLoopbackAuthority } from './loopback.js';

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS']);

/** Why a request is turned away before the service sees it. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
}

function hostHeaders(raw: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < raw.length; index += 2) if (raw[index]?.toLowerCase() === 'host') count++;
  return count;
}

/**
 * Says what is wrong with a request before anything is done for it: it comes from elsewhere, is addressed to another
 * host (a page that points its own name at this machine), or is not plain HTTP.
 * @returns undefined when the request may go on
 */
export function refusalOf(incoming: IncomingMessage): Refusal | undefined {
  if (!isLoopbackAddress(incoming.socket.remoteAddress)) {
    return { status: 403, message: 'only callers on this machine are served' };
  }
  if (hostHeaders(incoming.rawHeaders) !== 1 || !isLoopbackAuthority(incoming.headers.host ?? '')) {
    return { status: 421, message: 'the Host header must name this machine: 127.0.0.1, localhost or [::1]' };
  }
  if (!METHODS.has(incoming.method ?? '')) return { status: 501, message: 'this method is not known' };
  if (!/^\/(?!\/)/.test(incoming.url ?? '')) {
    return { status: 400, message: 'the request target must be a path that starts with one "/"' };
  }
  return undefined;
}

/** Says whether a body follows, which may turn out to be empty. */
const hasBody = (incoming: IncomingMessage): boolean =>
  incoming.headers['transfer-encoding'] !== undefined || Number(incoming.headers['content-length'] ?? 0) > 0;

/** The body's bytes. Whoever stops early leaves the rest unread instead of breaking the connection under the answer. */
const bodyOf = (incoming: IncomingMessage): Body => ({
  [Symbol.asyncIterator]: () => incoming.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Uint8Array>,
});

/**
 * The request in the form that the service takes.
 * @param signal aborted when the caller goes away before it was answered
 */
export function requestOf(incoming: IncomingMessage, signal: AbortSignal): HttpRequest {
  return {
    method: incoming.method as Method,
    url: `http://${incoming.headers.host}${incoming.url}`,
    // node has joined repeated headers; only set-cookie, which no request has, would be a list
    headers: incoming.headers as Headers,
    ...(hasBody(incoming) ? { body: bodyOf(incoming) } : {}),
    signal,
  };
}
