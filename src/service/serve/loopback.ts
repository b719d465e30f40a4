/**
 * Which names mean this machine. A web page can point a name of its own at 127.0.0.1 (DNS rebinding), so the Host header
 * is compared with these and nothing else. It knows nothing of sockets.
 */

const LOOPBACK_NAMES = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** `127.0.0.1:4010` → `127.0.0.1`; undefined when it is not a host with an optional port. */
function hostname(authority: string): string | undefined {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?$/.exec(authority.toLowerCase())?.[1];
}

/** Says whether a Host header (or the authority of an address) names this machine, with or without a port. */
export function isLoopbackAuthority(authority: string): boolean {
  const name = hostname(authority);
  return name !== undefined && LOOPBACK_NAMES.has(name);
}

/** Says whether the address at the other end of a connection is on this machine. */
export function isLoopbackAddress(address: string | undefined): boolean {
  return address === '::1' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address ?? '');
}
