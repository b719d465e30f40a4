/** The authorization request and the user's decision (service-api-v1.md, "Flow" 1 and 2). */
import type { HttpRequest, HttpResponse } from '../../core/http.js';
import { newToken, secretId } from '../identifiers.js';
import { isSameOrigin } from '../router.js';
import type { OAuthClient } from '../store/records.js';
import { type OAuthContext, type PendingConsent, peopleIn, personIn } from './consents.js';
import { consentPage, problemPage } from './pages.js';
import { bodyParameters, type Parameters, parametersOf } from './parameters.js';
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

const denied = (client: OAuthClient, state: string | undefined): HttpResponse =>
  refused(client, 'access_denied', 'The user refused access.', state);

type Asked = { readonly client: OAuthClient; readonly redirectUri: string; readonly state: string | undefined };

/** Checks an authorization request. Returns the error page, or the error for the callback, that refuses it. */
async function check({ store }: Pick<OAuthContext, 'store'>, parameters: Parameters, signal?: AbortSignal) {
  const refusal = (response: HttpResponse) => ({ asked: undefined, response });
  const repeated = ['client_id', 'redirect_uri', 'state'].find((name) => parameters.repeated.has(name));
  const clientId = parameters.get('client_id');
  if (repeated !== undefined || clientId === undefined) {
    const missing = 'The address does not name the application: client_id is missing.';
    const reason = repeated === undefined ? missing : `The address gives ${repeated} more than once.`;
    return refusal(problemPage(400, 'This login cannot continue', reason));
  }
  const client = await store.whenFree(() => store.read(() => store.oauthClients.get(clientId)), signal);
  if (client === undefined) {
    const reason = `No application is registered under the client ID “${clientId}”.`;
    const next = 'Compare the client ID with the one that “edu offline serve” prints when it starts.';
    return refusal(problemPage(400, 'This application is not known', reason, next));
  }
  const state = parameters.get('state');
  const redirectUri = parameters.get('redirect_uri') ?? client.callbackUrl;
  if (!mayRedirectTo(client.callbackUrl, redirectUri)) {
    const description =
      'The redirect_uri must have the host and port of the registered callback, and its path or one below it.';
    return refusal(refused(client, 'redirect_uri_mismatch', description, state));
  }
  if (client.suspended) {
    return refusal(refused(client, 'application_suspended', 'The application is suspended.', state));
  }
  const asked: Asked = { client, redirectUri, state };
  return { asked, response: undefined };
}

/** Handles `GET /login/oauth/authorize`: returns the consent page, an error page, or an error for the callback. */
export async function askForConsent(context: OAuthContext, request: HttpRequest) {
  const { store, consents } = context;
  const { asked, response } = await check(context, parametersOf(new URL(request.url).searchParams), request.signal);
  if (asked === undefined) return response;
  const { client, redirectUri, state } = asked;
  const people = await store.whenFree(() => peopleIn(store), request.signal);
  const token = consents.issue({ clientId: client.id, redirectUri, state });
  return consentPage({ applicationName: client.name, ...people, redirectUri, token });
}

/** Stores a code for a decision in favour, and returns the callback address with it. */
async function grant({ store, random, now }: Granting, asked: PendingConsent, userId: string, signal?: AbortSignal) {
  const { clientId, redirectUri, state = null } = asked;
  const code = newToken(random);
  const expiresAt = now() + CODE_LIFE_MS;
  const keepCode = (): void =>
    store.write(() => {
      for (const old of store.authorizationCodes.all({})) {
        if (old.expiresAt <= now()) store.authorizationCodes.remove(old.id);
      }
      store.authorizationCodes.insert({ id: secretId(code), clientId, userId, redirectUri, state, expiresAt });
    });
  await store.whenFree(keepCode, signal);
  return withQuery(redirectUri, { code, state: asked.state });
}

type Granting = Pick<OAuthContext, 'store' | 'random' | 'now'>;

export interface Authorization {
  readonly clientId: string;
  readonly redirectUri?: string | undefined;
  readonly state?: string | undefined;
  /** The ID of the user who allows it; undefined: access is refused. */
  readonly userId: string | undefined;
}

/** Decides as a user of the consent page would. @returns the callback address; undefined for an unknown application */
export async function authorize(context: Granting, { clientId, redirectUri, state, userId }: Authorization) {
  const given = { client_id: clientId, redirect_uri: redirectUri ?? '', state: state ?? '' };
  const { asked, response } = await check(context, parametersOf(Object.entries(given)));
  if (asked === undefined) return response.headers.location;
  if (userId === undefined) return denied(asked.client, state).headers.location;
  return grant(context, { clientId, redirectUri: asked.redirectUri, state: asked.state }, userId);
}

/** Handles `POST /login/oauth/authorize`, the form of the consent page. */
export async function receiveConsent(context: OAuthContext, request: HttpRequest) {
  const { store, consents } = context;
  if (!isSameOrigin(request)) {
    return problemPage(403, 'This answer came from another site', 'Only the page of this service may give consent.');
  }
  const parameters = await bodyParameters(request);
  const whenFree = <T>(work: () => T): Promise<T> => store.whenFree(work, request.signal);
  const token = parameters?.get('consent');
  const decision = parameters?.get('decision');
  const person = parameters && (await whenFree(() => personIn(store, parameters)));
  if (parameters === undefined || parameters.repeated.size > 0 || (decision !== 'allow' && decision !== 'deny')) {
    return problemPage(400, 'This form cannot be used', 'The form is not complete.');
  }
  if (decision === 'allow' && person === undefined) {
    const next = 'Go back, and choose a person, or write the ID or e-mail address of a user.';
    return problemPage(400, 'This form cannot be used', 'The form does not name a person.', next);
  }
  const consent = token === undefined ? undefined : consents.accept(token);
  const client = consent && (await whenFree(() => store.read(() => store.oauthClients.get(consent.clientId))));
  if (consent === undefined || client === undefined) {
    const reason = 'It was answered before, or was open for more than ten minutes.';
    return problemPage(403, 'This page is no longer valid', reason);
  }
  if (decision === 'deny' || person === undefined) return denied(client, consent.state);
  return redirect(await grant(context, consent, person.id, request.signal));
}
