/** Connections through a proxy, by undici. Loaded only where the environment names one. */
import { type Dispatcher, ProxyAgent } from 'undici';
import { watched } from './departure.js';
import type { ProxyRoute } from './proxy-rules.js';

class WatchedProxyAgent extends ProxyAgent {
  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    return super.dispatch(options, watched(options, handler));
  }
}

/** A proxy in a message: without user name and password. */
export const proxyName = ({ url, from }: ProxyRoute): string => `the proxy ${url.origin} (${from})`;

/**
 * A dispatcher that goes through a proxy: by a tunnel for https, by asking the proxy for plain http.
 * @param protocol that of the requests
 * @param limits in milliseconds
 */
export function openProxy(
  proxy: ProxyRoute,
  protocol: string,
  limits: { readonly connectTimeout: number },
): Dispatcher {
  return new WatchedProxyAgent({
    uri: proxy.url.href,
    proxyTunnel: protocol === 'https:',
    requestTls: { timeout: limits.connectTimeout },
    proxyTls: { timeout: limits.connectTimeout },
  });
}

/** What a proxy's own refusal means, or undefined when the error is another. */
export function proxyRefusal(error: unknown, proxy: ProxyRoute): { message: string; hint: string } | undefined {
  const text = error instanceof Error ? error.message : '';
  const status = /Proxy response \((\d{3})\)/.exec(text)?.[1] ?? (text.includes('(407)') ? '407' : undefined);
  if (status === undefined) return undefined;
  return {
    message: `${proxyName(proxy)} refused to connect (${status})`,
    hint:
      status === '407'
        ? `It wants a user name and password: put them before the host in ${proxy.from}, parted by a colon and followed by @.`
        : `Check ${proxy.from}, or name the service's host in NO_PROXY.`,
  };
}
