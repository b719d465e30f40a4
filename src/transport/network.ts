/**
 * Requests over the network, by undici: the only file that imports it for direct connections, at the first request. It
 * knows connections and their limits of time; retries, answers and tokens are others' business.
 */
import type { Dispatcher } from 'undici';
import { NoAnswer } from '../client/no-answer.js';
import { EduError } from '../errors.js';
import type { Headers, HttpRequest, HttpResponse, Send } from '../http.js';
import type { Env } from '../io.js';
import { isLoopback } from '../loopback.js';
import { Departure, watched } from './departure.js';
import { explain } from './explain.js';
import type { ProxyRoute } from './proxy-rules.js';

/** Limits of a connection, in milliseconds. */
export interface NetworkTimeouts {
  /** Until the connection stands, TLS included. */
  readonly connect: number;
  /** From the request's last byte to the answer's head. */
  readonly firstByte: number;
  /** Between two parts of a body. */
  readonly silence: number;
}

export interface NetworkOptions {
  readonly timeouts: NetworkTimeouts;
  /** For the proxy variables. */
  readonly env: Env;
}

/** Something that sends requests and holds connections. */
export interface Transport {
  readonly send: Send;
  /** Closes all connections at once, so that the process can end. */
  close(): Promise<void>;
}

/** A token on an unencrypted connection can be read by everyone on the way. @throws a usage error */
function refusePlainToken(url: URL, headers: Headers): void {
  if (url.protocol !== 'http:' || headers.authorization === undefined || isLoopback(url.hostname)) return;
  throw new EduError('usage', `The access token is not sent to ${url.origin}: the connection is not encrypted`, {
    hint: 'Use https. Plain http is taken for this machine only (127.0.0.1, localhost, [::1]).',
  });
}

function headersOf(headers: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const flat: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
}

/** Answers up to this many bytes are taken in one piece, which costs less than a stream. */
const SMALL = 256 * 1024;

/** Resolves or rejects as the work does, but rejects at once when the signal is aborted: undici waits for a connection. */
function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined, late: (value: T) => void): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const stop = () => {
      work.then(late, () => {});
      reject(new NoAnswer('the request was given up', { sent: true }));
    };
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

type Undici = typeof import('undici');

async function loadUndici(): Promise<Undici> {
  const undici = await import('undici');
  if (process.versions.node.startsWith('20.')) {
    // On Node 20 the exit waits some 80 ms for a compile of undici's parser that nobody needs (docs/decisions).
    const { setFlagsFromString } = await import('node:v8');
    setFlagsFromString('--wasm-tiering-budget=50000000');
  }
  return undici;
}

/**
 * undici frees a connection one turn of the event loop after the last byte of an answer; a request made before that would
 * open a second one.
 */
const connectionFreed = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The bytes of an answer as they come; a small one in one piece. @throws NoAnswer when it is cut off */
async function* bytesOf(
  answer: Pick<Dispatcher.ResponseData, 'headers' | 'body'>,
  url: URL,
): AsyncGenerator<Uint8Array> {
  const { headers, body } = answer;
  const { 'content-length': length } = headers;
  const isSmall = typeof length === 'string' && Number(length) <= SMALL;
  try {
    if (isSmall) yield await body.bytes();
    else yield* body;
  } catch (error) {
    throw explain(error, url.origin, true);
  }
  await connectionFreed();
}

/** Connections to one origin. */
interface Route {
  readonly request: Undici['request'];
  readonly dispatcher: Dispatcher;
  readonly proxy: ProxyRoute | undefined;
}

/** Makes a transport over the network. It connects to nothing by itself. */
export function createNetwork({ timeouts, env }: NetworkOptions): Transport {
  const routes = new Map<string, Route>();
  const opening = new Map<string, Promise<Route>>();
  let loading: Promise<Undici> | undefined;

  function undici(): Promise<Undici> {
    loading ??= loadUndici();
    return loading;
  }

  async function open(url: URL): Promise<Route> {
    const { Pool, request } = await undici();
    const { namesProxy, proxyFor } = await import('./proxy-rules.js');
    const proxy = namesProxy(env) ? proxyFor(url, env) : undefined;
    const limits = { connectTimeout: timeouts.connect };
    if (proxy !== undefined) {
      const { openProxy } = await import('./proxy.js');
      return { request, dispatcher: openProxy(proxy, url.protocol, limits), proxy };
    }
    class WatchedPool extends Pool {
      override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
        return super.dispatch(options, watched(options, handler));
      }
    }
    return { request, dispatcher: new WatchedPool(url.origin, limits), proxy };
  }

  /** Requests at the same time share one route. */
  async function openOnce(url: URL): Promise<Route> {
    const begun = opening.get(url.origin) ?? open(url);
    opening.set(url.origin, begun);
    const route = await begun;
    routes.set(url.origin, route);
    return route;
  }

  async function failure(error: unknown, url: URL, proxy: ProxyRoute | undefined, sent: boolean): Promise<Error> {
    if (proxy === undefined || sent) return explain(error, url.origin, sent);
    const { proxyName, proxyRefusal } = await import('./proxy.js');
    const refusal = proxyRefusal(error, proxy);
    if (refusal === undefined) {
      const explained = explain(error, proxyName(proxy), sent);
      if (!(explained instanceof NoAnswer)) return explained;
      const { message, again, timedOut, nonsense } = explained;
      const hint = `Check ${proxy.from}, or name the service's host in NO_PROXY.`;
      return new NoAnswer(message, { sent, again, timedOut, nonsense, hint, cause: error });
    }
    return new NoAnswer(refusal.message, { sent, again: false, hint: refusal.hint, cause: error });
  }

  async function send(request: HttpRequest): Promise<HttpResponse> {
    const url = new URL(request.url);
    refusePlainToken(url, request.headers);
    const { request: ask, dispatcher, proxy } = routes.get(url.origin) ?? (await openOnce(url));
    const { method, headers, body, signal } = request;
    const departure = new Departure();
    try {
      const asked = ask(url, {
        dispatcher,
        method,
        headers,
        // undici takes any iterable; its types do not say so.
        body: (body ?? null) as Exclude<Dispatcher.DispatchOptions['body'], undefined>,
        signal: signal ?? null,
        headersTimeout: timeouts.firstByte,
        bodyTimeout: timeouts.silence,
        opaque: departure,
      });
      // A request that has its connection is stopped by undici itself.
      const answer = await (departure.begun ? asked : abortable(asked, signal, (late) => late.body.destroy()));
      return { status: answer.statusCode, headers: headersOf(answer.headers), body: bytesOf(answer, url) };
    } catch (error) {
      if (error instanceof NoAnswer) throw new NoAnswer(error.message, { sent: departure.begun });
      throw await failure(error, url, proxy, departure.begun);
    }
  }

  return {
    send,
    async close() {
      const opened = await Promise.allSettled(opening.values());
      opening.clear();
      routes.clear();
      await Promise.all(
        opened.map((route) => (route.status === 'fulfilled' ? route.value.dispatcher.destroy() : undefined)),
      );
    },
  };
}
