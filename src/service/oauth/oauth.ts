/** The two OAuth endpoints behind one door. It knows which request goes where, and nothing of the API under `/v1`. */
import { oauth } from '../../contract/oauth.js';
import type { HttpRequest, HttpResponse } from '../../core/http.js';
import { askForConsent, takeConsent } from './authorize.js';
import { Consents } from './consents.js';
import { troublePage } from './pages.js';
import type { OAuthRecords } from './records.js';
import { exchangeCode } from './token.js';

export interface OAuthOptions {
  readonly records: OAuthRecords;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Random bytes. */
  readonly random: (count: number) => Uint8Array;
}

export interface OAuthContext extends OAuthOptions {
  readonly consents: Consents;
}

/** Answers a request whose path, under the base URL, is one of OAuth; undefined for any other path. */
export type OAuth = (request: HttpRequest, path: string) => Promise<HttpResponse> | undefined;

const methodNotAllowed = async (allowed: string): Promise<HttpResponse> => {
  const page = await troublePage({
    status: 405,
    title: 'This address works in another way',
    reason: `It takes ${allowed} only.`,
    next: 'Go back to the application and start the login again.',
  });
  return { ...page, headers: { ...page.headers, allow: allowed } };
};

/** Makes the OAuth part of a service. Consent pages that are open are known to this one object only. */
export function createOAuth(options: OAuthOptions): OAuth {
  const context: OAuthContext = { ...options, consents: new Consents(options.now) };
  return (request, path) => {
    if (path === oauth.authorize.path) {
      if (request.method === 'GET' || request.method === 'HEAD') return askForConsent(context, request);
      return request.method === 'POST' ? takeConsent(context, request) : methodNotAllowed('GET, POST');
    }
    if (path === oauth.token.path) {
      return request.method === 'POST' ? exchangeCode(context, request) : methodNotAllowed('POST');
    }
    return undefined;
  };
}
