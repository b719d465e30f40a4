/** Attack: the token endpoint redirects, returns invalid data, is slow or huge, or repeats what it was sent. */
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { credentialsFile, storedFor } from '../../src/auth/credentials/credentials.js';
import { NoResponse } from '../../src/client/request/no-response.js';
import type { EduError } from '../../src/core/errors.js';
import type { HttpResponse, Send } from '../../src/core/http.js';
import { failure } from '../support/failure.js';
import { CANARY, json, type Scenario, scenario, tokenGiven, waiting } from './support.js';

/** Logs in against a sequence of responses; the last one repeats. */
async function against(...answers: (HttpResponse | Error)[]): Promise<Scenario> {
  let next = 0;
  const send: Send = async () => {
    const answer = answers[Math.min(next++, answers.length - 1)] ?? tokenGiven();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const login = await waiting({ send });
  return login;
}

async function failed(login: Scenario): Promise<EduError> {
  const page = await login.visit({ code: CANARY.code, state: login.state() });
  expect(page.status).toBe(502);
  const error = await failure(login.outcome);
  expect(existsSync(credentialsFile(login.env))).toBe(false);
  await login.expectNoCanary();
  return error;
}

const plain = (status: number, body: string, type = 'text/html', headers = {}): HttpResponse => ({
  status,
  headers: { 'content-type': type, ...headers },
  body,
});

describe('a token endpoint that redirects', () => {
  test.each([301, 302, 303, 307, 308])('%i is not followed', async (status) => {
    const login = await against(plain(status, '', 'text/html', { location: 'https://evil.example/token' }));
    const error = await failed(login);
    expect(error.kind).toBe('invalid_response');
    expect(error.message).toContain('a redirect to https://evil.example, which is not followed for a POST');
    expect(login.exchanges).toHaveLength(1);
  });
});

describe('a token endpoint with an invalid response', () => {
  test.each([
    ['an error with status 200', json(200, { error: 'InvalidClientCredentials', message: 'wrong' }), 'refused'],
    ['an error beside a token', json(200, { error: 'x', access_token: CANARY.token }), 'refused'],
    ['a page', plain(200, '<!doctype html><title>Welcome</title>'), 'invalid_response'],
    ['nothing', plain(200, ''), 'invalid_response'],
    ['null', json(200, null), 'invalid_response'],
    ['a list', json(200, []), 'invalid_response'],
    ['cut JSON', plain(200, `{"access_token":"${CANARY.token}`, 'application/json'), 'invalid_response'],
    ['no token', json(200, { token_type: 'bearer' }), 'invalid_response'],
    ['a token that is a number', json(200, { access_token: 7 }), 'invalid_response'],
    ['an empty token', json(200, { access_token: '' }), 'invalid_response'],
    ['a token that breaks headers', json(200, { access_token: 'a\r\nX-Evil: 1' }), 'invalid_response'],
    ['a token with letters that no header takes', json(200, { access_token: 'tökén' }), 'invalid_response'],
    ['a token of another kind', json(200, { access_token: CANARY.token, token_type: 'mac' }), 'invalid_response'],
    ['a 404', plain(404, 'not here'), 'refused'],
    ['a 401', json(401, { error: 'InvalidClientCredentials', message: 'wrong' }), 'refused'],
    ['a 403 without a reason', plain(403, ''), 'refused'],
    ['a 500', json(500, { error: 'oops', message: 'boom' }), 'server_error'],
    ['a 502 page', plain(502, '<html><title>Bad gateway</title></html>'), 'server_error'],
  ])('%s: nothing is stored, nothing sent again', async (_, answer, kind) => {
    const login = await against(answer);
    const error = await failed(login);
    expect(error.kind).toBe(kind);
    const check =
      answer.status === 404 ? /^Check the base URL/ : /^Check client ID and client secret with the operator/;
    if (kind === 'refused') expect(error.hint).toMatch(check);
    expect(login.exchanges).toHaveLength(1);
  });

  test.each([
    ['an error', { error: 'x', access_token: CANARY.token }],
    ['no usable access token', { access_token: '' }],
    ['a token that is not of type bearer', { access_token: CANARY.token, token_type: 'mac' }],
  ])('is named: %s', async (what, answer) => {
    const { message } = await failed(await against(json(200, answer)));
    expect(message).toContain(`the token response contains ${what}`);
  });

  test('does not make edu show the secrets that it repeats', async () => {
    const said = `code ${CANARY.code}, secret ${CANARY.secret} or ${encodeURIComponent(CANARY.secret)}`;
    const login = await against(json(400, { error: 'InvalidClientCredentials', message: said }));
    const error = await failed(login);
    expect(error.message).toContain('InvalidClientCredentials');
    expect(error.message).not.toContain('canary');
  });

  test('cannot move the cursor by its text', async () => {
    const login = await against(json(400, { error: 'x', message: '\x1b[2J\x1b]0;evil\x07 \u202e gone\r\nfake line' }));
    const { message } = await failed(login);
    expect(message).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/);
  });
});

describe('a token endpoint that is huge or slow', () => {
  test('is read for 64 KiB at most', async () => {
    let produced = 0;
    const endless = async function* (): AsyncGenerator<Uint8Array> {
      for (; produced < 1_000; produced++) yield Buffer.alloc(1024, ' ');
    };
    const login = await against({ status: 200, headers: {}, body: endless() });
    const error = await failed(login);
    expect(error.kind).toBe('invalid_response');
    expect(produced).toBeLessThan(70);
  });

  test.each(['headers', 'body'])('is given up after 30 s without %s, and nothing is sent again', async (slow) => {
    let stop: (error: Error) => void = () => {};
    const never = new Promise<never>((_, reject) => {
      stop = reject;
    });
    const trickle = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('{');
      await never;
    };
    const login = await scenario({
      send: async ({ signal }) => {
        signal?.addEventListener('abort', () => stop(new NoResponse('the request was cancelled', { sent: true })));
        setImmediate(() => login.clock.advance(30_000));
        return slow === 'headers' ? never : { status: 200, headers: {}, body: trickle() };
      },
    });
    await login.waiting;
    const error = await failed(login);
    expect(error.kind).toBe('unreachable');
    expect(error.message).toContain('no complete response arrived within 30 s');
    expect(login.exchanges).toHaveLength(1);
  });
});

describe('retries', () => {
  const notSent = new NoResponse('the connection was refused', { sent: false });
  const cut = new NoResponse('the connection was closed', { sent: true });

  test('repeat a request of which no byte was sent', async () => {
    const login = await against(notSent, notSent, tokenGiven());
    const visit = login.visit({ code: CANARY.code, state: login.state() });
    await advanceUntil(login, visit);
    await login.outcome;
    expect(pausesOf(login)).toEqual([500, 1_000]);
  });

  test('end after three', async () => {
    const login = await against(notSent);
    const visit = failed(login);
    await advanceUntil(login, visit);
    expect((await visit).kind).toBe('unreachable');
    expect(login.exchanges).toHaveLength(3);
  });

  test('do not follow an unclear failure, which may have spent the code', async () => {
    const login = await against(cut);
    expect((await failed(login)).kind).toBe('unreachable');
    expect(login.exchanges).toHaveLength(1);
  });

  test.each([429, 503])('follow %i with Retry-After once', async (status) => {
    const later = json(status, { message: 'later' }, { 'retry-after': '2' });
    const login = await against(later, later);
    const visit = failed(login);
    await advanceUntil(login, visit);
    expect((await visit).kind).toBe('unavailable');
    expect(pausesOf(login)).toEqual([2_000]);
  });

  test.each([
    ['without Retry-After', json(503, {})],
    ['with one that is too long', json(429, {}, { 'retry-after': '3600' })],
  ])('do not follow 503 or 429 %s', async (_, answer) => {
    const login = await against(answer);
    expect((await failed(login)).kind).toBe('unavailable');
    expect(login.exchanges).toHaveLength(1);
  });

  test.each([
    ['MissingClientCredentials', json(400, { error: 'MissingClientCredentials', message: 'client_id is missing' })],
    ['MissingClientCredentials with status 200', json(200, { error: 'MissingClientCredentials', message: 'x' })],
    ['415, whatever its page says', plain(415, '<html>Sorry</html>')],
    ['400 about a missing parameter', json(400, { message: 'required parameter missing' })],
  ])('switch to JSON after %s, and remember it', async (_, answer) => {
    const login = await against(answer, tokenGiven());
    expect((await login.visit({ code: CANARY.code, state: login.state() })).status).toBe(200);
    await login.outcome;
    expect(login.exchanges.map(({ request }) => request.headers['content-type'])).toEqual([
      'application/x-www-form-urlencoded',
      'application/json',
    ]);
    expect(JSON.parse(login.exchanges[1]?.body ?? '')).toEqual({
      client_id: 'client-1',
      client_secret: CANARY.secret,
      code: CANARY.code,
      state: login.state(),
    });
    const kept = storedFor({ env: login.env, profile: 'default', baseUrl: 'https://api.example.com' });
    expect(kept?.tokenEncoding).toBe('json');
    const again = await waiting({ env: { EDU_CONFIG_DIR: login.env.EDU_CONFIG_DIR ?? '' } });
    await again.visit({ code: CANARY.code, state: again.state() });
    await again.outcome;
    expect(again.exchanges.map(({ request }) => request.headers['content-type'])).toEqual(['application/json']);
  });

  test('end when both encodings are refused', async () => {
    const login = await against(json(400, { error: 'MissingClientCredentials', message: 'x' }));
    expect((await failed(login)).kind).toBe('refused');
    expect(login.exchanges).toHaveLength(2);
  });
});

describe('valid responses', () => {
  test.each([
    ['form-encoded, as a text', plain(200, `access_token=${CANARY.token}&scope=read all,/x\n`, 'text/plain')],
    ['Bearer in capitals', json(200, { access_token: CANARY.token, token_type: 'Bearer' })],
    ['without token_type', json(201, { access_token: CANARY.token })],
    ['with more fields and null errors', json(200, { access_token: CANARY.token, error: null, expires_in: 3600 })],
  ])('%s', async (_, answer) => {
    const login = await against(answer);
    expect((await login.visit({ code: CANARY.code, state: login.state() })).status).toBe(200);
    await login.outcome;
    const kept = storedFor({ env: login.env, profile: 'default', baseUrl: 'https://api.example.com' });
    expect(kept?.accessToken).toBe(CANARY.token);
  });
});

/** The milliseconds between the token requests, in the steps of `advanceUntil`. */
const pausesOf = ({ exchanges }: Scenario): number[] =>
  exchanges.slice(1).map(({ at }, index) => at - (exchanges[index]?.at ?? 0));

/** Moves the clock in steps until the work is done. */
async function advanceUntil(login: Scenario, work: Promise<unknown>): Promise<void> {
  let done = false;
  const end = work.then(
    () => (done = true),
    () => (done = true),
  );
  while (!done) {
    login.clock.advance(500);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await end;
}
