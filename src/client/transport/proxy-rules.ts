/**
 * The proxy of a request, from HTTPS_PROXY, HTTP_PROXY and NO_PROXY. undici's EnvHttpProxyAgent does not suffice: it
 * sends requests for loopback addresses through the proxy, accepts IPv6 addresses in NO_PROXY only in brackets, and does
 * not report which variable names the proxy, which errors of `edu` include.
 */
import { usageError } from '../../core/errors.js';
import type { Env } from '../../core/io.js';
import { isLoopback } from '../../core/loopback.js';

export interface ProxyRoute {
  /** May contain a user name and password. */
  readonly url: URL;
  /** Name of the variable. */
  readonly from: string;
}

/** The lower-case name takes precedence, as in curl. */
const variable = (env: Env, name: string): { from: string; value: string } | undefined => {
  const lower = name.toLowerCase();
  const from = env[lower] ? lower : name;
  const value = env[from]?.trim();
  return value ? { from, value } : undefined;
};

const DEFAULT_PORT: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** An entry of NO_PROXY: `host`, `.host`, `*.host`, `host:port`, `[ipv6]:port`, or an IPv6 address without brackets. */
function entryOf(text: string): { name: string; port: string | undefined } {
  const isBare = text.split(':').length > 2 && !text.startsWith('[');
  const [, host = text, port] = isBare ? [] : (/^(.*?)(?::(\d+))?$/.exec(text) ?? []);
  const name = host.replace(/^\[|\]$/g, '').replace(/^\*?\./, '');
  return { name: name.toLowerCase(), port };
}

/** True if NO_PROXY excludes a URL: `*`, or host names with everything under them. */
function isExcluded(url: URL, list: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const own = url.port || DEFAULT_PORT[url.protocol];
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const { name, port } = entryOf(entry);
      if (name === '' || (port !== undefined && port !== own)) return false;
      return host === name || host.endsWith(`.${name}`);
    });
}

/** The address of a proxy; the default scheme is http. */
function proxyUrl({ from, value }: { from: string; value: string }): URL {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    // The value is not shown because it may contain a password.
    throw usageError(`${from} is not the address of a proxy.`, 'Give http://HOST:PORT or https://HOST:PORT.');
  }
  return url;
}

/**
 * The proxy for a URL; undefined for a direct connection. Requests to loopback addresses use only a proxy on a loopback
 * address, because another machine's proxy would connect to itself, and the request is not encrypted. Neither is that to
 * a host of `plainHosts`, which may get a token: the proxy may not.
 * @throws a usage error for an invalid proxy address
 */
export function proxyFor(url: URL, env: Env, plainHosts: readonly string[] = []): ProxyRoute | undefined {
  const named = variable(env, url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  if (named === undefined || isExcluded(url, variable(env, 'NO_PROXY')?.value ?? '')) return undefined;
  const proxy = { url: proxyUrl(named), from: named.from };
  const isDirect = isLoopback(url.hostname) || (url.protocol === 'http:' && plainHosts.includes(url.hostname));
  return isDirect && !isLoopback(proxy.url.hostname) ? undefined : proxy;
}
