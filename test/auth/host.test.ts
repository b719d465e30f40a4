/** Attack: a web page whose host name resolves to this machine reads or calls the callback (DNS rebinding). */
import { describe, expect, test } from 'vitest';
import { CANARY, expectTurnedAway, raw, rightQuery, waiting } from './support.js';

describe('a request for another Host than the registered one', () => {
  test.each([
    ['another name', (port: number) => `evil.example:${port}`],
    ['localhost for 127.0.0.1', (port: number) => `localhost:${port}`],
    ['no port', () => '127.0.0.1'],
    ['another port', (port: number) => `127.0.0.1:${port + 1}`],
    ['user info', (port: number) => `evil@127.0.0.1:${port}`],
    ['a suffix', (port: number) => `127.0.0.1:${port}.evil.example`],
  ])('%s: 421', async (_, host) => {
    await expectTurnedAway(421, rightQuery, ({ port }) => ({ headers: { host: host(port) } }));
  });

  test.each([
    ['none', '1.1', ''],
    ['none, over HTTP/1.0', '1.0', ''],
    ['two', '1.1', 'Host: 127.0.0.1:PORT\r\nHost: 127.0.0.1:PORT\r\n'],
    ['a right and a wrong one', '1.1', 'Host: 127.0.0.1:PORT\r\nHost: evil.example\r\n'],
  ])('%s: gets no page of the login', async (_, version, headers) => {
    const login = await waiting();
    const line = `GET ${login.path()}?code=x&state=${login.state()} HTTP/${version}`;
    const answer = await raw(login.port, `${line}\r\n${headers.replaceAll('PORT', String(login.port))}\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.[01] 421 /);
    await login.expectStillWaiting();
  });

  test('the case of the name does not matter', async () => {
    const login = await waiting({ hostname: 'localhost' });
    const host = { host: `LOCALHOST:${login.port}` };
    expect((await login.visit({ code: CANARY.code, state: login.state() }, { headers: host })).status).toBe(200);
    await login.outcome;
  });
});
