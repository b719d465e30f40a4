/** The requests of a login: the token request, without following redirects, and `GET account` with the token. */
import { requestIdOf } from '../../client/request/answer.js';
import type { TraceEvent } from '../../client/request/client-state.js';
import { type Account, account } from '../../contract/account.js';
import type { Answer } from '../../contract/vocabulary.js';
import type { Send } from '../../core/http.js';
import type { Env } from '../../core/io.js';
import { version } from '../../core/version.js';

export type LoginConnection = Awaited<ReturnType<typeof connectLogin>>;

interface LoginConnectionOptions {
  readonly baseUrl: string;
  readonly env: Env;
  /** `--insecure`: certificates are not verified. */
  readonly insecure?: boolean | undefined;
  /** `--insecure-http`: hosts that may get secrets over http. */
  readonly plainHosts: readonly string[];
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Retries of `verify`; by default those of the client. */
  readonly retries?: number | undefined;
  /** Timeout of `verify` in milliseconds; by default that of the client. */
  readonly timeout?: number | undefined;
  /** Called for each request, without secrets, for `--debug`. */
  readonly onTrace?: ((event: TraceEvent) => void) | undefined;
}

/** In milliseconds. The token exchange also has a timeout as a whole. */
const TIMEOUTS = { connect: 10_000, firstByte: 30_000, silence: 30_000 };

/** Connects with the first request. */
export async function connectLogin(options: LoginConnectionOptions) {
  const { baseUrl, env, insecure, plainHosts, signal, retries, timeout, onTrace } = options;
  const { createNetwork } = await import('../../client/transport/network.js');
  const network = createNetwork({ timeouts: TIMEOUTS, env, insecure, plainHosts });
  return {
    /** Sends one request without following redirects or adding a token. */
    send: onTrace ? traced(network.send, options.now, onTrace) : network.send,
    close: network.close,
    /** The account of a token. @throws EduError `unauthenticated` if the service rejects it */
    verify: async (token: string): Promise<Answer<typeof Account>> => {
      const { authorized } = await import('../../client/transport/authorization.js');
      const { createClient } = await import('../../client/request/create-client.js');
      const client = createClient({
        send: authorized(network.send, { origin: baseUrl, token }),
        baseUrl,
        token,
        retries,
        timeoutMs: timeout,
        trace: onTrace,
        userAgent: `edu/${version()}`,
      });
      return client.call(account.show, {}, { signal });
    },
  };
}

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
