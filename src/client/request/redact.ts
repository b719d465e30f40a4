/** Redacts secrets in text and errors: access tokens, client secrets, codes and states. */
import { EduError } from '../../core/errors.js';

const HIDDEN = '***';

// Names of secrets in forms, queries and JSON (RFC 6749).
const NAMES = 'access_token|refresh_token|id_token|client_secret|password';
const IN_TEXT = new RegExp(`\\b(${NAMES})=[^&;#\\s"'<>]*`, 'gi');
// An address has more secret names than prose, where "code=abc is taken" must stay readable.
const IN_QUERY = new RegExp(
  `([?&;])(${NAMES}|token|code|state|secret|signature|sig|key|jwt|x-(?:amz|goog)-[a-z-]+)=[^&;#]*`,
  'gi',
);
const JSON_NAMES = '(?:access_token|refresh_token|id_token|client_secret|token|password|secret)';
// Also as it stands in a message that quotes a part of JSON: `{\"token\":\"abc`.
const IN_JSON = new RegExp(
  `("${JSON_NAMES}"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"?|(\\\\"${JSON_NAMES}\\\\"\\s*:\\s*)\\\\"[^"\\\\]*`,
  'gi',
);
// A secret contains a digit, in contrast to "the bearer token is missing" and "basic English".
const IN_HEADER = /\b(bearer|basic)\s+(?=\S*\d)[A-Za-z0-9._~+/=-]{8,}/gi;
const IN_ADDRESS = /(:\/\/)[^/?#\s@]+@/g;

/** Shorter secrets are not redacted, because that would make messages unreadable and protect nothing. */
const MIN_LENGTH = 4;

/** Shorter secrets are not redacted within base64, where three of their characters are four of any text. */
const MIN_BASE64_LENGTH = 8;

/** A secret in base64, alone or anywhere within a longer text, which begins at one of three places in a group. */
function inBase64(secret: string): readonly string[] {
  if (secret.length < MIN_BASE64_LENGTH) return [];
  const bytes = Buffer.from(secret);
  const within = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64url');
    return text.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3));
  });
  const base64url = [bytes.toString('base64url'), ...within];
  const base64 = base64url.map((text) => text.replaceAll('-', '+').replaceAll('_', '/'));
  return [bytes.toString('base64'), ...base64url, ...base64];
}

/** A text in plain, percent-encoded (in either case), form-encoded and JSON form. */
function spellings(text: string): readonly string[] {
  const encoded = encodeURIComponent(text.toWellFormed());
  const lowerCase = encoded.replace(/%../g, (code) => code.toLowerCase());
  return [text, encoded, lowerCase, encoded.replace(/%20/g, '+'), JSON.stringify(text).slice(1, -1)];
}

/**
 * Replaces secrets in a text by `***`: the given values in any encoding, and values after the name of a secret.
 * @param secrets values to look for, such as the access token in use
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  const known = secrets.filter((secret) => secret.length >= MIN_LENGTH);
  const values = new Set(known.flatMap((secret) => [secret, ...inBase64(secret)].flatMap(spellings)));
  // The longest first, because one value may be a prefix of another.
  for (const value of [...values].sort((a, b) => b.length - a.length)) clean = clean.replaceAll(value, HIDDEN);
  return clean
    .replace(IN_ADDRESS, `$1${HIDDEN}@`)
    .replace(IN_HEADER, `$1 ${HIDDEN}`)
    .replace(IN_JSON, `$1$2"${HIDDEN}"`)
    .replace(IN_TEXT, `$1=${HIDDEN}`);
}

/** Longer values of a query, such as a cursor of megabytes, are cut. */
const MAX_VALUE = 200;
const cut = (value: string): string => (value.length > 1 + MAX_VALUE ? `${value.slice(0, 1 + MAX_VALUE)}…` : value);

/** Redacts a path and its query, and cuts long values of the query. */
export function redactPath(path: string, secrets: readonly string[] = []): string {
  return redact(path, secrets)
    .replace(IN_QUERY, `$1$2=${HIDDEN}`)
    .replace(/=[^&;#]+/g, cut);
}

/**
 * Redacts an address. The whole query is removed for other origins, because signed file addresses and editor addresses
 * have secrets there under any name.
 */
export function redactUrl(url: string, ownOrigin: string, secrets: readonly string[] = []): string {
  if (!URL.canParse(url)) return redact(url, secrets);
  const { origin, pathname, search } = new URL(url);
  if (origin === ownOrigin) return origin + redactPath(pathname + search, secrets);
  return redact(origin + pathname, secrets) + (search === '' ? '' : `?${HIDDEN}`);
}

/** True if a cause contains a secret in its message or stack, which `--debug` prints. */
const leaks = (cause: unknown, secrets: readonly string[]): boolean => {
  if (!(cause instanceof Error)) return false;
  const text = `${cause.message}\n${cause.stack ?? ''}`;
  return redact(text, secrets) !== text;
};

const allTextOf = (error: EduError): string => JSON.stringify([error.message, error]);

/** Redacts an error, because the service may echo secrets; other values are returned as they are. */
export function withoutSecrets<T>(error: T, secrets: readonly string[]): T | EduError {
  if (!(error instanceof EduError)) return error;
  const clean = error.with({
    message: redact(error.message, secrets),
    hint: error.hint && redact(error.hint, secrets),
    path: error.path && redactPath(error.path, secrets),
    details: error.details.map((problem) => ({ ...problem, message: redact(problem.message, secrets) })),
    requestId: error.requestId && redact(error.requestId, secrets),
    cause: leaks(error.cause, secrets) ? undefined : error.cause,
  });
  // An error without secrets keeps its stack.
  return allTextOf(clean) === allTextOf(error) && clean.cause === error.cause ? error : clean;
}
