/** The login command, called by a person or a script, over a real connection to a local service. */
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { credentialsFile } from '../../src/auth/credentials/credentials.js';
import { settingsFile } from '../../src/settings/read-settings.js';
import { recordingServer } from '../support/recording-server.js';
import { skipWaits } from '../support/skip-waits.js';
import { answer, expectNoSecrets, loggedIn, SECRETS } from './logged-in.js';
import { environment, type Ran, run, service, start } from './program.js';
import { CANARY, filesUnder, freePort } from './support.js';

skipWaits();

describe('edu auth login --no-browser', () => {
  test('logs in without a terminal, and status, token and logout follow', async () => {
    const env = environment();
    const there = await service();
    const ran = await loggedIn(env, there);
    expect(ran).toMatchObject({ code: 0, stdout: '' });
    expect(ran.stderr).toContain(`Logged in as Anna Smit <anna@example.com> at ${there.baseUrl}, in profile default.`);
    expect(ran.stderr).toContain(`The token is kept in ${credentialsFile(env)}.`);
    expectNoSecrets(ran, env);
    // A secret from the environment is not stored.
    expect(readFileSync(credentialsFile(env), 'utf8')).not.toContain('canary-secret');

    const status = await run(['auth', 'status', '--json'], { env });
    expect(status).toMatchObject({ code: 0, stderr: '' });
    const login = {
      loggedIn: true,
      account: expect.objectContaining({ id: '007', email: 'anna@example.com' }),
      profile: 'default',
      baseUrl: there.baseUrl,
      token: `****${CANARY.token.slice(-4)}`,
      source: 'file',
      from: credentialsFile(env),
      folder: null,
    };
    expect(Object.entries(JSON.parse(status.stdout))).toEqual(Object.entries(login));
    expect(await run(['auth', 'token'], { env })).toEqual({ code: 0, stdout: `${CANARY.token}\n`, stderr: '' });
    expect(await run(['logout'], { env })).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(credentialsFile(env), 'utf8')).not.toContain(CANARY.token);
    const after = await run(['auth', 'status', '--json'], { env });
    expect(after).toMatchObject({ code: 4, stdout: '' });
    expect(JSON.parse(after.stderr).error).toMatchObject({ kind: 'unauthenticated' });
    expect((await run(['auth', 'logout'], { env })).stderr).toBe('Profile default was not logged in.\n');
  });

  test('the profile takes over what the next command needs', async () => {
    const env = environment();
    const there = await service();
    await loggedIn(env, there, ['--profile', 'work']);
    const settings = JSON.parse(readFileSync(settingsFile(env), 'utf8'));
    expect(settings.profiles.work).toMatchObject({ 'base-url': there.baseUrl, 'client-id': 'client-1' });
    expect((await run(['auth', 'status', '--profile', 'work'], { env })).code).toBe(0);
    expect((await run(['auth', 'status'], { env })).code).toBe(4);
  });

  test('accepts a pasted address on stdin', async () => {
    const env = environment();
    const { baseUrl } = await service();
    const login = start(['login', '--paste'], { env: { ...env, ...SECRETS, EDU_BASE_URL: baseUrl } });
    const [address] = await login.said(/^http.*authorize\?.*$/m);
    const state = new URL(address).searchParams.get('state');
    login.type(`http://127.0.0.1:8976/callback/x?code=${CANARY.code}&state=${state}\n`);
    const ran = await login.done;
    expect(ran.code).toBe(0);
    expectNoSecrets(ran, env);
  });

  test('does not store a token that the service rejects: exit 4', async () => {
    const env = environment();
    const there = await service();
    there.tokens.clear();
    const callback = `http://127.0.0.1:${await freePort()}/callback`;
    const login = start(['login', '--no-browser'], {
      env: { ...env, ...SECRETS, EDU_BASE_URL: there.baseUrl, EDU_CALLBACK_URL: callback },
    });
    const [address] = await login.said(/^http.*authorize\?.*$/m);
    await login.said(/Waiting up to/);
    expect((await answer(new URL(address), { code: CANARY.code })).status).toBe(502);
    const ran = await login.done;
    expect(ran.code).toBe(4);
    expect(filesUnder(env.HOME ?? '')).not.toContain(credentialsFile(env));
    expectNoSecrets(ran, env);
  });

  test('--timeout ends the wait: exit 7', async () => {
    const env = environment({
      ...SECRETS,
      EDU_BASE_URL: 'http://127.0.0.1:9',
      EDU_CALLBACK_URL: `http://127.0.0.1:${await freePort()}/cb`,
    });
    const ran = await run(['login', '--no-browser', '--timeout', '50ms'], { env });
    expect(ran.code).toBe(7);
    expect(ran.stderr).toContain('no redirect arrived within 50 milliseconds');
  });
});

describe('edu auth login --with-token', () => {
  test('verifies and stores the token on stdin', async () => {
    const env = environment();
    const { baseUrl, received } = await service();
    const ran = await run(['auth', 'login', '--with-token', '--base-url', baseUrl], {
      env,
      input: `${CANARY.token}\n`,
    });
    expect(ran).toMatchObject({ code: 0, stdout: '' });
    expectNoSecrets(ran, env);
    expect(received.map(({ method, url, headers }) => [method, url, headers.authorization])).toEqual([
      ['GET', '/v1/account', `Bearer ${CANARY.token}`],
    ]);
    expect((await run(['auth', 'status'], { env })).code).toBe(0);
  });

  test.each([
    [{ roles: [] }, 'Logged in at '],
    [{ id: '007' }, 'Logged in as 007 at '],
  ])('names the account %j', async (body, shown) => {
    const { origin, close } = await recordingServer(() => ({ body }));
    onTestFinished(close);
    const line = ['login', '--with-token', '--base-url', origin];
    const ran = await run(line, { env: environment(), input: `${CANARY.token}\n` });
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining(shown + origin) });
  });

  test('prints the folder that chose the profile, as auth status does', async () => {
    const env = environment();
    const { baseUrl } = await service();
    const input = `${CANARY.token}\n`;
    expect((await run(['login', '--with-token', '--base-url', baseUrl], { env, input })).code).toBe(0);
    expect((await run(['profiles', 'use', 'default', '--here'], { env })).code).toBe(0);
    const ran = await run(['login', '--with-token', '--json'], { env, input });
    expect(ran).toMatchObject({ code: 0, stdout: (await run(['auth', 'status', '--json'], { env })).stdout });
    expect(JSON.parse(ran.stdout)).toMatchObject({ profile: 'default', folder: realpathSync('.') });
  });

  test.each([
    ['', 'Cannot log in: stdin contains no token'],
    ['canary token with spaces', 'stdin contains no valid access token'],
    ['canary-one\n\ncanary-two\n', 'stdin contains more than one line'],
    ['canary\x1b[31m', 'stdin contains no valid access token'],
  ])('refuses %j: exit 2, nothing sent', async (input, message) => {
    const env = environment();
    const { baseUrl, received } = await service();
    const ran = await run(['login', '--with-token', '--base-url', baseUrl], { env, input });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(message);
    expect(ran.stderr).not.toContain('canary');
    expect(received).toEqual([]);
  });

  test('does not repeat a token given as an argument', async () => {
    const ran = await run(['login', '--with-token', CANARY.token], { env: environment(), input: '' });
    expect(ran).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Error: edu login takes no arguments.\nHint: Pipe a token in: edu login --with-token < token.txt\n',
    });
  });

  test('does not store a token that the service rejects: exit 4', async () => {
    const env = environment();
    const { baseUrl } = await service();
    const ran = await run(['login', '--with-token', '--base-url', baseUrl], { env, input: 'canary-other' });
    expect(ran.code).toBe(4);
    expect(ran.stderr).not.toContain('canary');
    expect(filesUnder(env.HOME ?? '')).toEqual([]);
  });
});

describe('looking up the account of the token', () => {
  const WAYS: readonly [string, readonly string[], Readonly<Record<string, string>>][] = [
    ['auth login --with-token', ['auth', 'login', '--with-token'], {}],
    ['auth status', ['auth', 'status'], { EDU_TOKEN: CANARY.token }],
  ];

  test.each(WAYS)('edu %s retries as often as --retries or the profile allows', async (_, words, more) => {
    const { origin, requests, close } = await recordingServer(() => ({ status: 500 }));
    onTestFinished(close);
    const env = environment({ ...more, EDU_BASE_URL: origin });
    expect((await run([...words, '--retries', '0'], { env, input: CANARY.token })).code).toBe(1);
    expect(requests).toHaveLength(1);
    expect((await run(['config', 'set', 'retries', '1'], { env })).code).toBe(0);
    expect((await run(words, { env, input: CANARY.token })).code).toBe(1);
    expect(requests).toHaveLength(3);
  });

  test.each(WAYS)('edu %s waits no longer than --timeout allows', async (_, words, more) => {
    const { origin, close } = await recordingServer(() => new Promise<undefined>(() => {}));
    onTestFinished(close);
    const env = environment({ ...more, EDU_BASE_URL: origin });
    const ran = await run([...words, '--retries', '0', '--timeout', '100ms'], { env, input: CANARY.token });
    expect(ran.code).toBe(7);
    expect(ran.stderr).toContain('no complete response arrived within 100 ms');
  });
});

describe('wrong usage', () => {
  test.each([
    ['no terminal', {}, [], 'Cannot log in without a terminal'],
    ['EDU_TOKEN', { EDU_TOKEN: 'x' }, ['--no-browser'], 'Unset it first: unset EDU_TOKEN\n'],
    ['EDU_TOKEN_COMMAND', { EDU_TOKEN_COMMAND: 'pass' }, ['--no-browser'], 'Unset it first: unset EDU_TOKEN_COMMAND'],
    ['EDU_TOKEN with a token on stdin', { EDU_TOKEN: 'x' }, ['--with-token'], 'EDU_TOKEN is set'],
    ['two ways', {}, ['--no-browser', '--with-token'], '--with-token cannot be given together with --no-browser'],
    ['nothing configured', {}, ['--no-browser'], 'Cannot log in: base-url, client-id, client-secret are missing'],
    [
      'all but one',
      { EDU_CLIENT_ID: 'c', EDU_CLIENT_SECRET: 's' },
      ['--no-browser'],
      'Cannot log in: base-url is missing.',
    ],
    ['no encryption', { EDU_BASE_URL: 'http://api.example.com' }, ['--no-browser'], 'is not encrypted'],
    ['--offline', {}, ['--no-browser', '--offline'], 'needs no login'],
  ] as [string, Record<string, string>, string[], string][])('%s: exit 2', async (_, more, flags, message) => {
    const env = environment(more);
    const ran = await run(['auth', 'login', ...flags], { env });
    expect(ran.code).toBe(2);
    expect(ran.stdout).toBe('');
    expect(ran.stderr).toContain(message);
    expect(filesUnder(env.HOME ?? '')).toEqual([]);
  });

  test.each(['--token', '--client-secret'])('no command has the flag %s', async (flag) => {
    const ran = await run(['auth', 'login', flag, CANARY.token], { env: environment() });
    expect(ran.code).toBe(2);
    expect(ran.stderr).not.toContain('canary');
  });
});

describe('a login that fails', () => {
  const refused = async (env: Record<string, string>, words: readonly string[]): Promise<[Ran, URL]> => {
    const login = start(['login', '--no-browser', ...words], { env: { ...env, EDU_CLIENT_SECRET: CANARY.secret } });
    const [line] = await login.said(/^http.*authorize\?.*$/m);
    await login.said(/Waiting up to/);
    await answer(new URL(line), { error: 'access_denied' });
    return [await login.done, new URL(line)];
  };

  test('keeps what was typed, except the secret', async () => {
    const env = environment();
    const { baseUrl } = await service();
    const callback = `http://127.0.0.1:${await freePort()}/callback`;
    const typed = ['--base-url', baseUrl, '--client-id', 'client-1', '--callback-url', callback, '--profile', 'work'];
    const [first] = await refused(env, typed);
    expect(first.code).toBe(1);
    expect(first.stderr).toContain(
      'Profile work keeps base-url, client-id, callback-url for the next login ' +
        '(--base-url, --client-id, --callback-url to change); the client secret is not kept.',
    );
    expectNoSecrets(first, env);
    const [second, address] = await refused(env, ['--profile', 'work']);
    expect(address.searchParams.get('client_id')).toBe('client-1');
    expect(address.origin).toBe(baseUrl);
    expect(second.stderr).not.toContain('keeps');
  });

  test('gives the reason also where settings cannot be saved', async () => {
    const env = environment();
    const { baseUrl } = await service();
    const callback = `http://127.0.0.1:${await freePort()}/callback`;
    const login = start(
      ['login', '--no-browser', '--base-url', baseUrl, '--client-id', 'c', '--callback-url', callback],
      { env: { ...env, EDU_CLIENT_SECRET: CANARY.secret } },
    );
    const [line] = await login.said(/^http.*authorize\?.*$/m);
    await login.said(/Waiting up to/);
    writeFileSync(settingsFile(env), '{', { mode: 0o600 });
    await answer(new URL(line), { error: 'access_denied' });
    const { code, stderr } = await login.done;
    expect(code).toBe(1);
    expect(stderr).toContain('ccess was denied in the browser');
    expect(stderr).not.toContain('keeps');
  });

  test('saves nothing when it was interrupted', async () => {
    const env = environment();
    const { baseUrl } = await service();
    const callback = `http://127.0.0.1:${await freePort()}/callback`;
    const login = start(
      ['login', '--no-browser', '--base-url', baseUrl, '--client-id', 'mistyped', '--callback-url', callback],
      { env: { ...env, EDU_CLIENT_SECRET: CANARY.secret } },
    );
    await login.said(/Waiting up to/);
    login.interrupt();
    expect((await login.done).code).toBe(130);
    expect(filesUnder(env.HOME ?? '')).not.toContain(settingsFile(env));
  });
});
