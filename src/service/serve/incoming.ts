/** Converts a request of node:http to the service's `HttpRequest`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Body, Headers, HttpRequest, Method } from '../../core/http.js';

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS']);

/** Why a request is turned away before the service sees it. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
}

/** Says whether the request has one Host header, and this names us. Node itself keeps the first of several. */
function isForUs({ rawHeaders, headers }: IncomingMessage, isOwnHost: (authority: string) => boolean): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count === 1 && isOwnHost(headers.host ?? '');
}

const SLASH = 47;

/**
 * Says what is wrong with a request before anything is done for it: it is addressed to another host (a page that points
 * its own name at this machine), or is not plain HTTP.
 * @param isOwnHost whether a Host header names this service
 * @returns undefined if the request is accepted
 */
export function refusalOf(incoming: IncomingMessage, isOwnHost: (authority: string) => boolean): Refusal | undefined {
  if (!isForUs(incoming, isOwnHost)) {
    const message = 'the Host header must name this machine: 127.0.0.1, localhost, [::1], or a name given with --host';
    return { status: 421, message };
  }
  const { method = '', url = '' } = incoming;
  if (!METHODS.has(method)) return { status: 501, message: 'this method is not known' };
  if (url.charCodeAt(0) !== SLASH || url.charCodeAt(1) === SLASH) {
    return { status: 400, message: 'the request target must be a path that starts with one "/"' };
  }
  return undefined;
}

/** Says whether a body follows, which may turn out to be empty. */
const hasBody = (incoming: IncomingMessage): boolean =>
  incoming.headers['transfer-encoding'] !== undefined || Number(incoming.headers['content-length'] ?? 0) > 0;

/** The body's bytes. The rest is left unread when the reader stops early, so that the answer can still be sent. */
const bodyOf = (incoming: IncomingMessage): Body => ({
  [Symbol.asyncIterator]: () => incoming.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Uint8Array>,
});

/** A request in the form that the service takes. */
class ReceivedRequest implements HttpRequest {
  readonly method: Method;
  readonly url: string;
  readonly headers: Headers;
  readonly body: Body | undefined;
  readonly #outgoing: ServerResponse;
  #signal: AbortSignal | undefined;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    this.method = incoming.method as Method;
    const scheme = 'encrypted' in incoming.socket ? 'https' : 'http';
    this.url = `${scheme}://${incoming.headers.host}${incoming.url}`;
    // node has joined repeated headers; only set-cookie, which no request has, would be a list
    this.headers = incoming.headers as Headers;
    this.body = hasBody(incoming) ? bodyOf(incoming) : undefined;
    this.#outgoing = outgoing;
  }

  /** Aborted when the caller goes away before it was answered. Made only for who asks: it costs more than all the rest. */
  get signal(): AbortSignal {
    this.#signal ??= signalOf(this.#outgoing);
    return this.#signal;
  }
}

function signalOf(outgoing: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const abort = (): void => {
    if (!outgoing.writableFinished) gone.abort();
  };
  if (outgoing.closed) abort();
  else outgoing.once('close', abort);
  return gone.signal;
}

/** The request in the form that the service takes. */
export const requestOf = (incoming: IncomingMessage, outgoing: ServerResponse): HttpRequest =>
  new ReceivedRequest(incoming, outgoing);
