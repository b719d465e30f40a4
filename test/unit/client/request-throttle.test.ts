/** Lists of an export against a service with a limit, in simulated time: the rate is learned, for all lists together. */
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../../src/client/request/create-client.js';
import { RequestThrottle } from '../../../src/client/request/request-throttle.js';
import { publishers } from '../../../src/contract/publishers.js';
import type { HttpResponse } from '../../../src/core/http.js';

/** Time that passes only while everything sleeps. */
function simulated() {
  let now = 0;
  const sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  return {
    clock: {
      now: () => now,
      sleep: (ms: number) => new Promise<void>((wake) => sleepers.push({ at: now + ms, wake })),
      after: () => () => {},
    },
    async runUntil(end: number): Promise<void> {
      while (now < end) {
        await turn();
        sleepers.sort((a, b) => a.at - b.at);
        const next = sleepers.shift();
        if (next === undefined) return;
        now = Math.max(now, next.at);
        next.wake();
      }
    },
  };
}

/**
 * @param machines exports that do not know of each other
 * @param isByMinute the service counts the requests of each minute of the clock
 */
async function exported({
  perSecond,
  lists,
  machines = 1,
  // Long enough for the first refusals to weigh little.
  seconds = Math.min(120, 4800 / perSecond),
  retryAfter = '',
  isByMinute = false,
}: Readonly<Record<'perSecond' | 'lists', number>> & {
  machines?: number;
  seconds?: number;
  retryAfter?: string;
  isByMinute?: boolean;
}) {
  const { clock, runUntil } = simulated();
  let [allowance, filledAt, accepted, refused] = [perSecond, 0, 0, 0];
  const answer = (status: number, headers: Record<string, string>, body: unknown): HttpResponse => ({
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: (async function* () {
      yield Buffer.from(JSON.stringify(body));
    })(),
  });
  const send = async (): Promise<HttpResponse> => {
    await clock.sleep(20);
    const now = clock.now();
    const isNewMinute = Math.floor(now / 60_000) > Math.floor(filledAt / 60_000) || accepted + refused === 0;
    if (!isByMinute) allowance = Math.min(perSecond, allowance + ((now - filledAt) * perSecond) / 1000);
    else if (isNewMinute) allowance = 60 * perSecond;
    filledAt = now;
    if (allowance < 1) {
      refused++;
      return answer(429, retryAfter === '' ? {} : { 'retry-after': retryAfter }, {});
    }
    allowance--;
    accepted++;
    const id = String(accepted);
    return answer(200, {}, { publishers: [{ id }], paging: { nextCursor: id } });
  };
  let seed = 1;
  const random = (): number => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const throttles = Array.from({ length: machines }, () => new RequestThrottle(clock, 300_000));
  for (const throttle of throttles) {
    const client = createClient({ send, baseUrl: 'http://127.0.0.1:1', token: 't', clock, random, maxWaitMs: 300_000 });
    for (let list = 0; list < lists; list++)
      void (async () => {
        for await (const _ of client.pages(publishers.list, {}, { throttle }));
      })();
  }
  await runUntil(seconds * 1000);
  return {
    share: accepted / (perSecond * seconds),
    refused: refused / (accepted + refused),
    rates: throttles.map(({ rate }) => rate.learned),
  };
}

describe('a limit of the service', () => {
  test.each([
    [15, 8, ''],
    [15, 1, ''],
    [15, 8, '1'],
    [5, 1, '1'],
    [15, 8, '0'],
    [40, 32, ''],
  ])('of %d requests per second is learned by %d lists, Retry-After "%s"', async (perSecond, lists, retryAfter) => {
    const { share, refused } = await exported({ perSecond, lists, retryAfter });
    expect(share).toBeGreaterThan(0.9);
    expect(refused).toBeLessThan(0.05);
  });

  test.each(['', '30'])('of 600 requests per minute is used up, Retry-After "%s"', async (retryAfter) => {
    const { share, refused } = await exported({ perSecond: 10, lists: 8, retryAfter, isByMinute: true, seconds: 360 });
    expect(share).toBeGreaterThan(0.95);
    expect(refused).toBeLessThan(0.05);
  });

  test('that shards share is learned by each', async () => {
    const { share, refused, rates } = await exported({ perSecond: 15, lists: 4, machines: 4 });
    expect(share).toBeGreaterThan(0.95);
    expect(refused).toBeLessThan(0.1);
    // Badly: one may send nearly twice as often as another.
    for (const rate of rates) expect(rate).toBeLessThan(7.5);
  });
});
