/** Validates base URLs and derives their origin. */
import { excerpt } from '../core/clean-text.js';
import { usageError } from '../core/errors.js';
import type { Env } from '../core/io.js';
import { isSafeForToken, plainHttpHint } from '../core/loopback.js';

/**
 * Checks a base URL: https, or http on a loopback or named host; no user info, query or fragment. A path is allowed.
 * @param where source of the value for the error, such as `--base-url`
 * @param plainHosts as of `readPlainHosts`
 * @returns the normalized URL without a trailing slash, and without `/v1` at its end
 * @throws EduError `usage`; it quotes the value without what may be a secret: a password, a query, a fragment
 */
export function checkBaseUrl(text: string, where: string, plainHosts?: readonly string[]): string {
  const bad = (why: string, hint?: string) => usageError(`${where}: ${shown} ${why}.`, hint);
  const authority = text.replace(/^[^/\\]*[/\\]{2,}/, '').split(/[/\\?#]/)[0] ?? '';
  const mayHoldPassword = text.includes('@');
  const shown = mayHoldPassword ? 'the address' : JSON.stringify(text.replace(/([?#]).*$/s, '$1…'));
  if (authority.includes('@')) {
    throw bad('contains a user name or password', 'Remove the part before the @; `edu auth login` logs you in.');
  }
  // The URL parser silently removes or repairs these characters.
  if (/[\s\\\0-\x1f\x7f-\x9f]/.test(text)) throw bad('contains a space, a backslash or a control character');
  if (/[?#]/.test(text)) throw bad('has a query or fragment', 'Give the address up to the part before /v1.');
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) {
    const [, typed = 'https', rest] = /^(?:(https?)(?=[:/]))?[:/]*(.*)$/is.exec(text) ?? [];
    const isShown = !mayHoldPassword && rest !== '';
    throw bad('is not a complete address', isShown ? `Did you mean ${typed}://${rest}?` : 'It begins with https://.');
  }
  if (!URL.canParse(text)) throw bad('is not an address');
  const url = new URL(text);
  if (!isSafeForToken(url, plainHosts)) throw bad('is not encrypted', plainHttpHint(url));
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw bad(`is not a web address: it starts with ${scheme}`);
  return url.origin + withoutVersion(url.pathname);
}

/**
 * The hosts of `--insecure-http` or EDU_INSECURE_HTTP, to which a token may go without encryption.
 * @throws EduError `usage` for anything but a host name or an IP address
 */
export function readPlainHosts({ 'insecure-http': given }: Readonly<Record<string, unknown>>, env: Env): string[] {
  const [texts, where] = Array.isArray(given)
    ? [given.map(String), '--insecure-http']
    : [(env.EDU_INSECURE_HTTP ?? '').split(',').filter((one) => one.trim() !== ''), 'EDU_INSECURE_HTTP'];
  return texts.map((text) => {
    const host = text.trim().toLowerCase();
    if (URL.canParse(`http://${host}`) && new URL(`http://${host}`).hostname === host) return host;
    throw usageError(
      `${where}: ${JSON.stringify(text)} is not a host name.`,
      'Give the name alone, without http:// and port.',
    );
  });
}

/** The warning about a base URL that is only allowed by `--insecure-http`; undefined for others. */
export const plainHttpNotice = (baseUrl: string): string | undefined =>
  isSafeForToken(new URL(baseUrl))
    ? undefined
    : `${baseUrl} is not encrypted: others on the network can read the access token (--insecure-http, EDU_INSECURE_HTTP).`;

/** `edu` adds the version to each path, and the addresses of the login are beside it. */
function withoutVersion(path: string): string {
  const segments = path.split('/');
  while (/^(?:v1)?$/.test(segments.at(-1) ?? '-')) segments.pop();
  return segments.join('/');
}

/** Says that a base URL loses its `/v1`; undefined if it has none. @param value the address that `checkBaseUrl` returned */
export const versionNotice = (text: string, where: string, value: string): string | undefined =>
  /\/v1\/*$/.test(text)
    ? `${where}: using ${value}, because edu itself adds the /v1 of ${excerpt(text, 200)}.`
    : undefined;

/** Removes a user name, password, query and fragment, given by mistake, so that hints do not repeat them. */
export const withoutSecretParts = (text: string): string =>
  text.replace(/^([^/\\@]*[/\\]{2,})?[^/\\?#]*@/, '$1').replace(/[?#].*$/s, '');

/** The origin that tokens and secrets are bound to: scheme, host and port. */
export const originOf = (url: string): string => new URL(url).origin;
