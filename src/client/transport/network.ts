/** Sends requests over the network with undici, which is loaded with the first request. */
import type { Dispatcher } from 'undici';
import { EduError } from '../../core/errors.js';
import type { Headers, HttpRequest, HttpResponse, Send } from '../../core/http.js';
import type { Env } from '../../core/io.js';
import { isLoopback } from '../../core/loopback.js';
import { resetFlags, setFlag } from '../../core/v8-flags.js';
import { NoAnswer } from '../request/no-response.js';
import { Exchange } from './exchange.js';
import { explain } from './explain.js';
import { passingOver } from './interim.js';

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
  throw new EduError('usage', `Refusing to send the access token to ${url.origin}: the connection is not encrypted`, {
    hint: 'Use https. Plain http is allowed for this machine only (127.0.0.1, localhost, [::1]).',
  });
}

/**
 * On Node 20 the exit waits some 80 ms for an optimised compile of undici's parser, which is not needed (docs/decisions). V8
 * looks at the flag when the parser is made, with the first connection; it is as usual again before more of the program
 * is loaded, whose compiled code would not be taken otherwise.
 */
const spareCompile = (): void => setFlag('wasm-tiering-budget', 50_000_000);
const parserIsMade = (): void => resetFlags(['wasm-tiering-budget']);

/** An address taken apart, which costs more than all else here. */
interface Address {
  readonly text: string;
  readonly url: URL;
  readonly origin: string;
  readonly path: string;
}

function addressOf(text: string): Address {
  const url = new URL(text);
  return { text, url, origin: url.origin, path: url.pathname + url.search };
}

/** Connections to one origin. */
interface Route {
  readonly dispatcher: Dispatcher;
  readonly explain: (error: unknown, sent: boolean) => unknown;
}

/** Creates a transport over the network; it connects with the first request. */
export function createNetwork({ timeouts, env }: NetworkOptions): Transport {
  const routes = new Map<string, Route>();
  const opening = new Map<string, Promise<Route>>();
  /** The address of the last request: that of all creates of a bulk job. */
  let last: Address | undefined;

  async function open(url: URL): Promise<Route> {
    const { namesProxy, proxyFor } = await import('./proxy-rules.js');
    const proxy = namesProxy(env) ? proxyFor(url, env) : undefined;
    if (proxy !== undefined) {
      const { explainThrough, openProxy } = await import('./proxy.js');
      const dispatcher = openProxy(proxy, url.protocol, timeouts.connect);
      spareCompile();
      return { dispatcher, explain: explainThrough(proxy, url.origin) };
    }
    const { buildConnector, Pool } = await import('undici');
    const connect = passingOver(buildConnector({ timeout: timeouts.connect }));
    const dispatcher = new Pool(url.origin, { connect });
    spareCompile();
    return { dispatcher, explain: (error, sent) => explain(error, url.origin, sent) };
  }

  /** Requests at the same time share one route. */
  async function openOnce(url: URL): Promise<Route> {
    const begun = opening.get(url.origin) ?? open(url);
    opening.set(url.origin, begun);
    const route = await begun;
    routes.set(url.origin, route);
    return route;
  }

  async function send(request: HttpRequest): Promise<HttpResponse> {
    if (request.url !== last?.text) last = addressOf(request.url);
    const { url, origin, path } = last;
    refusePlainToken(url, request.headers);
    const route = routes.get(origin) ?? (await openOnce(url));
    const { method, headers, body, signal } = request;
    if (signal?.aborted) throw new NoAnswer('the request was cancelled', { sent: false });
    const exchange = new Exchange({ signal, explain: route.explain, onStart: parserIsMade });
    route.dispatcher.dispatch(
      {
        origin,
        path,
        method,
        headers,
        // undici takes any iterable, although its types do not allow it.
        body: (body ?? null) as Exclude<Dispatcher.DispatchOptions['body'], undefined>,
        headersTimeout: timeouts.firstByte,
        bodyTimeout: timeouts.silence,
      },
      exchange,
    );
    return exchange.answer;
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
