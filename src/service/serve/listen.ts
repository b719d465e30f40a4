/** Serves any `Send` over HTTP on addresses of this machine. */

import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import {
  type Body,
  type Headers,
  type HttpRequest,
  type HttpResponse,
  METHODS,
  type Method,
  type Send,
} from '../../core/http.js';
import { isLoopback } from '../../core/loopback.js';
import { ConnectionReset } from './connection-reset.js';
import type { Cors } from './cors.js';
import { badOption } from './option-values.js';
import { maskedPath, type RequestLine } from './request-log.js';

const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** Puts IPv6 addresses in brackets, as URLs require. */
const inAddress = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);

/**
 * Splits `--host` into addresses and names; a wildcard accepts all of this machine. `primary` is for URLs.
 * @throws OptionError for what is neither an address nor a name
 */
function hostsOf(given: readonly string[] = []) {
  const wrong = given.find((host) => isIP(host) === 0 && !(/^[\w.-]+$/.test(host) && URL.canParse(`http://${host}`)));
  if (wrong !== undefined) throw badOption('host', wrong, 'Write an address or a name, without scheme and port: edu.');
  const addresses = given.filter((host) => isIP(host) > 0);
  const names = given.filter((host) => isIP(host) === 0);
  const own = addresses.some(isWildcard)
    ? [...Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address)), hostname()]
    : [];
  const answered = new Set(
    [...given, ...own].filter((host) => !isWildcard(host)).map((host) => inAddress(host).toLowerCase()),
  );
  return {
    addresses: addresses.length > 0 ? addresses : ['127.0.0.1'],
    primary: names[0] ?? addresses.find((host) => !isWildcard(host)) ?? '127.0.0.1',
    /** True if a Host header names a loopback address or one of these hosts, with or without a port. */
    isOwn(authority: string): boolean {
      const host = authority.replace(/:\d{1,5}$/, '').toLowerCase();
      return isLoopback(host) || answered.has(host);
    },
  };
}

/** Rejects requests to another host, which a web page can point at this machine, and what is not plain HTTP. */
function rejectionOf(incoming: IncomingMessage, isOwnHost: (authority: string) => boolean) {
  // Exactly one Host header, because Node itself keeps the first of several.
  const { host = [] } = incoming.headersDistinct;
  if (host.length !== 1 || !isOwnHost(host[0] ?? '')) {
    const message = 'the Host header must name this machine: 127.0.0.1, localhost, [::1], or a name given with --host';
    return { status: 421, message };
  }
  const { method = '', url = '' } = incoming;
  if (!METHODS.some((one) => one === method)) return { status: 501, message: 'this method is not known' };
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

/** Resets the connection if nothing was sent yet, else closes it after the bytes sent: the response is truncated. */
function breakConnection(incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (outgoing.headersSent) setImmediate(() => incoming.socket.destroySoon());
  else incoming.socket.resetAndDestroy();
}

const lengthOf = (body: string | Uint8Array): number =>
  typeof body === 'string' ? Buffer.byteLength(body) : body.length;

/** Resolves after the last byte, or when the client is gone. @throws errors of the body's stream */
async function sendResponse(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  response: HttpResponse,
  extra: Readonly<Record<string, string>>,
): Promise<void> {
  const { status, body } = response;
  const headers: Record<string, string | number> = { ...response.headers, ...extra };
  const bodiless = status === 204 || status === 304;
  if (typeof body === 'string' || body instanceof Uint8Array) {
    if (!bodiless) headers['content-length'] ??= lengthOf(body);
    outgoing.writeHead(status, headers);
    outgoing.end(bodiless || incoming.method === 'HEAD' ? undefined : body);
    return;
  }
  outgoing.writeHead(status, headers);
  if (!bodiless && incoming.method !== 'HEAD') {
    const gone = signalOf(outgoing);
    for await (const chunk of body) {
      if (outgoing.destroyed) return;
      if (!outgoing.write(chunk)) await once(outgoing, 'drain', { signal: gone }).catch(() => {});
    }
  }
  outgoing.end();
}

/** In milliseconds. */
const TIMEOUTS = {
  /** For the head of a request. Prevents clients from holding connections open. */
  headersTimeout: 15_000,
  /** For a whole request, which may upload 150 MB over a slow connection. */
  requestTimeout: 300_000,
  keepAliveTimeout: 5_000,
};
/** Without traffic in either direction, as when a client stops reading. */
const IDLE_TIMEOUT_MS = 120_000;

export interface ListenOptions {
  readonly port: number;
  /** Addresses to listen on, and further host names that requests may use; default 127.0.0.1. */
  readonly hosts?: readonly string[] | undefined;
  /** Certificate and private key in PEM format; serves HTTPS if given. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  readonly cors?: Cors | undefined;
  readonly noteOn?: ((request: HttpRequest) => string | undefined) | undefined;
  readonly onRequest?: ((line: RequestLine) => void) | undefined;
  readonly onError?: ((error: unknown) => void) | undefined;
}

export type Listener = Awaited<ReturnType<typeof listen>>;

const plain = (status: number, error: string, message: string): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify({ error, message }),
});

interface ServerState {
  readonly send: Send;
  readonly isOwnHost: (authority: string) => boolean;
  readonly options: ListenOptions;
  stopping: boolean;
}

async function ask(
  { send, options }: ServerState,
  request: HttpRequest,
  outgoing: ServerResponse,
): Promise<HttpResponse> {
  try {
    return options.cors?.(request).preflight ?? (await send(request));
  } catch (error) {
    if (error instanceof ConnectionReset || outgoing.closed) throw error;
    options.onError?.(error);
    // Reveals nothing about the error, which is in the log.
    return plain(500, 'InternalServerError', 'the service failed; its log says why');
  }
}

/** Connection errors reach the code that reads or writes; without a listener they would end the process. */
const ignored = (): void => {};

async function handle(state: ServerState, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { options } = state;
  const started = performance.now();
  let broken = false;
  incoming.on('error', ignored);
  outgoing.on('error', ignored);
  const request = requestOf(incoming, outgoing);
  try {
    const rejection = rejectionOf(incoming, state.isOwnHost);
    const response = rejection
      ? plain(rejection.status, 'Refused', rejection.message)
      : await ask(state, request, outgoing);
    await sendResponse(incoming, outgoing, response, {
      ...(rejection ? {} : options.cors?.(request).headers),
      ...(rejection || state.stopping ? { connection: 'close' } : {}),
    });
    // Reads the rest of an upload that was answered early: closing the connection now could lose the response.
    if (!incoming.complete) incoming.resume();
  } catch (error) {
    broken = true;
    if (!(error instanceof ConnectionReset) && !incoming.socket.destroyed) options.onError?.(error);
    breakConnection(incoming, outgoing);
  }
  options.onRequest?.({
    method: incoming.method ?? '',
    path: maskedPath(incoming.url ?? ''),
    status: broken ? 0 : outgoing.statusCode,
    milliseconds: performance.now() - started,
    note: options.noteOn?.(request),
  });
}

const closed = (server: Server, grace: number): Promise<void> =>
  new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), grace);
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    server.closeIdleConnections();
  });

/** @throws the system's error when a port is not available (`EADDRINUSE`, `EACCES`), after closing all servers */
export async function listen(send: Send, options: ListenOptions) {
  const { tls } = options;
  const { addresses, primary, isOwn } = hostsOf(options.hosts);
  const { createServer }: Pick<typeof import('node:http'), 'createServer'> =
    tls === undefined ? await import('node:http') : await import('node:https');
  // Lists, because an empty text would count as not given, and no client could connect.
  const serverOptions = { ...TIMEOUTS, ...(tls && { cert: [tls.cert], key: [tls.key] }) };
  const state: ServerState = { send, isOwnHost: isOwn, options, stopping: false };
  const servers: Server[] = [];
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse) => void handle(state, incoming, outgoing);
  const open = async (host: string, port: number): Promise<number> => {
    const server: Server = createServer(serverOptions, onRequest);
    server.timeout = IDLE_TIMEOUT_MS;
    server.listen({ host, port });
    await once(server, 'listening');
    servers.push(server);
    return (server.address() as AddressInfo).port;
  };
  /** Waits for running requests. @param grace milliseconds after which open connections are broken */
  const stop = async (grace = 5_000): Promise<void> => {
    state.stopping = true;
    await Promise.all(servers.map((server) => closed(server, grace)));
  };
  let { port } = options;
  try {
    for (const address of addresses) port = await open(address, port);
  } catch (error) {
    await stop(0);
    throw error;
  }
  const origin = `${tls === undefined ? 'http' : 'https'}://${inAddress(primary)}:${port}`;
  return { port, origin, stop };
}
