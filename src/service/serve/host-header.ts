/** Checks Host headers, because a web page can point its own name at this machine (DNS rebinding). */
import { isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';

const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i;

/** Returns true if a Host header (or URL authority) names a loopback address, with or without a port. */
export const isLoopbackAuthority = (authority: string): boolean => LOOPBACK.test(authority);

const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** Puts IPv6 addresses in brackets, as URLs require. */
export const inAddress = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);

/** Splits `--host` into addresses and names; a wildcard accepts all of this machine. `primary` is for URLs. */
export function hostsOf(given: readonly string[] = []) {
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
    isOwn: (authority: string): boolean => isLoopbackAuthority(authority) || answered.has(withoutPort(authority)),
  };
}
