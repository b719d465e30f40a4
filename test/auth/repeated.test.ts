/** Attack: repeated callbacks: a reload, a race, a flood that blocks the real one. */
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { HttpResponse } from '../../src/core/http.js';
import { failure } from '../support/failure.js';
import { CANARY, json, scenario, tokenGiven, waiting } from './support.js';

describe('repeated callbacks', () => {
  test('are exchanged once, and all get the actual result', async () => {
    const gate = hold();
    const login = await waiting({ send: () => gate.answer });
    const visits = Array.from({ length: 8 }, () => login.visit({ code: CANARY.code, state: login.state() }));
    await gate.until(() => login.exchanges.length === 1);
    // Node 22 accepts connections one by one: once these have a response, it has read all callbacks.
    for (let round = 0; round < 3; round++) await login.visit('', { path: '/favicon.ico' });
    gate.open(tokenGiven());
    const pages = await Promise.all(visits);
    expect(pages.map(({ status }) => status)).toEqual(Array(8).fill(200));
    await login.outcome;
    expect(login.exchanges).toHaveLength(1);
  });

  test('with a second code get the same page, without another exchange', async () => {
    const gate = hold();
    const login = await waiting({ send: () => gate.answer });
    const first = login.visit({ code: CANARY.code, state: login.state() });
    await gate.until(() => login.exchanges.length === 1);
    const second = login.visit({ code: 'another', state: login.state() });
    // Connections are served in order: once these have a response, the second callback has been read.
    for (let round = 0; round < 3; round++) await login.visit('', { path: '/favicon.ico' });
    gate.open(json(400, { error: 'InvalidClientCredentials', message: 'no' }));
    const pages = await Promise.all([first, second]);
    expect(pages.map(({ status }) => status)).toEqual([502, 502]);
    expect(pages[0]?.body).toBe(pages[1]?.body);
    await failure(login.outcome);
    expect(login.exchanges).toHaveLength(1);
  });

  test('show success only after the token was stored', async () => {
    const login = await scenario({
      verify: async () => {
        throw new Error('not accepted');
      },
    });
    await login.waiting;
    const page = await login.visit({ code: CANARY.code, state: login.state() });
    expect(page.status).toBe(502);
    expect(page.body).not.toContain('You are logged in');
    await login.outcome.catch(() => {});
  });

  test('are accepted beside hundreds of idle connections', async () => {
    const login = await waiting();
    const sockets = Array.from({ length: 300 }, () => connect(login.port, '127.0.0.1').on('error', () => {}));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    await login.expectStillWaiting();
  });

  test('do not depend on a browser that waits for the page', async () => {
    const gate = hold();
    const login = await waiting({ send: () => gate.answer });
    const socket = connect(login.port, '127.0.0.1');
    socket.write(`GET ${login.path()}?code=x&state=${login.state()} HTTP/1.1\r\nHost: 127.0.0.1:${login.port}\r\n\r\n`);
    await gate.until(() => login.exchanges.length === 1);
    socket.destroy();
    gate.open(tokenGiven());
    await expect(login.outcome).resolves.toMatchObject({ account: { email: 'anna@example.com' } });
  });
});

/** A response that waits for the test. */
function hold(): {
  readonly answer: Promise<HttpResponse>;
  readonly open: (response: HttpResponse) => void;
  readonly until: (condition: () => boolean) => Promise<void>;
} {
  let open: (response: HttpResponse) => void = () => {};
  const answer = new Promise<HttpResponse>((resolve) => {
    open = resolve;
  });
  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) await new Promise((resolve) => setImmediate(resolve));
  };
  return { answer, open, until };
}
