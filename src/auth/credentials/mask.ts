/** Masks a token: enough to tell two apart, not enough to use. */

/** From this length on, four characters at the end give nothing away. */
const LONG_ENOUGH = 20;

/** The last four characters behind stars, or stars alone for a short token. */
export function masked(token: string): string {
  return token.length >= LONG_ENOUGH ? `****${token.slice(-4)}` : '****';
}
