/**
 * The rule for redirect URLs (service-api-v1.md, "Redirect URL rule"; RFC 6749 §3.1.2, RFC 9700 §4.1): exactly host
 * and port of the registered callback, and its path or one below it, compared segment by segment.
 */

interface Parts {
  readonly scheme: string;
  /** Host in lower case with the port, the scheme's own one included. */
  readonly authority: string;
  readonly segments: readonly string[];
}

const OWN_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/**
 * Takes an address apart as it is written. No URL parser: one that normalizes its input (`127.1`, `/cb/../x`, `\`) would
 * let through what a browser, or the program behind the callback, reads in another way.
 */
function partsOf(address: string): Parts | undefined {
  // visible ASCII without quotes, brackets and backslash; no fragment, no user info
  const match = /^(https?:)\/\/(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::(\d{1,5}))?(\/[^?#]*)?(\?[^#]*)?$/i.exec(address);
  if (match === null || !/^[\x21-\x7e]+$/.test(address) || /[\\"<>^`{|}]/.test(address)) return;
  const [, scheme = '', host = '', port, path = ''] = match;
  return {
    scheme: scheme.toLowerCase(),
    authority: `${host.toLowerCase()}:${port ?? OWN_PORTS[scheme.toLowerCase()]}`,
    segments: path.split('/').slice(1),
  };
}

/** Percent-decodes until nothing changes, so that `%252e` is seen for what it may become; undefined when malformed. */
function fullyDecoded(segment: string): string | undefined {
  let text = segment;
  for (let round = 0; round < 5; round++) {
    let next: string;
    try {
      next = decodeURIComponent(text);
    } catch {
      return;
    }
    if (next === text) return text;
    text = next;
  }
  return;
}

/** A path segment that every decoder reads as one: no dot segments, no encoded slash, no control character. */
function isPlainSegment(segment: string): boolean {
  const text = fullyDecoded(segment);
  // what stands behind `;` is a parameter to some servers: `..;` climbs as well
  return text !== undefined && !/[/\\\x00-\x1f\x7f]/.test(text) && !/^\.{1,2}(;|$)/.test(text);
}

const withoutLastEmpty = (segments: readonly string[]): readonly string[] =>
  segments.at(-1) === '' ? segments.slice(0, -1) : segments;

/**
 * Says whether an authorization may return to `given`.
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

/** An address with more query parameters behind those that it has; undefined values are left out. */
export function withQuery(address: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.append(name, value);
  return `${address}${address.includes('?') ? '&' : '?'}${query}`;
}
