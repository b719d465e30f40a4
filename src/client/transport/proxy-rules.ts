/**
 * The proxy of a request, from HTTPS_PROXY, HTTP_PROXY and NO_PROXY. undici's EnvHttpProxyAgent does not suffice: it
 * sends requests for loopback addresses through the proxy, accepts IPv6 addresses in NO_PROXY only in brackets, and does not
 * report which variable named the proxy, which our errors name.
 */
import { usageError } from '../../core/errors.js';
import type { Env } from '../../core/io.js';
import { isLoopback } from '../../core/loopback.js';

export interface ProxyRoute {
  /** May hold a user name and password. */
  readonly url: URL;
  /** The variable that names it. */
  readonly from: string;
}

/** The small letters win, as they do for curl. */
const variable = (env: Env, name: string): { from: string; value: string } | undefined => {
  const small = name.toLowerCase();
  const from = env[small] ? small : name;
  const value = env[from]?.trim();
  return value ? { from, value } : undefined;
};

/** True when any proxy is named. */
export const namesProxy = (env: Env): boolean =>
  variable(env, 'HTTPS_PROXY') !== undefined || variable(env, 'HTTP_PROXY') !== undefined;

const DEFAULT_PORT: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** An entry of NO_PROXY: `host`, `.host`, `*.host`, `host:port`, `[ipv6]:port`, or an IPv6 address without brackets. */
function entryOf(text: string): { name: string; port: string | undefined } {
  const isBare = text.split(':').length > 2 && !text.startsWith('[');
  const [, host = text, port] = isBare ? [] : (/^(.*?)(?::(\d+))?$/.exec(text) ?? []);
  const name = host.replace(/^\[|\]$/g, '').replace(/^\*?\./, '');
  return { name: name.toLowerCase(), port };
}

/** Whether NO_PROXY excludes a URL: `*`, or host names with everything under them. */
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

/** A proxy's address; a scheme that is missing is http. */
function proxyUrl({ from, value }: { from: string; value: string }): URL {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    // The value is not repeated: it may hold a password.
    throw usageError(`${from} is not the address of a proxy`, 'Give http://HOST:PORT or https://HOST:PORT.');
  }
  return url;
}

/**
 * The proxy for a URL, or undefined when the request goes straight. This machine's own addresses mean another machine to
 * a proxy elsewhere, and what goes there is not encrypted: they are only ever sent to a proxy that is this machine too.
 * @throws a usage error for an address that is none
 */
export function proxyFor(url: URL, env: Env): ProxyRoute | undefined {
  const named = variable(env, url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  if (named === undefined || isExcluded(url, variable(env, 'NO_PROXY')?.value ?? '')) return undefined;
  const proxy = { url: proxyUrl(named), from: named.from };
  return isLoopback(url.hostname) && !isLoopback(proxy.url.hostname) ? undefined : proxy;
}
