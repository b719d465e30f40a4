/** The rule for redirect URLs (service-api-v1.md, "Redirect URL rule"; RFC 6749 §3.1.2, RFC 9700 §4.1). */

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/**
 * Splits an address as it is written. `URL` would normalize it (`127.1`, `/cb/../x`, `\`) and so accept addresses that a
 * browser, or the program behind the callback, reads differently.
 */
function partsOf(address: string) {
  // Visible ASCII without quotes, brackets and backslash; no fragment, no user info.
  const match = /^(https?:)\/\/(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::(\d{1,5}))?(\/[^?#]*)?(\?[^#]*)?$/i.exec(address);
  if (match === null || !/^[\x21-\x7e]+$/.test(address) || /[\\"<>^`{|}]/.test(address)) return;
  const [, scheme = '', host = '', port, path = ''] = match;
  return {
    scheme: scheme.toLowerCase(),
    // With the port even if it is the scheme's default.
    authority: `${host.toLowerCase()}:${port ?? DEFAULT_PORTS[scheme.toLowerCase()]}`,
    segments: path.split('/').slice(1),
  };
}

/** Percent-decodes until nothing changes, because a server may decode `%252e` twice; undefined when malformed. */
function fullyDecoded(text: string, maxRounds = 5): string | undefined {
  try {
    const next = decodeURIComponent(text);
    if (next === text) return text;
    return maxRounds > 1 ? fullyDecoded(next, maxRounds - 1) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns true if every server reads the segment the same: no dot segment, encoded slash or control character. */
function isPlainSegment(segment: string): boolean {
  const text = fullyDecoded(segment);
  // Some servers treat the text after `;` as a parameter, so `..;` is a dot segment too.
  return text !== undefined && !/[/\\\x00-\x1f\x7f]/.test(text) && !/^\.{1,2}(;|$)/.test(text);
}

const withoutLastEmpty = (segments: readonly string[]): readonly string[] =>
  segments.at(-1) === '' ? segments.slice(0, -1) : segments;

/**
 * @param registered the callback URL that the application was registered with
 * @param given the `redirect_uri` of the request, decoded once as a query parameter
 */
export function mayRedirectTo(registered: string, given: string): boolean {
  const callback = partsOf(registered);
  const target = partsOf(given);
  if (callback === undefined || target === undefined) return false;
  if (target.scheme !== callback.scheme || target.authority !== callback.authority) return false;
  const base = withoutLastEmpty(callback.segments);
  const path = withoutLastEmpty(target.segments);
  return (
    path.length >= base.length &&
    base.every((segment, index) => path[index] === segment) &&
    path.every((segment) => segment !== '' && isPlainSegment(segment))
  );
}

/** Appends query parameters to an address, skipping undefined ones. */
export function withQuery(address: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.append(name, value);
  return `${address}${address.includes('?') ? '&' : '?'}${query}`;
}
