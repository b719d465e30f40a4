/**
 * Serves any `Send` over HTTP on this machine's loopback addresses until it is closed.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpRequest, HttpResponse, Send } from '../../core/http.js';
import { ConnectionReset } from './broken.js';
import type { Cors } from './cors.js';
import { type Refusal, refusalOf, requestOf } from './incoming.js';
import { hostsOf, inAddress } from './loopback.js';
import { breakConnection, sendResponse } from './outgoing.js';
import { harmlessPath, type RequestLine } from './request-log.js';

/** Time for the head of a request, in milliseconds: longer, and someone is holding connections open for fun. */
const HEAD_TIMEOUT = 15_000;
/** Time for a whole request, uploads of 150 MB over a slow line included. */
const REQUEST_TIMEOUT = 300_000;
/** Time for which neither side sends anything, such as a reader that stopped reading. */
const IDLE_TIMEOUT = 120_000;
const KEEP_ALIVE_TIMEOUT = 5_000;

const TIMEOUTS = {
  headersTimeout: HEAD_TIMEOUT,
  requestTimeout: REQUEST_TIMEOUT,
  keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
};

export interface ListenOptions {
  /** 0 lets the system choose a free one. */
  readonly port: number;
  /** Also listen on ::1. */
  readonly ipv6?: boolean | undefined;
  /** Addresses to listen on, and names that requests may be addressed to besides; 127.0.0.1 if left out. */
  readonly hosts?: readonly string[] | undefined;
  /** Certificate and private key, as PEM: HTTPS. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  readonly cors?: Cors | undefined;
  /** What the log shall say of a request besides what happened. */
  readonly noteOn?: ((request: HttpRequest) => string | undefined) | undefined;
  /** Called once per request, after its answer has left. */
  readonly onRequest?: ((line: RequestLine) => void) | undefined;
  /** Called with unexpected errors, for the log. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

export interface Listener {
  readonly port: number;
  /** `http://127.0.0.1:PORT`, or of the first other host. */
  readonly origin: string;
  /**
   * Takes no more connections, lets requests under way finish, closes those that wait for another request.
   * @param grace milliseconds after which connections still open are broken
   */
  stop(grace?: number): Promise<void>;
}

const plain = (status: number, error: string, message: string): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify({ error, message }),
});

/** What is said of an error that escaped from the service: nothing that a stranger could use. */
const INTERNAL = plain(500, 'InternalServerError', 'the service failed; its log says why');

interface Door {
  readonly send: Send;
  readonly isOwnHost: (authority: string) => boolean;
  readonly options: ListenOptions;
  stopping: boolean;
}

async function ask({ send, options }: Door, request: HttpRequest, outgoing: ServerResponse): Promise<HttpResponse> {
  try {
    return options.cors?.preflight(request) ?? (await send(request));
  } catch (error) {
    if (error instanceof ConnectionReset || outgoing.closed) throw error;
    options.onError?.(error);
    return INTERNAL;
  }
}

async function answer(
  door: Door,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  request: HttpRequest,
): Promise<void> {
  const extra: Record<string, string> = door.stopping ? { connection: 'close' } : {};
  if (door.options.cors !== undefined) Object.assign(extra, door.options.cors.headersFor(request));
  await sendResponse(incoming, outgoing, await ask(door, request, outgoing), extra);
  // what is left of an upload that was answered early is read away, so that the answer is not lost in a reset
  if (!incoming.complete) incoming.resume();
}

const refuse = (incoming: IncomingMessage, outgoing: ServerResponse, { status, message }: Refusal): Promise<void> =>
  sendResponse(incoming, outgoing, plain(status, 'Refused', message), { connection: 'close' });

/** Errors of the connection end the loops that wait for it; without a listener they would end the process. */
const ignored = (): void => {};

async function handle(door: Door, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { options } = door;
  const started = performance.now();
  let broken = false;
  incoming.on('error', ignored);
  outgoing.on('error', ignored);
  const refusal = refusalOf(incoming, door.isOwnHost);
  const request = refusal === undefined ? requestOf(incoming, outgoing) : undefined;
  try {
    if (refusal !== undefined) await refuse(incoming, outgoing, refusal);
    else if (request !== undefined) await answer(door, incoming, outgoing, request);
  } catch (error) {
    broken = true;
    if (!(error instanceof ConnectionReset) && !incoming.socket.destroyed) options.onError?.(error);
    breakConnection(incoming, outgoing);
  }
  if (options.onRequest === undefined) return;
  options.onRequest({
    method: incoming.method ?? '',
    path: harmlessPath(incoming.url ?? ''),
    status: broken ? 0 : outgoing.statusCode,
    milliseconds: performance.now() - started,
    note: request && options.noteOn?.(request),
  });
}

/** Answers what is not HTTP, or came too slowly, in the shape of HTTP, and closes. */
function answerBadHttp(error: NodeJS.ErrnoException, socket: NodeJS.WritableStream & { destroy(): void }): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? '408 Request Timeout'
        : '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

const opened = (server: Server, host: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });

const closed = (server: Server, grace: number): Promise<void> =>
  new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), grace);
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    server.closeIdleConnections();
  });

/**
 * Starts to serve.
 * @throws the system's error when a port is not available (`EADDRINUSE`, `EACCES`); nothing is left open then
 */
export async function listen(send: Send, options: ListenOptions): Promise<Listener> {
  const { tls } = options;
  const { addresses, primary, isOwn } = hostsOf(options.hosts);
  const [http, https] = await Promise.all([import('node:http'), tls && import('node:https')]);
  const door: Door = { send, isOwnHost: isOwn, options, stopping: false };
  const servers: Server[] = [];
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse) => void handle(door, incoming, outgoing);
  const open = async (host: string, port: number): Promise<number> => {
    const server =
      https === undefined
        ? http.createServer(TIMEOUTS, onRequest)
        : https.createServer({ ...TIMEOUTS, ...tls }, onRequest);
    server.timeout = IDLE_TIMEOUT;
    server.on('clientError', answerBadHttp);
    const bound = await opened(server, host, port);
    servers.push(server);
    return bound;
  };
  const stop = async (grace = 5_000): Promise<void> => {
    door.stopping = true;
    await Promise.all(servers.map((server) => closed(server, grace)));
  };
  let { port } = options;
  try {
    for (const address of options.ipv6 ? [...addresses, '::1'] : addresses) port = await open(address, port);
  } catch (error) {
    await stop(0);
    throw error;
  }
  return { port, origin: `${tls === undefined ? 'http' : 'https'}://${inAddress(primary)}:${port}`, stop };
}
