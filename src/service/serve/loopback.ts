/** Checks Host headers against known names. A web page can point a name of its own at this machine (DNS rebinding). */
import { isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';

const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i;

/** Returns true if a Host header (or the authority of an address) names this machine's loopback, with or without a port. */
export const isLoopbackAuthority = (authority: string): boolean => LOOPBACK.test(authority);

const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** As it stands in an address: IPv6 in brackets. */
export const inAddress = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);

/** What hosts were asked for: where to listen, what may be asked for, and the name that answers carry. */
export interface Hosts {
  readonly addresses: readonly string[];
  readonly primary: string;
  readonly isOwn: (authority: string) => boolean;
}

/**
 * Addresses are listened on, names are answered to. On a wildcard address all addresses of this machine, and its name,
 * are answered to.
 */
export function hostsOf(given: readonly string[] = []): Hosts {
  const addresses = given.filter((host) => isIP(host) > 0);
  const names = given.filter((host) => isIP(host) === 0);
  const own = addresses.some(isWildcard)
    ? [...Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address)), hostname()]
    : [];
  const answered = new Set(
    [...given, ...own].filter((host) => !isWildcard(host)).map((host) => inAddress(host).toLowerCase()),
  );
  const withoutPort = (authority: string): string => authority.replace(/:\d{1,5}$/, '').toLowerCase();
  return {
    addresses: addresses.length > 0 ? addresses : ['127.0.0.1'],
    primary: names[0] ?? addresses.find((host) => !isWildcard(host)) ?? '127.0.0.1',
    isOwn: (authority) => isLoopbackAuthority(authority) || answered.has(withoutPort(authority)),
  };
}
