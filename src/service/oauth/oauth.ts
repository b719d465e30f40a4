/** Routes requests to the two OAuth endpoints. */
import { oauth } from '../../contract/oauth.js';
import type { HttpRequest, HttpResponse } from '../../core/http.js';
import { askForConsent, takeConsent } from './authorize.js';
import { Consents } from './consents.js';
import type { OAuthContext, OAuthOptions } from './context.js';
import { exchangeCode } from './token.js';

/** Answers a request whose method and path, under the base URL, are those of OAuth; undefined for any other. */
export type OAuth = (request: HttpRequest, path: string) => Promise<HttpResponse> | undefined;

/** Makes the OAuth part of a service. Consent pages that are open are known to this one object only. */
export function createOAuth(options: OAuthOptions): OAuth {
  const context: OAuthContext = { ...options, consents: new Consents(options.now) };
  return (request, path) => {
    if (path === oauth.authorize.path) {
      if (request.method === 'GET' || request.method === 'HEAD') return askForConsent(context, request);
      if (request.method === 'POST') return takeConsent(context, request);
    }
    if (path === oauth.token.path && request.method === 'POST') return exchangeCode(context, request);
    return undefined;
  };
}
