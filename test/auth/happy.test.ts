import { statSync } from 'node:fs';
import { Server } from 'node:net';
import { dirname } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { credentialsFile, findAccessToken } from '../../src/auth/credentials/credentials.js';
import { isObject } from '../../src/core/json.js';
import { readSettings } from '../../src/settings/read-settings.js';
import { CANARY, rightQuery, scenario, waiting } from './support.js';

/** Lets the system refuse to listen at an address. */
function cannotListen(host: string, code: string): void {
  const listen = Server.prototype.listen;
  vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server, ...given: unknown[]) {
    if (!isObject(given[0]) || given[0].host !== host) return Reflect.apply(listen, this, given);
    setImmediate(() => this.emit('error', Object.assign(new Error(code), { code })));
    return this;
  });
}

describe('a login', () => {
  test('shows an address with exactly client_id, redirect_uri and state, and stores the token', async () => {
    const login = await waiting();
    expect(login.address().origin + login.address().pathname).toBe('https://api.example.com/login/oauth/authorize');
    expect([...login.address().searchParams.keys()]).toEqual(['client_id', 'redirect_uri', 'state']);
    expect(login.state()).toMatch(/^[\w-]{43}$/);
    expect(login.address().searchParams.get('redirect_uri')).toMatch(
      new RegExp(`^http://127\\.0\\.0\\.1:${login.port}/callback/[\\w-]{22}$`),
    );
    const page = await login.visit({ code: CANARY.code, state: login.state() });
    expect(page.status).toBe(200);
    expect(page.body).toContain('You are logged in');
    await expect(login.outcome).resolves.toEqual({
      account: { email: 'anna@example.com' },
      baseUrl: 'https://api.example.com',
      token: CANARY.token,
      file: credentialsFile(login.env),
    });
    expect(findAccessToken({ env: login.env, profile: 'default', baseUrl: 'https://api.example.com' })?.token).toBe(
      CANARY.token,
    );
    expect(readSettings(login.env).profiles.get('default')).toEqual({ 'base-url': 'https://api.example.com' });
    expect(statSync(credentialsFile(login.env)).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(credentialsFile(login.env))).mode & 0o777).toBe(0o700);
    await login.expectNoCanary();
  });

  test('sends exactly the documented fields to the token endpoint, form-urlencoded', async () => {
    const login = await waiting();
    await login.visit({ code: CANARY.code, state: login.state() });
    await login.outcome;
    expect(login.exchanges).toHaveLength(1);
    const [{ request, body } = { request: undefined, body: '' }] = login.exchanges;
    expect(request?.method).toBe('POST');
    expect(request?.url).toBe('https://api.example.com/login/oauth/access_token');
    expect(request?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(Object.keys(request?.headers ?? {})).not.toContain('authorization');
    expect([...new URLSearchParams(body)]).toEqual([
      ['client_id', 'client-1'],
      ['client_secret', CANARY.secret],
      ['code', CANARY.code],
      ['state', login.state()],
    ]);
    expect(body).toContain(`client_secret=${encodeURIComponent(CANARY.secret)}`);
  });

  test('with exact-callback returns to the callback URL itself', async () => {
    const login = await waiting({ exact: true });
    expect(login.address().searchParams.get('redirect_uri')).toBe(`http://127.0.0.1:${login.port}/callback`);
    await login.visit({ code: CANARY.code, state: login.state() });
    await login.outcome;
  });

  test('listens on both address families for localhost', async () => {
    const login = await waiting({ hostname: 'localhost' });
    const first = await login.visit({ code: CANARY.code, state: 'wrong' }, { address: '::1' });
    expect(first.status).toBe(400);
    const page = await login.visit({ code: CANARY.code, state: login.state() }, { address: '127.0.0.1' });
    expect(page.status).toBe(200);
    await login.outcome;
  });

  test.each(['EADDRNOTAVAIL', 'EAFNOSUPPORT'])('listens for localhost on a machine without IPv6: %s', async (code) => {
    cannotListen('::1', code);
    const login = await waiting({ hostname: 'localhost' });
    expect((await login.visit(rightQuery(login))).status).toBe(200);
    await login.outcome;
    await expect((await scenario({ hostname: '[::1]' })).outcome).rejects.toThrowError(
      '[::1] is not available (not an address of this machine)',
    );
  });

  test('says that its port is reserved for the system', async () => {
    cannotListen('127.0.0.1', 'EACCES');
    const login = await scenario();
    await expect(login.outcome).rejects.toMatchObject({
      message: expect.stringContaining(`port ${login.port} is reserved for the system`),
      hint: expect.stringContaining('`edu auth login --paste` needs no port'),
    });
  });

  test('uses a new state and a new path each time', async () => {
    const [one, two] = await Promise.all([scenario(), scenario()]);
    await Promise.all([one.waiting, two.waiting]);
    expect(one.state()).not.toBe(two.state());
    expect(one.path()).not.toBe(two.path());
  });

  test('opens the port before the browser', async () => {
    let port = 0;
    const login = await scenario({
      open: async (address) => {
        port = Number(new URL(new URL(address).searchParams.get('redirect_uri') ?? '').port);
        const answer = await fetch(`http://127.0.0.1:${port}/callback`);
        expect(answer.status).toBe(400);
        return { opened: true };
      },
    });
    await login.waiting;
    expect(port).toBe(login.port);
  });

  test('closes the port when it is over', async () => {
    const login = await waiting();
    await login.visit({ code: CANARY.code, state: login.state() });
    await login.outcome;
    await expect(login.visit({ code: CANARY.code, state: login.state() })).rejects.toThrowError('ECONNREFUSED');
  });
});
