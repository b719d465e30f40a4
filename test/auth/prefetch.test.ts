/** Attack: a request without a person: prefetching, an image, a frame, a script of another page. */
import { describe, expect, test } from 'vitest';
import { CANARY, expectTurnedAway, rightQuery, waiting } from './support.js';

describe('a request that is no navigation', () => {
  test.each([
    [{ 'sec-purpose': 'prefetch' }, 503],
    [{ 'sec-purpose': 'prefetch;prerender' }, 503],
    [{ purpose: 'prefetch' }, 503],
    [{ 'x-moz': 'prefetch' }, 503],
    [{ 'x-purpose': 'preview' }, 503],
    [{ 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors' }, 403],
    [{ 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' }, 403],
    [{ 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' }, 403],
    [{ 'sec-fetch-dest': 'frame', 'sec-fetch-mode': 'navigate' }, 403],
    [{ 'sec-fetch-dest': 'object', 'sec-fetch-mode': 'navigate' }, 403],
    [{ 'sec-fetch-dest': 'script' }, 403],
    [{ 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'cors' }, 403],
    [{ 'sec-fetch-dest': 'websocket', 'sec-fetch-mode': 'websocket' }, 403],
    // Chromium sends neither header for a socket of a page.
    [{ origin: 'http://evil.test' }, 403],
    [{ origin: 'null' }, 403],
    [{ upgrade: 'websocket', connection: 'Upgrade' }, 403],
  ] as [Record<string, string>, number][])('%j: %i, and the code is not spent', async (headers, status) => {
    await expectTurnedAway(status, rightQuery, () => ({ headers }));
  });

  test('is accepted from a program, which sends a mode without a destination', async () => {
    const login = await waiting();
    const redirect = login.address().searchParams.get('redirect_uri');
    const page = await fetch(`${redirect}?code=${CANARY.code}&state=${login.state()}`);
    expect(page.status).toBe(200);
    await login.outcome;
  });

  test('is distinguished from a navigation, which is accepted', async () => {
    const login = await waiting();
    const headers = { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' };
    expect((await login.visit({ code: CANARY.code, state: login.state() }, { headers })).status).toBe(200);
    await login.outcome;
  });
});
