/** The authorization request and the user's decision (service-api-v1.md, "Flow" 1 and 2). */
import type { HttpRequest, HttpResponse } from '../../core/http.js';
import { newToken, secretId } from '../identifiers.js';
import { isSameOrigin } from '../router.js';
import type { OAuthClient } from '../store/records.js';
import { type OAuthContext, personasOf } from './consents.js';

import { consentPage, problemPage } from './pages.js';
import { bodyParameters, parametersOf } from './parameters.js';
import { mayRedirectTo, withQuery } from './redirect-rule.js';

/** RFC 6749 §4.1.2 asks for a short lifetime; this one leaves time to paste an address. */
const CODE_LIFE_MS = 2 * 60_000;

/** 303, never 307, which would make the browser send the form to the application (RFC 9700 §4.12). */
const redirect = (location: string): HttpResponse => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  body: '',
});

/** Redirects with an error to the registered callback, not to `redirect_uri`, which may not be trusted. */
const refused = (client: OAuthClient, error: string, description: string, state: string | undefined): HttpResponse =>
  redirect(withQuery(client.callbackUrl, { error, error_description: description, state }));

/** Handles `GET /login/oauth/authorize`: returns the consent page, an error page, or an error for the callback. */
export async function askForConsent({ store, consents }: OAuthContext, request: HttpRequest) {
  const parameters = parametersOf(new URL(request.url).searchParams);
  const repeated = ['client_id', 'redirect_uri', 'state'].find((name) => parameters.repeated.has(name));
  const clientId = parameters.get('client_id');
  if (repeated !== undefined || clientId === undefined) {
    const missing = 'The address does not name the application: client_id is missing.';
    const reason = repeated === undefined ? missing : `The address gives ${repeated} more than once.`;
    return problemPage(400, 'This login cannot continue', reason);
  }
  const client = await store.whenFree(() => store.read(() => store.oauthClients.get(clientId)), request.signal);
  if (client === undefined) {
    const reason = `No application is registered under the client id “${clientId}”.`;
    const next = 'Compare the client id with the one that “edu offline serve” prints when it starts.';
    return problemPage(400, 'This application is not known', reason, next);
  }
  const state = parameters.get('state');
  const redirectUri = parameters.get('redirect_uri') ?? client.callbackUrl;
  if (!mayRedirectTo(client.callbackUrl, redirectUri)) {
    const description =
      'The redirect_uri must have the host and port of the registered callback, and its path or one below it.';
    return refused(client, 'redirect_uri_mismatch', description, state);
  }
  if (client.suspended) return refused(client, 'application_suspended', 'The application is suspended.', state);
  const personas = await store.whenFree(() => personasOf(store), request.signal);
  const token = consents.issue({ clientId, redirectUri, state });
  return consentPage({ applicationName: client.name, personas, redirectUri, token });
}

/** Handles `POST /login/oauth/authorize`, the form of the consent page. */
export async function receiveConsent({ store, consents, random, now }: OAuthContext, request: HttpRequest) {
  if (!isSameOrigin(request)) {
    return problemPage(403, 'This answer came from another site', 'Only the page of this service may give consent.');
  }
  const parameters = await bodyParameters(request);
  const whenFree = <T>(work: () => T): Promise<T> => store.whenFree(work, request.signal);
  const token = parameters?.get('consent');
  const decision = parameters?.get('decision');
  const persona = (await whenFree(() => personasOf(store))).find(({ id }) => id === parameters?.get('persona'));
  if (parameters === undefined || parameters.repeated.size > 0 || (decision !== 'allow' && decision !== 'deny')) {
    return problemPage(400, 'This form cannot be used', 'The form is not complete.');
  }
  if (decision === 'allow' && persona === undefined) {
    return problemPage(400, 'This form cannot be used', 'The form does not name a person.');
  }
  const consent = token === undefined ? undefined : consents.accept(token);
  const client = consent && (await whenFree(() => store.read(() => store.oauthClients.get(consent.clientId))));
  if (consent === undefined || client === undefined) {
    const reason = 'It was answered before, or was open for more than ten minutes.';
    return problemPage(403, 'This page is no longer valid', reason);
  }
  if (decision === 'deny' || persona === undefined) {
    return refused(client, 'access_denied', 'The user refused access.', consent.state);
  }
  const { clientId, redirectUri, state = null } = consent;
  const code = newToken(random);
  const expiresAt = now() + CODE_LIFE_MS;
  const keepCode = (): void =>
    store.write(() => {
      for (const old of store.authorizationCodes.all({})) {
        if (old.expiresAt <= now()) store.authorizationCodes.remove(old.id);
      }
      const id = secretId(code);
      store.authorizationCodes.insert({ id, clientId, userId: persona.userId, redirectUri, state, expiresAt });
    });
  await whenFree(keepCode);
  return redirect(withQuery(redirectUri, { code, state: consent.state }));
}
