/** Connects through a proxy with undici; loaded only if the environment names one. */
import { type Dispatcher, Pool, ProxyAgent } from 'undici';
import { NoAnswer } from '../request/no-response.js';
import { explain } from './explain.js';
import { passingOver } from './interim.js';
import type { ProxyRoute } from './proxy-rules.js';

/** A proxy in a message: without user name and password. */
const proxyName = ({ url, from }: ProxyRoute): string => `the proxy ${url.origin} (${from})`;

/** A name or password as it stands in an address; a lone percent sign is itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What tells the proxy who asks (RFC 7617). A name or a password may stand alone, which undici would leave out. */
function credentials({ username, password }: URL): { token?: string } {
  if (username === '' && password === '') return {};
  return { token: `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')}` };
}

/**
 * A dispatcher that goes through a proxy: by a tunnel for https, by asking the proxy for plain http.
 * @param protocol that of the requests
 * @param connectTimeout in milliseconds
 */
export function openProxy(proxy: ProxyRoute, protocol: string, connectTimeout: number): Dispatcher {
  return new ProxyAgent({
    uri: proxy.url.origin,
    ...credentials(proxy.url),
    proxyTunnel: protocol === 'https:',
    requestTls: { timeout: connectTimeout },
    proxyTls: { timeout: connectTimeout },
    factory: (origin, options: Pool.Options) =>
      new Pool(origin, {
        ...options,
        ...(typeof options.connect === 'function' ? { connect: passingOver(options.connect) } : {}),
      }),
  });
}

/** What a proxy's own refusal means, or undefined when the error is another. */
function refusalOf(error: unknown, proxy: ProxyRoute): { message: string; hint: string } | undefined {
  const text = error instanceof Error ? error.message : '';
  const status =
    /Proxy response \((\d{3})\)/.exec(text)?.[1] ??
    (text === 'Proxy Authentication Required (407)' ? '407' : undefined);
  if (status === undefined) return undefined;
  return {
    message: `${proxyName(proxy)} refused to connect (${status})`,
    hint:
      status === '407'
        ? `The proxy needs a user name and password: write USER:PASSWORD@ before the host in ${proxy.from}.`
        : `Check ${proxy.from}, or name the service's host in NO_PROXY.`,
  };
}

/**
 * What errors of a connection through a proxy mean: before a byte has left, they are the proxy's.
 * @param origin where requests are meant to go
 */
export function explainThrough(proxy: ProxyRoute, origin: string): (error: unknown, sent: boolean) => unknown {
  return (error, sent) => {
    // A proxy that is asked for plain http refuses when the request is with it: the service has seen nothing of it.
    const refusal = refusalOf(error, proxy);
    if (refusal !== undefined) {
      return new NoAnswer(refusal.message, { sent: false, again: false, hint: refusal.hint, cause: error });
    }
    if (sent) return explain(error, origin, sent);
    const explained = explain(error, proxyName(proxy), sent);
    if (!(explained instanceof NoAnswer)) return explained;
    const { message, again, timedOut, nonsense } = explained;
    const hint = `Check ${proxy.from}, or name the service's host in NO_PROXY.`;
    return new NoAnswer(message, { sent, again, timedOut, nonsense, hint, cause: error });
  };
}
