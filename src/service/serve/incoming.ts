/** Converts a request of node:http to the service's `HttpRequest`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Body, Headers, HttpRequest, Method } from '../../core/http.js';

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS']);

/** Rejects requests to another host, which a web page can point at this machine, and what is not plain HTTP. */
export function rejectionOf(incoming: IncomingMessage, isOwnHost: (authority: string) => boolean) {
  // Exactly one Host header, because Node itself keeps the first of several.
  const { host = [] } = incoming.headersDistinct;
  if (host.length !== 1 || !isOwnHost(host[0] ?? '')) {
    const message = 'the Host header must name this machine: 127.0.0.1, localhost, [::1], or a name given with --host';
    return { status: 421, message };
  }
  const { method = '', url = '' } = incoming;
  if (!METHODS.has(method)) return { status: 501, message: 'this method is not known' };
  if (!/^\/(?!\/)/.test(url)) {
    return { status: 400, message: 'the request target must be a path that starts with one "/"' };
  }
  return undefined;
}

/** True also for a chunked body that turns out to be empty. */
const hasBody = (incoming: IncomingMessage): boolean =>
  incoming.headers['transfer-encoding'] !== undefined || Number(incoming.headers['content-length'] ?? 0) > 0;

/** Leaves the rest unread when the reader stops early, so that the response can still be sent. */
const bodyOf = (incoming: IncomingMessage): Body => ({
  [Symbol.asyncIterator]: () => incoming.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Uint8Array>,
});

function signalOf(outgoing: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const abort = (): void => {
    if (!outgoing.writableFinished) gone.abort();
  };
  if (outgoing.closed) abort();
  else outgoing.once('close', abort);
  return gone.signal;
}

export function requestOf(incoming: IncomingMessage, outgoing: ServerResponse): HttpRequest {
  const scheme = 'encrypted' in incoming.socket ? 'https' : 'http';
  let signal: AbortSignal | undefined;
  return {
    method: incoming.method as Method,
    url: `${scheme}://${incoming.headers.host}${incoming.url}`,
    // Node joins repeated headers; only `set-cookie`, which requests do not have, would be a list.
    headers: incoming.headers as Headers,
    body: hasBody(incoming) ? bodyOf(incoming) : undefined,
    /** Aborted when the client disconnects before the response is complete. Created on demand, because it is slow. */
    get signal() {
      signal ??= signalOf(outgoing);
      return signal;
    },
  };
}
