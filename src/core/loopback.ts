/** Decides which hosts may get a token without encryption, and bypass proxies: loopback ones, and those the user names. */

/**
 * True for `localhost`, 127.0.0.0/8 and ::1. Names under `.localhost` are excluded, because not every resolver maps them
 * to loopback addresses.
 */
export function isLoopback(hostname: string): boolean {
  const host = hostname.toLowerCase();
  return host === 'localhost' || host === '[::1]' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/**
 * True if a token may go to a URL: over https, to a loopback host, or to a host named by `--insecure-http`.
 * @param plainHosts host names in lower case, without port, as `URL.hostname` writes them
 */
export const isSafeForToken = ({ protocol, hostname }: URL, plainHosts: readonly string[] = []): boolean =>
  protocol !== 'http:' || isLoopback(hostname) || plainHosts.includes(hostname);

/** The hint for an address that is not safe for a token. */
export const plainHttpHint = ({ hostname }: URL): string =>
  `Use https. Plain http is allowed for this machine (127.0.0.1, localhost, [::1]), and for a host that you name, such as in a test: --insecure-http ${hostname}`;
