/** Serves any `Send` over HTTP on addresses of this machine. */
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpRequest, HttpResponse, Send } from '../../core/http.js';
import { ConnectionReset } from './broken.js';
import type { Cors } from './cors.js';
import { hostsOf, inAddress } from './host-header.js';
import { rejectionOf, requestOf } from './incoming.js';
import { breakConnection, sendResponse } from './outgoing.js';
import { maskedPath, type RequestLine } from './request-log.js';

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
  readonly ipv6?: boolean | undefined;
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
    return options.cors?.preflight(request) ?? (await send(request));
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
      ...(rejection ? {} : options.cors?.headersFor(request)),
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

const STATUS_LINES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Responds to invalid or too slow HTTP, and closes the connection. */
function answerBadHttp(error: NodeJS.ErrnoException, socket: NodeJS.WritableStream & { destroy(): void }): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = STATUS_LINES[error.code ?? ''] ?? '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
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
  const [http, https] = await Promise.all([import('node:http'), tls && import('node:https')]);
  const state: ServerState = { send, isOwnHost: isOwn, options, stopping: false };
  const servers: Server[] = [];
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse) => void handle(state, incoming, outgoing);
  const open = async (host: string, port: number): Promise<number> => {
    const server =
      https === undefined
        ? http.createServer(TIMEOUTS, onRequest)
        : https.createServer({ ...TIMEOUTS, ...tls }, onRequest);
    server.timeout = IDLE_TIMEOUT_MS;
    server.on('clientError', answerBadHttp);
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
    for (const address of options.ipv6 ? [...addresses, '::1'] : addresses) port = await open(address, port);
  } catch (error) {
    await stop(0);
    throw error;
  }
  const origin = `${tls === undefined ? 'http' : 'https'}://${inAddress(primary)}:${port}`;
  return { port, origin, stop };
}
