/**
 * What a login sends over the network: the token request, as it is and without following redirects, and the question
 * whose token it is. Put together here because commands don't know connections.
 */
import { type Account, account } from './contract/account.js';
import type { Answer } from './contract/vocabulary.js';
import type { Send } from './http.js';
import type { Env } from './io.js';

export interface LoginConnection {
  /** Sends one request; follows no redirect, adds no token. */
  readonly send: Send;
  /** The account that a token belongs to. @throws EduError `unauthenticated` when the service does not accept it */
  readonly verify: (token: string) => Promise<Answer<typeof Account>>;
  readonly close: () => Promise<void>;
}

/** In milliseconds. The exchange has its own limit for the whole of it. */
const TIMEOUTS = { connect: 10_000, firstByte: 30_000, silence: 30_000 };

/** Makes the connection of a login. It connects to nothing by itself. */
export async function connectLogin(baseUrl: string, env: Env, signal: AbortSignal): Promise<LoginConnection> {
  const { createNetwork } = await import('./transport/network.js');
  const network = createNetwork({ timeouts: TIMEOUTS, env });
  return {
    send: network.send,
    close: network.close,
    verify: async (token) => {
      const { authorized } = await import('./transport/authorization.js');
      const { createClient } = await import('./client/create.js');
      const give = async (): Promise<string> => token;
      const send = authorized(network.send, { origin: baseUrl, token: give });
      return createClient({ send, baseUrl, token: give }).call(account.show, {}, { signal });
    },
  };
}
