import { describe, expect, test } from 'vitest';
import { type HttpResponse, type Method, readBytes } from '../../../../src/core/http.js';
import { secretId } from '../../../../src/service/identifiers.js';
import { createOAuth } from '../../../../src/service/oauth/oauth-router.js';
import type { OAuthClient } from '../../../../src/service/store/records.js';
import { defaultVariants } from '../../../../src/service/variants.js';
import { CLIENT, oauthStore } from '../../../support/oauth-store.js';

const ORIGIN = 'http://127.0.0.1:4010';
const AUTHORIZE = '/login/oauth/authorize';
const TOKEN = '/login/oauth/access_token';

interface Sent {
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

async function world(...clients: readonly OAuthClient[]) {
  const store = await oauthStore(...clients);
  const clock = { now: Date.UTC(2026, 2, 1) };
  let seed = 0;
  const random = (size: number): Uint8Array => new Uint8Array(size).fill(++seed);
  const oauth = createOAuth({ store, now: () => clock.now, random, variants: defaultVariants() });
  const send = (method: Method, target: string, { headers = {}, body }: Sent = {}): Promise<HttpResponse> => {
    const path = target.split('?', 1)[0] ?? '';
    const answer = oauth({ method, url: `${ORIGIN}${target}`, headers, body }, path);
    if (answer === undefined) throw new Error(`no OAuth path: ${path}`);
    return answer;
  };
  const ask = (query: Record<string, string>): Promise<HttpResponse> =>
    send('GET', `${AUTHORIZE}?${new URLSearchParams({ client_id: CLIENT.id, ...query })}`);
  const decide = (fields: Record<string, string>, headers: Record<string, string> = {}): Promise<HttpResponse> =>
    send('POST', AUTHORIZE, {
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(fields).toString(),
    });
  const exchange = (fields: Record<string, string>): Promise<HttpResponse> =>
    send('POST', TOKEN, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    });
  /** Requests and allows access, and returns the address to which the browser is redirected. */
  const allowed = async (query: Record<string, string> = {}, persona = 'distributor'): Promise<URL> => {
    const consent = await consentOf(await ask(query));
    const answer = await decide({ consent, persona, decision: 'allow' });
    expect(answer.status).toBe(303);
    return locationOf(answer);
  };
  return { store, clock, oauth, send, ask, decide, exchange, allowed };
}

const textOf = async (response: HttpResponse): Promise<string> => (await readBytes(response.body, 1e6)).toString();
const jsonOf = async (response: HttpResponse): Promise<unknown> => JSON.parse(await textOf(response));
const locationOf = (response: HttpResponse): URL => new URL(response.headers.location ?? '');
const consentOf = async (response: HttpResponse): Promise<string> => {
  expect(response.status).toBe(200);
  return /name="consent" value="([^"]+)"/.exec(await textOf(response))?.[1] ?? '';
};
const credentials = { client_id: CLIENT.id, client_secret: CLIENT.secret };

describe('the authorization request', () => {
  test('returns a page that cannot be framed, cached or scripted, or send its form elsewhere', async () => {
    const { ask } = await world();
    const page = await ask({ state: 's' });
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    const policy = page.headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toMatch(/form-action 'self' http:\/\/127\.0\.0\.1:8976$/);
    expect(policy).not.toContain('unsafe');
    expect(page.headers['x-frame-options']).toBe('DENY');
    expect(page.headers['cache-control']).toBe('no-store');
    expect(page.headers['x-content-type-options']).toBe('nosniff');
    expect(page.headers['referrer-policy']).toBe('same-origin');
  });

  test('shows each persona, with names as text only', async () => {
    const { ask } = await world();
    const html = await textOf(await ask({}));
    expect(html).toContain('Noémie Dvořáková');
    expect(html).toContain('Lernhaus &amp; Söhne');
    expect(html).toContain('&lt;b&gt;Γιώργος&lt;/b&gt; &quot;O’Neill&quot;');
    expect(html).not.toContain('<script');
    expect(html).not.toContain('s3cret-state');
  });

  test('for an unknown application, or with a repeated parameter, returns a page without a redirect', async () => {
    const { send, ask } = await world();
    const pages = [
      await ask({ client_id: '<script>alert(1)</script>', redirect_uri: 'http://evil.example/' }),
      await send('GET', AUTHORIZE),
      await send('GET', `${AUTHORIZE}?client_id=${CLIENT.id}&client_id=${CLIENT.id}`),
      await send('GET', `${AUTHORIZE}?client_id=${CLIENT.id}&redirect_uri=a&redirect_uri=b`),
      await send('GET', `${AUTHORIZE}?client_id=${CLIENT.id}&state=a&state=b`),
    ];
    for (const page of pages) {
      expect(page.status).toBe(400);
      expect(page.headers.location).toBeUndefined();
      expect(await textOf(page)).not.toContain('<script');
    }
  });
});

describe('the decision of the user', () => {
  test('is accepted once, within ten minutes', async () => {
    const { ask, decide, clock } = await world();
    const consent = await consentOf(await ask({}));
    expect((await decide({ consent, persona: 'viewer', decision: 'allow' })).status).toBe(303);
    const again = await decide({ consent, persona: 'viewer', decision: 'allow' });
    expect([again.status, again.headers.location]).toEqual([403, undefined]);
    const late = await consentOf(await ask({}));
    clock.now += 10 * 60_000;
    expect((await decide({ consent: late, persona: 'viewer', decision: 'allow' })).status).toBe(403);
  });

  test('is accepted after another site has opened 1,500 pages', async () => {
    const { ask, decide } = await world();
    const consent = await consentOf(await ask({}));
    for (let page = 0; page < 1_500; page++) await ask({});
    expect((await decide({ consent, persona: 'viewer', decision: 'allow' })).status).toBe(303);
  });

  test('is refused without the token of its page, and from another site', async () => {
    const { ask, decide, store } = await world();
    const consent = await consentOf(await ask({}));
    const fields = { consent, persona: 'distributor', decision: 'allow' };
    const { consent: _, ...withoutToken } = fields;
    expect((await decide(withoutToken)).status).toBe(403);
    expect((await decide({ ...fields, consent: 'guess' })).status).toBe(403);
    for (const headers of [
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { origin: 'http://127.0.0.1:4011' },
      { origin: 'http://localhost:4010' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: ORIGIN, 'sec-fetch-site': 'none' },
    ]) {
      expect((await decide(fields, headers as Record<string, string>)).status).toBe(403);
    }
    expect(store.authorizationCodes.count({})).toBe(0);
    expect((await decide(fields, { origin: ORIGIN, 'sec-fetch-site': 'same-origin' })).status).toBe(303);
  });

  test('is refused when it is invalid', async () => {
    const { ask, decide, send } = await world();
    const consent = await consentOf(await ask({}));
    expect((await decide({ consent, persona: 'distributor' })).status).toBe(400);
    expect((await decide({ consent, persona: 'nobody', decision: 'allow' })).status).toBe(400);
    expect((await decide({ consent, decision: 'allow' })).status).toBe(400);
    const twice = `consent=${consent}&persona=viewer&persona=distributor&decision=allow`;
    expect((await send('POST', AUTHORIZE, { body: twice })).status).toBe(400);
    expect((await send('POST', AUTHORIZE, { body: 'x'.repeat(70_000) })).status).toBe(400);
  });
});

describe('the token request', () => {
  test('returns a token of the chosen persona for a code, with any characters in the secret', async () => {
    const { allowed, exchange, store, clock } = await world();
    const code = (await allowed({ state: 'xyz' }, 'viewer')).searchParams.get('code') ?? '';
    const answer = await exchange({ ...credentials, code, state: 'xyz' });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toContain('application/json');
    expect(answer.headers['cache-control']).toBe('no-store');
    const body = (await jsonOf(answer)) as { access_token: string };
    expect(body).toEqual({ access_token: expect.stringMatching(/^[!-~]+$/), scope: '', token_type: 'bearer' });
    expect(store.accessTokens.get(secretId(body.access_token))?.userId).toBe('user-viewer');
    expect(store.logins.get('user-viewer/web')?.at).toBe(clock.now);
  });

  test('names the missing parameters, also of a body that cannot be read', async () => {
    const { send } = await world();
    for (const body of ['', '{', '[]', '"x"', '{"client_id":1}', 'x'.repeat(70_000)]) {
      const bad = await send('POST', TOKEN, { headers: { 'content-type': 'application/json' }, body });
      expect(bad.status).toBe(400);
      const message = expect.stringContaining('client_secret, code');
      expect(await jsonOf(bad)).toEqual({ error: 'MissingClientCredentials', message });
    }
  });

  test('refuses a wrong combination, without spending the code', async () => {
    const other = { ...CLIENT, id: 'other', secret: 'other-secret' };
    const { allowed, exchange } = await world(CLIENT, other);
    const code = (await allowed({ state: 'right' })).searchParams.get('code') ?? '';
    for (const change of [
      { client_secret: 'wrong' },
      { client_secret: 'p lu&s=per%cent' },
      { client_id: 'nobody' },
      { client_id: 'other', client_secret: 'other-secret' },
      { code: 'wrong' },
      { state: 'wrong' },
      { redirect_uri: `${CLIENT.callbackUrl}/elsewhere` },
    ]) {
      const answer = await exchange({ ...credentials, code, ...change });
      expect(answer.status).toBe(400);
      expect(await jsonOf(answer)).toMatchObject({ error: 'InvalidClientCredentials', message: expect.any(String) });
    }
    expect((await exchange({ ...credentials, code, state: 'right' })).status).toBe(200);
  });

  test('refuses a code after two minutes', async () => {
    const { allowed, exchange, clock } = await world();
    const code = (await allowed()).searchParams.get('code') ?? '';
    clock.now += 2 * 60_000;
    expect((await exchange({ ...credentials, code })).status).toBe(400);
  });
});
