/** Redacts secrets in text: access tokens, client secrets, codes and states. */

const HIDDEN = '***';

// Names under which secrets travel in forms, queries and JSON (RFC 6749).
const NAMES = 'access_token|refresh_token|id_token|client_secret|password';
const IN_TEXT = new RegExp(`\\b(${NAMES})=[^&;#\\s"'<>]*`, 'gi');
// In an address more names are secrets than in prose, where "code=abc is taken" must stay readable.
const IN_QUERY = new RegExp(
  `([?&;])(${NAMES}|token|code|state|secret|signature|sig|key|jwt|x-amz-[a-z-]+)=[^&;#]*`,
  'gi',
);
const IN_JSON =
  /("(?:access_token|refresh_token|id_token|client_secret|token|password|secret)"\s*:\s*)"(?:[^"\\]|\\.)*"?/gi;
// With a digit in it: "the bearer token is missing" and "basic English" hold no secret.
const IN_HEADER = /\b(bearer|basic)\s+(?=\S*\d)[A-Za-z0-9._~+/=-]{8,}/gi;
const IN_ADDRESS = /(:\/\/)[^/?#\s@]+@/g;

/** Shorter ones would blank out half of every message, and hide nothing. */
const SHORTEST = 4;

/** A secret as it is, percent-encoded, form-encoded and as JSON writes it. */
function spellings(secret: string): string[] {
  const encoded = encodeURIComponent(secret.toWellFormed());
  return [...new Set([secret, encoded, encoded.replace(/%20/g, '+'), JSON.stringify(secret).slice(1, -1)])];
}

/**
 * Replaces secrets in a text by `***`: these values in any spelling, and what stands under a secret's name.
 * @param secrets values to look for, such as the access token in use
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  const values = secrets.filter((secret) => secret.length >= SHORTEST).flatMap(spellings);
  // The longest first: one may be the beginning of another.
  for (const value of values.sort((a, b) => b.length - a.length)) clean = clean.replaceAll(value, HIDDEN);
  return clean
    .replace(IN_ADDRESS, `$1${HIDDEN}@`)
    .replace(IN_HEADER, `$1 ${HIDDEN}`)
    .replace(IN_JSON, `$1"${HIDDEN}"`)
    .replace(IN_TEXT, `$1=${HIDDEN}`);
}

/** A path with its query, fit for a message. */
export function redactPath(path: string, secrets: readonly string[] = []): string {
  return redact(path, secrets).replace(IN_QUERY, `$1$2=${HIDDEN}`);
}

/**
 * An address fit for a log. The query of one on another origin is dropped whole: signed file addresses and editor
 * addresses carry their secret there, under any name.
 */
export function redactUrl(url: string, ownOrigin: string, secrets: readonly string[] = []): string {
  if (!URL.canParse(url)) return redact(url, secrets);
  const { origin, pathname, search } = new URL(url);
  if (origin === ownOrigin) return origin + redactPath(pathname + search, secrets);
  return redact(origin + pathname, secrets) + (search === '' ? '' : `?${HIDDEN}`);
}
