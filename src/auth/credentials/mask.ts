/** Masks a token, so that two can be distinguished but not used. */

/** Min length of a token whose last four characters may be shown. */
const MIN_LENGTH = 20;

/** Stars and the last four characters, or only stars for a short token. */
export function masked(token: string): string {
  return token.length >= MIN_LENGTH ? `****${token.slice(-4)}` : '****';
}
