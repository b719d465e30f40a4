/** Validates the registered callback URL, and tells whether this machine can listen there. */
import { usageError } from '../core/errors.js';
import { isLoopback } from '../core/loopback.js';

export interface Callback {
  /** As it was written, and so registered. */
  readonly url: string;
  /** Host as it stands in the URL: `127.0.0.1`, `localhost`, `[::1]`. */
  readonly hostname: string;
  /** Undefined when the URL names none. */
  readonly port: number | undefined;
  /** Path without a slash at the end; empty for the root. */
  readonly path: string;
  /** Host and port as a browser sends them in `Host`. */
  readonly host: string;
  /** Whether `edu` can listen there: http, a loopback host and an explicit port. */
  readonly local: boolean;
}

/**
 * Takes a callback URL apart.
 * @throws a usage error when it is no http or https URL, or has user info, query or fragment
 */
export function readCallbackUrl(text: string, where: string): Callback {
  const bad = (why: string) =>
    usageError(`${where}: ${JSON.stringify(text)} ${why}`, 'Give it exactly as it was registered with the service.');
  if (/[\s\\\0-\x1f\x7f-\x9f]/.test(text)) throw bad('contains a space, a backslash or a control character');
  if (/[?#@]/.test(text)) throw bad('contains a query, a fragment or a user name');
  const scheme = /^(https?):\/\/[^/]/i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined || !URL.canParse(text)) throw bad('is not an http or https address');
  const url = new URL(text);
  // The parser drops a port that is the scheme's own; here it matters whether it was written.
  const written = /^[^/]*\/\/[^/]*:(\d+)(?:\/|$)/.exec(text)?.[1];
  const port = written === undefined ? undefined : Number(written);
  return {
    url: text,
    hostname: url.hostname,
    port,
    path: url.pathname.replace(/(?<!\/)\/+$/, ''),
    host: url.host,
    local: scheme === 'http' && isLoopback(url.hostname) && port !== undefined && port > 0,
  };
}

/** The check of the setting: any address that could have been registered. Returns it as it was written. */
export function checkCallbackUrl(text: string, where: string): string {
  readCallbackUrl(text, where);
  return text;
}
