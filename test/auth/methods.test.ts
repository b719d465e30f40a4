/** Attack: scripts and forms of other pages call the callback with other methods or invalid targets. */
import { describe, expect, test } from 'vitest';
import { expectTurnedAway, raw, rightQuery, waiting } from './support.js';

describe('a request that is not a plain GET', () => {
  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE'])(
    '%s: 405 without CORS headers',
    async (method) => {
      const headers = { origin: 'https://evil.example', 'access-control-request-private-network': 'true' };
      const answer = await expectTurnedAway(405, rightQuery, () => ({ method, headers }));
      expect(answer.headers.allow).toBe('GET');
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    },
  );

  test('CONNECT is not answered', async () => {
    const login = await waiting();
    expect(
      await raw(login.port, `CONNECT 127.0.0.1:${login.port} HTTP/1.1\r\nHost: 127.0.0.1:${login.port}\r\n\r\n`),
    ).toBe('');
    await login.expectStillWaiting();
  });

  test.each([
    ['two slashes', (path: string) => `/${path}`],
    ['an absolute target', (path: string, port: number) => `http://127.0.0.1:${port}${path}`],
    ['an asterisk', () => '*'],
  ])('%s: 400', async (_, target) => {
    const login = await waiting();
    const line = `GET ${target(`${login.path()}?code=x&state=${login.state()}`, login.port)} HTTP/1.1`;
    expect(await raw(login.port, `${line}\r\nHost: 127.0.0.1:${login.port}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
    await login.expectStillWaiting();
  });

  test.each([
    ...['/', '/callbackx', '/callback/', '/callback/other', '/CALLBACK', '/callback/../callback', '/%63allback'].map(
      (path) => [path, 404] as const,
    ),
    ['/favicon.ico', 204] as const,
  ])('%s is not a path of this login: %i', async (path, status) => {
    await expectTurnedAway(status, rightQuery, () => ({ path }));
  });

  test('leaves the login waiting also when it is no HTTP, or its headers never end', async () => {
    const login = await waiting();
    await raw(login.port, '\x16\x03\x01 hello\r\n\r\n').catch(() => {});
    await raw(login.port, 'GET / HTTP/1.1\r\nHost: ').catch(() => {});
    await raw(login.port, `GET / HTTP/1.1\r\nX: ${'x'.repeat(1_000_000)}\r\n\r\n`).catch(() => {});
    await login.expectStillWaiting();
  });
});
