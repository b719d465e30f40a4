/** Routes requests to the two OAuth endpoints. */
import { oauth } from '../../contract/oauth.js';
import type { HttpRequest, HttpResponse } from '../../core/http.js';
import { askForConsent, receiveConsent } from './authorize.js';
import { Consents } from './consents.js';
import type { OAuthContext, OAuthOptions } from './context.js';
import { exchangeCode } from './token.js';

/** Returns undefined for a request whose method and path, relative to the base URL, are not those of OAuth. */
export type OAuth = (request: HttpRequest, path: string) => Promise<HttpResponse> | undefined;

/** Open consent pages are kept in memory by the returned function. */
export function createOAuth(options: OAuthOptions): OAuth {
  const context: OAuthContext = { ...options, consents: new Consents(options.now) };
  return (request, path) => {
    if (path === oauth.authorize.path) {
      if (request.method === 'GET' || request.method === 'HEAD') return askForConsent(context, request);
      if (request.method === 'POST') return receiveConsent(context, request);
    }
    if (path === oauth.token.path && request.method === 'POST') return exchangeCode(context, request);
    return undefined;
  };
}
