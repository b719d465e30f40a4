/** Attack: another program holds the port, on IPv4 or IPv6, and would receive the code. */
import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readCallbackUrl } from '../../src/settings/callback-url.js';
import { failure } from '../support/failure.js';
import { freePort, scenario, waiting } from './support.js';

async function occupy(host: string, port: number): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, ipv6Only: host.includes(':') }, resolve);
  });
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
}

describe('a port that is taken', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['localhost', '127.0.0.1'],
    ['localhost', '::1'],
    ['[::1]', '::1'],
    ['127.0.0.1', '0.0.0.0'],
  ])('callback on %s, another program on %s: nothing is opened, and the port is named', async (hostname, taken) => {
    const port = await freePort();
    await occupy(taken, port);
    const opened: string[] = [];
    const login = await scenario({
      callbackUrl: `http://${hostname}:${port}/callback`,
      open: async (address) => {
        opened.push(address);
        return { opened: true };
      },
    });
    const error = await failure(login.outcome);
    expect(error.kind).toBe('usage');
    expect(error.message).toContain(`another program uses port ${port}`);
    expect(error.hint).toContain('edu auth login --paste');
    expect(error.hint).toContain('edu config set callback-url');
    expect(opened).toEqual([]);
    expect(login.told).toEqual([]);
    await login.expectNoCanary();
  });

  test('releases the port of the other address family', async () => {
    const port = await freePort();
    await occupy('::1', port);
    const login = await scenario({ callbackUrl: `http://localhost:${port}/callback` });
    await failure(login.outcome);
    await occupy('127.0.0.1', port);
  });

  test.each([
    ['http://127.0.0.1:8976/callback', true],
    ['http://localhost:8976', true],
    ['http://[::1]:8976/cb', true],
    ['http://127.0.0.1/callback', false],
    ['https://127.0.0.1:8976/callback', false],
    ['http://app.example.com:8976/callback', false],
    ['http://0.0.0.0:8976/callback', false],
    ['http://localhost.example.com:8976/callback', false],
  ])('checks whether %s can be listened on: %s', (url, local) => {
    expect(readCallbackUrl(url, 'callback-url').local).toBe(local);
  });

  test('a callback on another host opens no port and has to be pasted', async () => {
    const login = await waiting({ callbackUrl: 'https://app.example.com/callback' });
    expect(login.address().searchParams.get('redirect_uri')).toBe('https://app.example.com/callback');
    expect(login.told).toContain(
      'The browser will be redirected to https://app.example.com/callback, where edu cannot listen.',
    );
    login.paste(`https://app.example.com/callback?code=c&state=${login.state()}`);
    await login.outcome;
  });
});
