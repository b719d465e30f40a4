/** The requests of a login: the token request, without following redirects, and `GET account` with the token. */
import { requestIdOf } from '../../client/request/answer.js';
import type { TraceEvent } from '../../client/request/client-state.js';
import { type Account, account } from '../../contract/account.js';
import type { Answer } from '../../contract/vocabulary.js';
import type { Send } from '../../core/http.js';
import type { Env } from '../../core/io.js';
import { version } from '../../core/version.js';

export interface LoginConnection {
  /** Sends one request; follows no redirect, adds no token. */
  readonly send: Send;
  /** The account that a token belongs to. @throws EduError `unauthenticated` when the service does not accept it */
  readonly verify: (token: string) => Promise<Answer<typeof Account>>;
  readonly close: () => Promise<void>;
}

export interface LoginConnectionOptions {
  readonly baseUrl: string;
  readonly env: Env;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Attempts of the question after the first; the client's own number if left out. */
  readonly retries?: number | undefined;
  /** Milliseconds that the question may take; the client's own limit if left out. */
  readonly timeout?: number | undefined;
  /** Observes the requests, for `--debug`. It gets no secret. */
  readonly onTrace?: ((event: TraceEvent) => void) | undefined;
}

/** In milliseconds. The exchange has its own limit for the whole of it. */
const TIMEOUTS = { connect: 10_000, firstByte: 30_000, silence: 30_000 };

/** Creates the connection of a login; it connects with the first request. */
export async function connectLogin(options: LoginConnectionOptions): Promise<LoginConnection> {
  const { baseUrl, env, signal, retries, timeout, onTrace } = options;
  const { createNetwork } = await import('../../client/transport/network.js');
  const network = createNetwork({ timeouts: TIMEOUTS, env });
  return {
    send: onTrace ? traced(network.send, options.now, onTrace) : network.send,
    close: network.close,
    verify: async (token) => {
      const { authorized } = await import('../../client/transport/authorization.js');
      const { createClient } = await import('../../client/request/create-client.js');
      const give = async (): Promise<string> => token;
      const send = authorized(network.send, { origin: baseUrl, token: give });
      const timeouts = timeout === undefined ? {} : { whole: timeout };
      const userAgent = `edu/${version()}`;
      const client = createClient({ send, baseUrl, token: give, retries, timeouts, onTrace, userAgent });
      return client.call(account.show, {}, { signal });
    },
  };
}

/** Tells of each request of the login: its secrets travel in the body, which is not told. */
function traced(send: Send, now: () => number, onTrace: (event: TraceEvent) => void): Send {
  let attempt = 0;
  return async (request) => {
    const start = now();
    const { method, url } = request;
    attempt += 1;
    try {
      const { status, headers, body } = await send(request);
      onTrace({ method, url, attempt, status, durationMs: now() - start, requestId: requestIdOf(headers) });
      return { status, headers, body };
    } catch (error) {
      onTrace({ method, url, attempt, durationMs: now() - start, error: error instanceof Error ? error.message : '' });
      throw error;
    }
  };
}
