/** Routes requests to the two OAuth endpoints. */
import { oauth } from '../../contract/oauth.js';
import type { HttpRequest, HttpResponse } from '../../core/http.js';
import { askForConsent, receiveConsent } from './authorize.js';
import { consentTokens, type OAuthContext } from './consents.js';
import { exchangeCode } from './token.js';

/** Returns undefined for a request whose method and path, relative to the base URL, are not those of OAuth. */
export type OAuth = (request: HttpRequest, path: string) => Promise<HttpResponse> | undefined;

/** Open consent pages are kept in memory by the returned function. */
export function createOAuth(core: Omit<OAuthContext, 'consents'>): OAuth {
  const context: OAuthContext = { ...core, consents: consentTokens(core) };
  return (request, path) => {
    const { method } = request;
    if (path === oauth.token.path && method === 'POST') return exchangeCode(context, request);
    if (path !== oauth.authorize.path) return undefined;
    if (method === 'GET' || method === 'HEAD') return askForConsent(context, request);
    return method === 'POST' ? receiveConsent(context, request) : undefined;
  };
}
