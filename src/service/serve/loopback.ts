/**
 * Which names mean this machine. A web page can point a name of its own at 127.0.0.1 (DNS rebinding), so the Host header
 * is compared with these and nothing else. It knows nothing of sockets.
 */

const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i;

/** Says whether a Host header (or the authority of an address) names this machine, with or without a port. */
export const isLoopbackAuthority = (authority: string): boolean => LOOPBACK.test(authority);
