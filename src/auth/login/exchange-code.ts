/** Exchanges the code, which works once, for a token (service-api-v1.md, "Flow" 3). */
import type { Clock } from '../../client/request/clock.js';
import { NoResponse } from '../../client/request/no-response.js';
import { oauth } from '../../contract/oauth.js';
import { endSentence } from '../../core/clean-text.js';
import { EduError, type ErrorKind } from '../../core/errors.js';
import { BodyTooLarge, type HttpRequest, type HttpResponse, readBytes, type Send } from '../../core/http.js';
import { readTokenAnswer, type TokenAnswer } from './token-answer.js';

export type Encoding = 'form' | 'json';

export interface Exchange {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly code: string;
  readonly state: string;
  /** The encoding that worked last time; form by default (RFC 6749, section 4.1.3). */
  readonly encoding?: Encoding | undefined;
}

export interface ExchangeTools {
  /** Must not follow redirects: a 307 would carry the secret to another host. */
  readonly send: Send;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 64 * 1024;
/** Waits before retries if no byte was sent. */
const PAUSES_MS = [300, 1_000];

/** Exchanges a code for an access token. @throws EduError with the service's message but without secrets */
export async function exchange(facts: Exchange, { send, clock, signal }: ExchangeTools) {
  const timeout = new AbortController();
  const cancel = clock.after(TIMEOUT_MS, () => timeout.abort());
  const both = AbortSignal.any([signal, timeout.signal]);
  // A slow response must not delay the end of the login.
  const aborted = new Promise<never>((_, reject) => {
    both.addEventListener('abort', () => reject(both.reason), { once: true });
  });
  aborted.catch(() => {});
  const ask = (encoding: Encoding): Promise<TokenAnswer> =>
    Promise.race([aborted, attempt(facts, encoding, { send, clock, signal: both })]);
  try {
    both.throwIfAborted();
    let encoding = facts.encoding ?? 'form';
    let answer = await ask(encoding);
    if (answer.kind === 'later') {
      const pause = answer.after;
      if (pause === undefined || pause >= TIMEOUT_MS) throw answer.error;
      await clock.sleep(pause, both);
      both.throwIfAborted();
      answer = await ask(encoding);
    }
    if (answer.kind === 'not-understood') {
      encoding = encoding === 'form' ? 'json' : 'form';
      answer = await ask(encoding);
    }
    if (answer.kind === 'token') return { token: answer.token, encoding };
    throw answer.error;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof EduError) throw error;
    throw unclear(facts.baseUrl, error, timeout.signal.aborted);
  } finally {
    cancel();
  }
}

async function attempt(facts: Exchange, encoding: Encoding, tools: ExchangeTools): Promise<TokenAnswer> {
  const response = await sendOnceArrived(tokenRequest(facts, encoding, tools.signal), tools);
  const body = (await readBytes(response.body, MAX_BYTES)).toString('utf8');
  const secrets = [facts.clientSecret, facts.code, facts.state];
  return readTokenAnswer(response.status, response.headers, body, { now: tools.clock.now(), secrets });
}

/** Retries only requests that did not arrive. */
async function sendOnceArrived(request: HttpRequest, { send, clock, signal }: ExchangeTools): Promise<HttpResponse> {
  for (let tries = 0; ; tries++) {
    try {
      return await send(request);
    } catch (error) {
      const pause = PAUSES_MS[tries];
      if (!(error instanceof NoResponse) || error.sent || !error.again || pause === undefined || signal.aborted)
        throw error;
      await clock.sleep(pause, signal);
    }
  }
}

/** The documented fields, in a body because addresses are logged. */
function tokenRequest(facts: Exchange, encoding: Encoding, signal: AbortSignal): HttpRequest {
  const { clientId, clientSecret, code, state } = facts;
  const fields = { client_id: clientId, client_secret: clientSecret, code, state };
  return {
    method: oauth.token.method,
    url: `${facts.baseUrl}${oauth.token.path}`,
    headers: {
      accept: 'application/json',
      'content-type': encoding === 'form' ? 'application/x-www-form-urlencoded' : 'application/json',
    },
    body: encoding === 'form' ? new URLSearchParams(fields).toString() : JSON.stringify(fields),
    signal,
  };
}

const AGAIN = 'Run `edu auth login` again for a new code: this one may have been used.';

function unclear(baseUrl: string, error: unknown, timedOut: boolean): EduError {
  const fail = (kind: ErrorKind, why: string, hint: string): EduError =>
    new EduError(kind, `Cannot log in: ${why}`, { method: 'POST', path: oauth.token.path, cause: error, hint });
  if (error instanceof BodyTooLarge) {
    const why = `the token response is larger than ${MAX_BYTES / 1024} KiB.`;
    return fail('invalid_response', why, 'Check the base URL: edu config get base-url');
  }
  const request = `the token request to ${baseUrl}`;
  if (timedOut || (error instanceof NoResponse && error.timedOut))
    return fail('unreachable', `${request} timed out after ${TIMEOUT_MS / 1000} seconds.`, AGAIN);
  const [why, hint] =
    error instanceof NoResponse ? [error.message, error.hint ?? AGAIN] : ['the connection was closed', AGAIN];
  return fail('unreachable', `${request} failed: ${endSentence(why)}`, hint);
}
