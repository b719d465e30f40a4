/** The connection of a login, and its `GET account` with the token. */
import type { TraceEvent } from '../../client/request/client-state.js';
import { type Account, account } from '../../contract/account.js';
import type { Answer } from '../../contract/vocabulary.js';
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
  /** Retries of `verify`; by default those of the client. */
  readonly retries?: number | undefined;
  /** Timeout of `verify` in milliseconds; by default that of the client. */
  readonly timeout?: number | undefined;
  /** Called for each request, without secrets, for `--debug`. */
  readonly onTrace?: ((event: TraceEvent) => void) | undefined;
}

/** Connects with the first request. */
export async function connectLogin(options: LoginConnectionOptions) {
  const { baseUrl, env, insecure, plainHosts, signal, retries, timeout, onTrace } = options;
  const { createNetwork, networkTimeouts } = await import('../../client/transport/network.js');
  const network = createNetwork({ timeouts: networkTimeouts(), env, insecure, plainHosts });
  return {
    send: network.send,
    trace: onTrace,
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
