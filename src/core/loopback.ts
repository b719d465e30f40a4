/** Recognizes loopback host names, which may get a token without encryption, and bypass proxies. */

/**
 * True for `localhost`, 127.0.0.0/8 and ::1. Names under `.localhost` are excluded, because not every resolver maps them
 * to loopback addresses.
 */
export function isLoopback(hostname: string): boolean {
  const host = hostname.toLowerCase();
  return host === 'localhost' || host === '[::1]' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
