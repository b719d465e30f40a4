/** The authorization-code flow ("Authentication"). */
import { describe, expect, it } from 'vitest';
import { type Answered, exchange, queryString } from './actor.js';
import type { Door } from './door.js';
import { conformance, type Service } from './suite.js';

const authorize = '/login/oauth/authorize';
const tokenRequest = '/login/oauth/access_token';

type Fields = Readonly<Record<string, string | undefined>>;

const ask = (door: Door, query: Fields): Promise<Answered> => exchange(door, 'GET', authorize, { query });

const form = (fields: Fields) => ({
  raw: { contentType: 'application/x-www-form-urlencoded', body: queryString(fields).slice(1) },
});

const exchangeCode = (door: Door, fields: Fields): Promise<Answered> =>
  exchange(door, 'POST', tokenRequest, form(fields));

/** The redirect target of a response. */
function redirectOf(answer: Answered): URL {
  expect(answer.status).toBeGreaterThanOrEqual(300);
  expect(answer.status).toBeLessThan(400);
  return new URL(answer.headers.location ?? '');
}

const parametersOf = (url: URL): Fields => Object.fromEntries(url.searchParams);
const withoutQuery = (url: URL): string => url.origin + url.pathname;

/** Submits the bundled service's consent page as a browser would. */
async function consent(door: Door, query: Fields, decision: 'allow' | 'deny', persona = 'school'): Promise<URL> {
  const page = await ask(door, query);
  expect(page.status).toBe(200);
  const action = /<form method="post" action="([^"]+)"/.exec(page.text)?.[1] ?? '';
  const hidden = /<input type="hidden" name="([^"]+)" value="([^"]+)"/.exec(page.text);
  const target = new URL(action, `${door.baseUrl}${authorize}`).href.slice(door.baseUrl.length);
  const fields = { [hidden?.[1] ?? '']: hidden?.[2], persona, decision };
  return redirectOf(await exchange(door, 'POST', target, form(fields), { origin: new URL(door.baseUrl).origin }));
}

conformance('OAuth', ({ door, bearing, ours, describeOurs }: Service) => {
  const client = () => ({ client_id: door().application.clientId });
  const credentials = () => ({ ...client(), client_secret: door().application.clientSecret });
  const callback = (change: (url: URL) => void): string => {
    const url = new URL(door().application.callbackUrl);
    change(url);
    return url.href;
  };

  describe('redirect URI', () => {
    const rejected: readonly (readonly [what: string, change: (url: URL) => void])[] = [
      ['a different path', (url) => (url.pathname = '/elsewhere')],
      ['a path that only begins alike', (url) => (url.pathname += 'x')],
      ['the root path', (url) => (url.pathname = '/')],
      ['another port', (url) => (url.port = url.port === '8977' ? '8978' : '8977')],
      ['another subdomain', (url) => (url.hostname = 'sub.localhost')],
      ['another host', (url) => (url.hostname = 'example.com')],
    ];
    it.each(rejected)(
      '[redirect-uri-rejected] rejects %s with a redirect to the registered callback',
      async (_, change) => {
        const query = { ...client(), redirect_uri: callback(change), state: 's&=+ä' };
        const target = redirectOf(await ask(door(), query));
        expect(withoutQuery(target)).toBe(door().application.callbackUrl);
        expect(parametersOf(target)).toEqual({
          error: 'redirect_uri_mismatch',
          error_description: expect.stringMatching(/\w+ \w+/),
          state: 's&=+ä',
        });
      },
    );

    it.each([
      ['none', undefined],
      ['the same path', () => {}],
      ['a deeper path', (url: URL) => (url.pathname += '/deeper/still')],
    ] as const)('[redirect-uri-accepted] accepts %s', async (_, change) => {
      const query = { ...client(), state: 's', ...(change ? { redirect_uri: callback(change) } : {}) };
      const answer = await ask(door(), query);
      expect(answer.status).toBeLessThan(400);
      expect(answer.headers.location ?? '').not.toContain('redirect_uri_mismatch');
    });
  });

  describe('token request', () => {
    it.each(['client_id', 'client_secret', 'code'])(
      '[token-missing] returns MissingClientCredentials when %s is missing',
      async (name) => {
        const fields = { ...credentials(), code: 'c', state: 's', [name]: undefined };
        const answer = await exchangeCode(door(), fields);
        expect(answer.status).not.toBe(200);
        expect(JSON.parse(answer.text)).toEqual({
          error: 'MissingClientCredentials',
          message: expect.any(String),
        });
      },
    );

    it.each(['client_id', 'client_secret', 'code'])(
      '[token-invalid] returns InvalidClientCredentials when %s is wrong',
      async (name) => {
        const answer = await exchangeCode(door(), { ...credentials(), code: 'c', [name]: 'wrong' });
        expect(answer.status).not.toBe(200);
        expect(JSON.parse(answer.text)).toEqual({
          error: 'InvalidClientCredentials',
          message: expect.any(String),
        });
      },
    );
  });

  describeOurs('the whole flow', () => {
    const codeFor = async (state: string | undefined, persona?: string) => {
      const target = await consent(door(), { ...client(), state }, 'allow', persona);
      expect(withoutQuery(target)).toBe(door().application.callbackUrl);
      return parametersOf(target);
    };

    ours('[flow-code] redirects with code and state, and returns a bearer token for the code', async () => {
      const earlier = await codeFor(undefined);
      const { code, state } = await codeFor('st/ä+te');
      expect(state).toBe('st/ä+te');
      const answer = await exchangeCode(door(), { ...credentials(), code, state });
      expect(answer.status).toBe(200);
      const token = JSON.parse(answer.text) as { access_token: string };
      expect((await exchangeCode(door(), { ...credentials(), code: earlier.code })).status).toBe(200);
      expect(token).toEqual({ access_token: expect.any(String), scope: '', token_type: 'bearer' });
      const account = await bearing(token.access_token).ok('GET /v1/account');
      const expected = await bearing(door().token('school')).ok('GET /v1/account');
      expect(account).toEqual(expected);
    });

    ours('[flow-without-state] needs no state', async () => {
      const parameters = await codeFor(undefined);
      expect(Object.keys(parameters)).toEqual(['code']);
      expect((await exchangeCode(door(), { ...credentials(), code: parameters.code })).status).toBe(200);
    });

    ours('[flow-deeper-path] redirects to the given redirect URI', async () => {
      const redirect_uri = callback((url) => (url.pathname += '/x9'));
      const target = await consent(door(), { ...client(), redirect_uri, state: 's' }, 'allow');
      expect(withoutQuery(target)).toBe(redirect_uri);
    });

    ours('[flow-json] accepts the token request as JSON', async () => {
      const { code } = await codeFor('s');
      const answer = await exchange(door(), 'POST', tokenRequest, { json: { ...credentials(), code } });
      expect(answer.status).toBe(200);
    });

    ours('[flow-code-once] accepts a code once', async () => {
      const { code } = await codeFor('s');
      expect((await exchangeCode(door(), { ...credentials(), code })).status).toBe(200);
      const again = await exchangeCode(door(), { ...credentials(), code });
      expect(JSON.parse(again.text).error).toBe('InvalidClientCredentials');
    });

    ours('[flow-code-short-lived] refuses a code ten minutes later', async () => {
      const { code } = await codeFor('s');
      door().advance?.(600_001);
      const late = await exchangeCode(door(), { ...credentials(), code });
      expect(JSON.parse(late.text).error).toBe('InvalidClientCredentials');
    });

    ours('[flow-combination] accepts a code only with its state, and a wrong request does not spend it', async () => {
      const { code } = await codeFor('right');
      for (const wrong of [{ state: 'wrong' }, { client_secret: 'wrong' }]) {
        const answer = await exchangeCode(door(), { ...credentials(), code, ...wrong });
        expect(JSON.parse(answer.text).error).toBe('InvalidClientCredentials');
      }
      expect((await exchangeCode(door(), { ...credentials(), code, state: 'right' })).status).toBe(200);
    });

    ours('[flow-refused] redirects to the registered callback with access_denied when the user refuses', async () => {
      const redirect_uri = callback((url) => (url.pathname += '/x9'));
      const target = await consent(door(), { ...client(), redirect_uri, state: 's' }, 'deny');
      expect(withoutQuery(target)).toBe(door().application.callbackUrl);
      expect(parametersOf(target)).toEqual({
        error: 'access_denied',
        error_description: expect.any(String),
        state: 's',
      });
    });

    ours('[flow-unknown-client] does not redirect for an unknown client ID', async () => {
      for (const query of [{ client_id: 'unknown', redirect_uri: 'https://example.com/' }, {}]) {
        const answer = await ask(door(), query);
        expect(answer.status).toBe(400);
        expect(answer.headers).not.toHaveProperty('location');
      }
    });
  });

  ours('[oauth-methods] returns 404 as JSON for other methods', async () => {
    for (const [method, path] of [
      ['GET', tokenRequest],
      ['PUT', tokenRequest],
      ['DELETE', authorize],
    ] as const) {
      const answer = await exchange(door(), method, path, {});
      expect([answer.status, answer.headers['content-type']]).toEqual([
        404,
        expect.stringMatching(/^application.json/),
      ]);
    }
  });

  it('[oauth-outside-v1] is at the base URL, not under /v1', async () => {
    const answer = await exchange(door(), 'GET', `/v1${authorize}`, { query: client() });
    expect([403, 404]).toContain(answer.status);
  });
});
