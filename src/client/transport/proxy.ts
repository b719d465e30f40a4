/** Connects through a proxy with undici; loaded only if the environment names one. */
import { type buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { decodePercent } from '../../core/http.js';
import { NoResponse } from '../request/no-response.js';
import { explain, isTlsError } from './explain.js';
import { skippingInterim } from './interim.js';
import type { ProxyRoute } from './proxy-rules.js';

/** A proxy in a message, without user name and password. */
const proxyName = ({ url, from }: ProxyRoute): string => `the proxy ${url.origin} (${from})`;

/** Credentials for the proxy (RFC 7617), also with only a name or a password, which undici would omit. */
function credentials({ username, password }: URL): { token?: string } {
  if (username === '' && password === '') return {};
  return { token: `Basic ${Buffer.from(`${decodePercent(username)}:${decodePercent(password)}`).toString('base64')}` };
}

/**
 * Wraps a connector of undici so that a tunnel closed by the proxy fails the request. undici takes that code for a lost
 * idle connection and would connect again at once, without a pause or an end.
 */
function failingWhenClosed(connect: buildConnector.connector): buildConnector.connector {
  return (options, done) =>
    connect(options, (...[error, socket]) => {
      if (error === null) return done(null, socket);
      const isClosed = (error as NodeJS.ErrnoException).code === 'UND_ERR_SOCKET';
      done(isClosed ? new Error('the proxy closed the tunnel', { cause: error }) : error, null);
    });
}

/**
 * A dispatcher through a proxy: by a tunnel for https, by forwarding for http.
 * @param protocol the protocol of the requests
 * @param tls options of connections to the proxy and through it
 */
export function openProxy(proxy: ProxyRoute, protocol: string, tls: buildConnector.BuildOptions): Dispatcher {
  return new ProxyAgent({
    uri: proxy.url.origin,
    ...credentials(proxy.url),
    proxyTunnel: protocol === 'https:',
    requestTls: tls,
    proxyTls: tls,
    factory: (origin, options: Pool.Options) =>
      new Pool(origin, {
        ...options,
        ...(typeof options.connect === 'function'
          ? { connect: skippingInterim(failingWhenClosed(options.connect)) }
          : {}),
      }),
  });
}

const checkProxy = ({ from }: ProxyRoute): string => `Check ${from}, or name the service's host in NO_PROXY.`;

/** The error if the proxy itself rejected the connection; undefined for other errors. */
function refusalOf(error: unknown, proxy: ProxyRoute): NoResponse | undefined {
  const text = error instanceof Error ? error.message : '';
  const status =
    /Proxy response \((\d{3})\)/.exec(text)?.[1] ??
    (text === 'Proxy Authentication Required (407)' ? '407' : undefined);
  if (status === undefined) return undefined;
  return new NoResponse(`${proxyName(proxy)} refused to connect (${status})`, {
    // A forwarding proxy rejects a request after it was sent, but the service has not received it.
    sent: false,
    // Proxies answer 502, 503 and 504 while they cannot reach the service.
    again: status.startsWith('5'),
    hint:
      status === '407'
        ? `The proxy needs a user name and password: write USER:PASSWORD@ before the host in ${proxy.from}.`
        : checkProxy(proxy),
    cause: error,
  });
}

/**
 * Returns a function that converts errors of a connection through a proxy; before a byte is sent, they are the proxy's.
 * @param origin the target of the requests
 */
export function explainThrough(proxy: ProxyRoute, origin: string): (error: unknown, sent: boolean) => unknown {
  return (error, sent) => {
    const refusal = refusalOf(error, proxy);
    if (refusal !== undefined) return refusal;
    if (sent) return explain(error, origin, sent);
    // TLS inside a tunnel is that of the service, or of a proxy that intercepts it.
    if (proxy.url.protocol === 'http:' && isTlsError(error))
      return explain(error, `${origin}, through ${proxyName(proxy)},`, sent);
    const explained = explain(error, proxyName(proxy), sent);
    if (!(explained instanceof NoResponse)) return explained;
    const { message, again, timedOut, isInvalid } = explained;
    return new NoResponse(message, { sent, again, timedOut, isInvalid, hint: checkProxy(proxy), cause: error });
  };
}
