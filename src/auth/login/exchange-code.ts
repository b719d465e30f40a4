/**
 * Exchanges the code, which works once, for a token (service-api-v1.md, "Flow" 3). The service's encoding of the request
 * is not documented.
 */
import type { Attempt, Client } from '../../client/request/client.js';
import type { TraceEvent } from '../../client/request/client-state.js';
import type { Clock } from '../../client/request/clock.js';
import { createClient } from '../../client/request/create-client.js';
import { oauth, TOKEN_ERRORS } from '../../contract/oauth.js';
import { EduError } from '../../core/errors.js';
import type { Send } from '../../core/http.js';
import { isObject } from '../../core/json.js';
import { version } from '../../core/version.js';
import { isToken } from '../credentials/credentials.js';

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

interface ExchangeTools {
  readonly send: Send;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly trace?: ((event: TraceEvent) => void) | undefined;
}

const MAX_BYTES = 64 * 1024;
/** Waits before further attempts if no byte was sent. */
const PAUSES_MS = [300, 1_000];
/** Max wait that the service may ask for. */
const MAX_WAIT_MS = 30_000;

const CREDENTIALS =
  'Check client ID and client secret with the operator of the service, then run `edu auth login` again: a code works once.';

/** A documented error, of which the status is not documented, so that it may come with 200. */
const namesTokenError = ({ message }: EduError): boolean => TOKEN_ERRORS.some((name) => message.includes(name));

/** True if the service did not find the parameters, so that the other encoding may work. */
function isNotUnderstood({ is, error }: Exclude<Attempt, { is: 'done' }>): boolean {
  if (namesTokenError(error)) return error.message.includes('MissingClient');
  const status = is === 'refused' ? error.status : undefined;
  if (status !== 400 && status !== 422) return status === 415;
  return /missing|unsupported|content.?type|media.?type|required/i.test(error.message);
}

const unusable = (what: string): EduError =>
  new EduError('invalid_response', `the token response contains ${what}`, {
    isReason: true,
    method: oauth.token.method,
    path: oauth.token.path,
    hint: 'Check the base URL: edu config get base-url',
  });

/** The token of a response. @throws EduError `invalid_response`, `refused` */
function tokenIn(value: unknown): string {
  const { access_token: token, token_type: type = null, error = null } = isObject(value) ? value : {};
  if (error !== null) throw unusable('an error').with({ kind: 'refused', hint: CREDENTIALS });
  if (typeof token !== 'string' || !isToken(token)) throw unusable('no usable access token');
  if (type !== null && String(type).toLowerCase() !== 'bearer') throw unusable('a token that is not of type bearer');
  return token;
}

/** Sends the token request. A request that did not arrive is sent again, and one that the service defers, once. */
async function send(
  client: Pick<Client, 'attempt'>,
  { clientId: client_id, clientSecret: client_secret, code, state }: Exchange,
  encoding: Encoding,
  { clock, signal }: Pick<ExchangeTools, 'clock' | 'signal'>,
): Promise<Attempt> {
  // `safe`, because the response has no ID of an item.
  const endpoint = { ...oauth.token, encoding, repeat: 'safe' as const };
  let isDeferred = false;
  for (let number = 0; ; number++) {
    const attempt = await client.attempt(endpoint, { body: { client_id, client_secret, code, state } }, { signal });
    if (attempt.is !== 'undone' && attempt.is !== 'unknown') return attempt;
    const { error, wait = MAX_WAIT_MS, hopeless } = attempt;
    const isUnsent = attempt.is === 'undone' && error.status === undefined && !hopeless;
    const isAgain: boolean = error.kind === 'unavailable' && !isDeferred && wait < MAX_WAIT_MS;
    const pause = isUnsent ? PAUSES_MS[number] : isAgain ? wait : undefined;
    if (pause === undefined) return attempt;
    isDeferred ||= isAgain;
    await clock.sleep(pause, signal);
  }
}

/** Exchanges a code for an access token. @throws EduError with the service's message but without secrets */
export async function exchange(facts: Exchange, { send: sendRequest, clock, signal, trace }: ExchangeTools) {
  const client = createClient({
    send: sendRequest,
    baseUrl: facts.baseUrl,
    secrets: [facts.clientSecret, facts.code, facts.state],
    clock,
    trace,
    maxBytes: MAX_BYTES,
    userAgent: `edu/${version()}`,
  });
  let encoding = facts.encoding ?? 'form';
  for (let isFirst = true; ; isFirst = false) {
    const attempt = await send(client, facts, encoding, { clock, signal });
    if (attempt.is === 'done') return { token: tokenIn(attempt.value), encoding };
    if (isFirst && isNotUnderstood(attempt)) {
      encoding = encoding === 'form' ? 'json' : 'form';
      continue;
    }
    const { error } = attempt;
    if (namesTokenError(error)) throw error.with({ kind: 'refused', hint: CREDENTIALS });
    if (attempt.is !== 'refused' || ['invalid_response', 'server_error'].includes(error.kind)) throw error;
    throw error.with({ kind: 'refused', hint: error.hint ?? CREDENTIALS });
  }
}
