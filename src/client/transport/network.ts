/** Sends requests over the network with undici, which is loaded with the first request. */
import type { Dispatcher } from 'undici';
import { EduError } from '../../core/errors.js';
import type { Headers, HttpRequest, HttpResponse, Send } from '../../core/http.js';
import type { Env } from '../../core/io.js';
import { isLoopback } from '../../core/loopback.js';
import { resetFlags, setFlag } from '../../core/v8-flags.js';
import { NoResponse } from '../request/no-response.js';
import { Exchange } from './exchange.js';
import { explain } from './explain.js';
import { skippingContinue } from './interim.js';

/** Limits of a connection, in milliseconds. */
export interface NetworkTimeouts {
  /** For connecting, including TLS. */
  readonly connect: number;
  /** From the request's last byte to the response's headers. */
  readonly firstByte: number;
  /** Between two chunks of a body. */
  readonly silence: number;
}

/** Sends requests and owns their connections. */
export interface Transport {
  readonly send: Send;
  /** Closes all connections immediately, so that the process can exit. */
  close(): Promise<void>;
}

/** The error if the access token would be sent over an unencrypted connection; undefined if it is safe. */
function plainTokenError({ isSafe, origin }: Address, headers: Headers): EduError | undefined {
  if (isSafe || headers.authorization === undefined) return undefined;
  return new EduError('usage', `Refusing to send the access token to ${origin}: the connection is not encrypted.`, {
    hint: 'Use https. Plain http is allowed for this machine only (127.0.0.1, localhost, [::1]).',
  });
}

/**
 * On Node 20 the exit waits about 80 ms for an optimizing compile of undici's parser, which this flag avoids
 * (docs/decisions). V8 reads it when the parser is created, with the first connection. It is reset then, because V8 would
 * reject the code cache of modules that are loaded later.
 */
const avoidCompile = (): void => setFlag('wasm-tiering-budget', 50_000_000);
const resetCompileFlag = (): void => resetFlags(['wasm-tiering-budget']);

/** A parsed address; parsing costs more than all else here. */
interface Address {
  readonly text: string;
  readonly url: URL;
  readonly origin: string;
  readonly path: string;
  /** Encrypted, or a loopback address. */
  readonly isSafe: boolean;
}

/** A path and query that URL parsers leave unchanged: without dots, fragment and characters to encode. */
const PLAIN_PATH = /^\/(?:[\w/?&=~-]|%(?!2e))*$/i;

/** @param last address of the last request. If only the path differs, the URL is not parsed again, which saves 2 % of a list */
function addressOf(text: string, last: Address | undefined): Address {
  if (last !== undefined && text.startsWith(last.origin)) {
    const path = text.slice(last.origin.length);
    if (PLAIN_PATH.test(path)) return { ...last, text, path };
  }
  const url = new URL(text);
  const isSafe = url.protocol !== 'http:' || isLoopback(url.hostname);
  return { text, url, origin: url.origin, path: url.pathname + url.search, isSafe };
}

interface Route {
  readonly dispatcher: Dispatcher;
  readonly explain: (error: unknown, sent: boolean) => unknown;
}

/** Creates a transport that connects with the first request. @param env source of the proxy variables */
export function createNetwork({ timeouts, env }: { readonly timeouts: NetworkTimeouts; readonly env: Env }): Transport {
  const routes = new Map<string, Route>();
  const opening = new Map<string, Promise<Route>>();
  /** The address of the last request, which all creates of a bulk job share. */
  let last: Address | undefined;

  async function open(url: URL): Promise<Route> {
    const { proxyFor } = await import('./proxy-rules.js');
    const proxy = proxyFor(url, env);
    if (proxy !== undefined) {
      const { explainThrough, openProxy } = await import('./proxy.js');
      const dispatcher = openProxy(proxy, url.protocol, timeouts.connect);
      avoidCompile();
      return { dispatcher, explain: explainThrough(proxy, url.origin) };
    }
    const { buildConnector, Pool } = await import('undici');
    const connect = skippingContinue(buildConnector({ timeout: timeouts.connect }));
    const dispatcher = new Pool(url.origin, { connect });
    avoidCompile();
    return { dispatcher, explain: (error, sent) => explain(error, url.origin, sent) };
  }

  /** Concurrent requests share one route. */
  async function openOnce(url: URL): Promise<Route> {
    const begun = opening.get(url.origin) ?? open(url);
    opening.set(url.origin, begun);
    const route = await begun;
    routes.set(url.origin, route);
    return route;
  }

  function sendOver(route: Route, { origin, path }: Address, request: HttpRequest): Promise<HttpResponse> {
    const { method, headers, body, signal } = request;
    if (signal?.aborted) return Promise.reject(new NoResponse('the request was cancelled', { sent: false }));
    const exchange = new Exchange({ signal, explain: route.explain, onStart: resetCompileFlag });
    route.dispatcher.dispatch(
      {
        origin,
        path,
        method,
        headers,
        // undici accepts any iterable, although its types do not.
        body: (body ?? null) as Exclude<Dispatcher.DispatchOptions['body'], undefined>,
        headersTimeout: timeouts.firstByte,
        bodyTimeout: timeouts.silence,
      },
      exchange,
    );
    return exchange.answer;
  }

  return {
    send(request) {
      if (request.url !== last?.text) last = addressOf(request.url, last);
      const address = last;
      const unsafe = plainTokenError(address, request.headers);
      if (unsafe !== undefined) return Promise.reject(unsafe);
      const route = routes.get(address.origin);
      return route === undefined
        ? openOnce(address.url).then((opened) => sendOver(opened, address, request))
        : sendOver(route, address, request);
    },
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
