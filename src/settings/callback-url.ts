/** Validates the registered callback URL and decides whether `edu` can listen on it. */
import { usageError } from '../core/errors.js';
import { withoutTrailingSlash } from '../core/http.js';
import { isLoopback } from '../core/loopback.js';

export interface Callback {
  /** As the user gave it, which must equal the registered URL. */
  readonly url: string;
  /** Such as `127.0.0.1`, `localhost` or `[::1]`. */
  readonly hostname: string;
  /** 0 if it is not written: a scheme's default port is not listened on. */
  readonly port: number;
  /** Path without a trailing slash; empty for the root. */
  readonly path: string;
  /** Host and port, as in the `Host` header. */
  readonly host: string;
  /** True if `edu` can listen on it: http, a loopback host and an explicit port. */
  readonly local: boolean;
}

/** @throws EduError `usage` if it is not an http or https URL, or has user info, a query or a fragment */
export function readCallbackUrl(text: string, where: string): Callback {
  const bad = (why: string) =>
    usageError(`${where}: ${JSON.stringify(text)} ${why}.`, 'Give it exactly as it was registered with the service.');
  if (/[\s\\\0-\x1f\x7f-\x9f]/.test(text)) throw bad('contains a space, a backslash or a control character');
  if (/[?#@]/.test(text)) throw bad('contains a query, a fragment or a user name');
  const scheme = /^(https?):\/\/[^/]/i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined || !URL.canParse(text)) throw bad('is not an http or https address');
  const url = new URL(text);
  const written = /^[^/]*\/\/[^/]*:(\d+)(?:\/|$)/.exec(text)?.[1];
  const port = Number(written ?? 0);
  return {
    url: text,
    hostname: url.hostname,
    port,
    path: withoutTrailingSlash(url.pathname),
    host: url.host,
    local: scheme === 'http' && isLoopback(url.hostname) && port > 0,
  };
}
