/** Sends requests over the network with undici, which is loaded with the first request. */
import type { Dispatcher } from 'undici';
import { EduError } from '../../core/errors.js';
import type { Headers, HttpRequest, HttpResponse, Send } from '../../core/http.js';
import type { Env } from '../../core/io.js';
import { isSafeForToken, plainHttpHint } from '../../core/loopback.js';
import { getOrSet } from '../../core/maps.js';
import { resetFlags, setFlag } from '../../core/v8-flags.js';
import { NoResponse } from '../request/no-response.js';
import { Exchange } from './exchange.js';
import { explain } from './explain.js';
import { skippingInterim } from './interim.js';

/** Max time for connecting, including TLS. */
const MAX_CONNECT_MS = 10_000;

/** Sends requests and owns their connections. */
export interface Transport {
  readonly send: Send;
  /** Closes all connections immediately, so that the process can exit. */
  close(): Promise<void>;
}

/** How a service is verified. */
export interface Trust {
  readonly env: Env;
  /** `--insecure`: certificates are not verified. */
  readonly insecure?: boolean | undefined;
  /** `--insecure-http`: hosts that may get a token over http. */
  readonly plainHosts?: readonly string[] | undefined;
}

/** The error if the environment turns verification off, which only a flag may do; undefined if it does not. */
export function unverifiedError({ env, insecure }: Trust): EduError | undefined {
  if (insecure === true || env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return undefined;
  return new EduError(
    'usage',
    'NODE_TLS_REJECT_UNAUTHORIZED=0 turns the verification of certificates off, so that others could read the access token.',
    {
      hint: 'Unset it, and name the authority of the certificate: NODE_EXTRA_CA_CERTS=/path/to/ca.pem edu …. For a test, pass --insecure.',
    },
  );
}

/** The error if the access token would be sent over an unencrypted connection; undefined if it is safe. */
function plainTokenError(url: URL, headers: Headers, plainHosts: Trust['plainHosts']): EduError | undefined {
  if (headers.authorization === undefined || isSafeForToken(url, plainHosts)) return undefined;
  return new EduError('usage', `Refusing to send the access token to ${url.origin}: the connection is not encrypted.`, {
    hint: plainHttpHint(url),
  });
}

/**
 * On Node 20 the exit waits about 80 ms for an optimizing compile of undici's parser, which this flag avoids
 * (docs/decisions). V8 reads it when the parser is created, with the first connection. It is reset then, because V8 would
 * reject the code cache of modules that are loaded later.
 */
const avoidCompile = (): void => setFlag('wasm-tiering-budget', 50_000_000);
const resetCompileFlag = (): void => resetFlags(['wasm-tiering-budget']);

interface Route {
  readonly dispatcher: Dispatcher;
  readonly explain: (error: unknown, sent: boolean) => unknown;
}

export interface NetworkOptions extends Trust {
  /** Max time without a byte of a response, in milliseconds. */
  readonly timeoutMs?: number | undefined;
}

/** Creates a transport that connects with the first request. @param trust also the source of the proxy variables */
export function createNetwork({ timeoutMs = 30_000, ...trust }: NetworkOptions): Transport {
  const { env, insecure, plainHosts } = trust;
  const tls = {
    timeout: Math.min(MAX_CONNECT_MS, timeoutMs),
    ...(insecure === true ? { rejectUnauthorized: false } : {}),
  };
  /** By origin. Concurrent requests share one route. */
  const routes = new Map<string, Promise<Route>>();

  async function open(url: URL): Promise<Route> {
    const { proxyFor } = await import('./proxy-rules.js');
    const proxy = proxyFor(url, env, plainHosts);
    if (proxy !== undefined) {
      const { explainThrough, openProxy } = await import('./proxy.js');
      const dispatcher = openProxy(proxy, url.protocol, tls);
      avoidCompile();
      return { dispatcher, explain: explainThrough(proxy, url.origin) };
    }
    const { buildConnector, Pool } = await import('undici');
    const connect = skippingInterim(buildConnector(tls));
    const dispatcher = new Pool(url.origin, { connect });
    avoidCompile();
    return { dispatcher, explain: (error, sent) => explain(error, url.origin, sent) };
  }

  function sendOver(route: Route, { origin, pathname, search }: URL, request: HttpRequest): Promise<HttpResponse> {
    const { method, headers, body, signal } = request;
    if (signal?.aborted) return Promise.reject(new NoResponse('the request was cancelled', { sent: false }));
    const exchange = new Exchange({ signal, explain: route.explain, onStart: resetCompileFlag });
    route.dispatcher.dispatch(
      {
        origin,
        path: pathname + search,
        method,
        headers,
        // undici accepts any iterable, although its types do not.
        body: (body ?? null) as Exclude<Dispatcher.DispatchOptions['body'], undefined>,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      },
      exchange,
    );
    return exchange.answer;
  }

  return {
    async send(request) {
      const url = new URL(request.url);
      const unsafe =
        plainTokenError(url, request.headers, plainHosts) ??
        (url.protocol === 'https:' ? unverifiedError(trust) : undefined);
      if (unsafe !== undefined) throw unsafe;
      return sendOver(await getOrSet(routes, url.origin, () => open(url)), url, request);
    },
    async close() {
      const opened = await Promise.allSettled(routes.values());
      routes.clear();
      await Promise.all(
        opened.map((route) => (route.status === 'fulfilled' ? route.value.dispatcher.destroy() : undefined)),
      );
    },
  };
}
