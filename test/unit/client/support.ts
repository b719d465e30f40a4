/** A client with scripted responses and a clock that tests move. */
import type { Client } from '../../../src/client/request/client.js';
import type { ClientOptions } from '../../../src/client/request/client-state.js';
import { createClient } from '../../../src/client/request/create-client.js';
import { NoResponse, type NoResponseFacts } from '../../../src/client/request/no-response.js';
import { type MovedClock, movedClock } from '../../support/moved-clock.js';
import { type Scripted, type Sent, type Step, scripted } from '../../support/scripted-send.js';

export { failure } from '../../support/failure.js';

export const BASE = 'https://api.example';

export interface Bench extends Scripted {
  readonly client: Client;
  readonly clock: MovedClock;
  /** `GET /v1/account` of each request so far. */
  readonly lines: () => string[];
}

export function bench(
  script: readonly Step[] | ((sent: Sent, index: number) => Step | Promise<Step>),
  options: Partial<ClientOptions> = {},
): Bench {
  const transport = scripted(script);
  const clock = movedClock();
  const client = createClient({
    baseUrl: BASE,
    token: 'tok-17',
    random: () => 0,
    // Three waits: 250, 500 and 1000 ms.
    maxWaitMs: 1750,
    clock,
    ...options,
    send: options.send ?? transport.send,
  });
  return { ...transport, client, clock, lines: () => transport.sent.map(({ method, path }) => `${method} ${path}`) };
}

/** No response; bytes were sent unless stated otherwise. */
export const lost = (facts: Partial<NoResponseFacts> = {}, message = 'the connection was closed'): NoResponse =>
  new NoResponse(message, { sent: true, ...facts });

/** All items of a list. */
export async function all<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  const items: T[] = [];
  for await (const page of pages) items.push(...page);
  return items;
}
