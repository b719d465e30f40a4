/** The login commands, called by a person or a script, over a real connection to a local service. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { credentialsFile } from '../../src/auth/credentials/credentials.js';
import { keepCredential } from '../../src/auth/credentials/store.js';
import { settingsFile } from '../../src/settings/read-settings.js';
import { recordingServer } from '../support/recording-server.js';
import { ACCOUNT, environment, type Ran, run, type Service, service, start } from './program.js';
import { CANARY, filesUnder, freePort, get } from './support.js';

const SECRETS = { EDU_CLIENT_ID: 'client-1', EDU_CLIENT_SECRET: CANARY.secret };

/** Follows the address as a browser does after the user has allowed access. */
async function answer(address: URL, query: Record<string, string>): Promise<{ status: number; body: string }> {
  const redirect = new URL(address.searchParams.get('redirect_uri') ?? '');
  const all = new URLSearchParams({ state: address.searchParams.get('state') ?? '', ...query });
  return get(Number(redirect.port), `${redirect.pathname}?${all}`, { headers: { host: redirect.host } });
}

async function loggedIn(
  env: Record<string, string>,
  { baseUrl }: Service,
  words: readonly string[] = [],
): Promise<Ran> {
  const callback = `http://127.0.0.1:${await freePort()}/callback`;
  const login = start(['auth', 'login', '--no-browser', '--base-url', baseUrl, '--callback-url', callback, ...words], {
    env: { ...env, ...SECRETS },
  });
  const [address] = await login.said(/^http.*authorize\?.*$/m);
  await login.said(/Waiting up to/);
  expect((await answer(new URL(address), { code: CANARY.code })).status).toBe(200);
  return login.done;
}

function expectNoSecrets(ran: Ran, env: Record<string, string>): void {
  for (const value of Object.values(CANARY)) {
    for (const spelling of [value, encodeURIComponent(value)]) {
      expect(ran.stdout).not.toContain(spelling);
      expect(ran.stderr).not.toContain(spelling);
      for (const file of filesUnder(env.HOME ?? '')) {
        if (file !== credentialsFile(env)) expect(readFileSync(file, 'utf8')).not.toContain(spelling);
      }
    }
  }
}

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
    expect(JSON.parse(status.stdout)).toEqual({
      loggedIn: true,
      account: expect.objectContaining({ id: '007', email: 'anna@example.com' }),
      profile: 'default',
      baseUrl: there.baseUrl,
      token: `****${CANARY.token.slice(-4)}`,
      source: 'file',
      from: credentialsFile(env),
    });
    expect(await run(['auth', 'token'], { env })).toEqual({ code: 0, stdout: `${CANARY.token}\n`, stderr: '' });
    expect(await run(['logout'], { env })).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(credentialsFile(env), 'utf8')).not.toContain(CANARY.token);
    const after = await run(['auth', 'status', '--json'], { env });
    expect(after).toMatchObject({ code: 4, stdout: '' });
    expect(JSON.parse(after.stderr).error).toMatchObject({ kind: 'unauthenticated' });
    expect((await run(['auth', 'logout'], { env })).code).toBe(0);
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

  test('--json prints one object', async () => {
    const env = environment();
    const there = await service();
    const ran = await loggedIn(env, there, ['--json']);
    expect(JSON.parse(ran.stdout)).toMatchObject({ loggedIn: true, account: { email: ACCOUNT.email }, source: 'file' });
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

  test('Ctrl-C exits 130 and frees the port', async () => {
    const port = await freePort();
    const env = environment({
      ...SECRETS,
      EDU_BASE_URL: 'http://127.0.0.1:9',
      EDU_CALLBACK_URL: `http://127.0.0.1:${port}/cb`,
    });
    const login = start(['login', '--no-browser'], { env });
    await login.said(/Waiting up to/);
    login.interrupt();
    expect((await login.done).code).toBe(130);
    await expect(get(port, '/cb', {})).rejects.toThrowError('ECONNREFUSED');
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
    ['', 'Cannot log in: stdin contains no token'],
    ['canary token with spaces', 'stdin contains no valid access token'],
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
    ['EDU_TOKEN', { EDU_TOKEN: 'x' }, ['--no-browser'], 'EDU_TOKEN is set'],
    ['EDU_TOKEN with a token on stdin', { EDU_TOKEN: 'x' }, ['--with-token'], 'EDU_TOKEN is set'],
    ['two ways', {}, ['--no-browser', '--with-token'], 'Only one of --no-browser and --with-token'],
    ['nothing configured', {}, ['--no-browser'], 'Cannot log in: base-url, client-id, client-secret are missing'],
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

test('logout keeps the client secret, logout --all deletes it', async () => {
  const env = environment({ EDU_BASE_URL: 'https://a.example' });
  const at = { profile: 'default', baseUrl: 'https://a.example' };
  const machine = { now: Date.now, wait: async () => {}, unique: () => 'u1' };
  await keepCredential(env, machine, at, { accessToken: CANARY.token, clientSecret: CANARY.secret, clientId: 'c' });
  expect((await run(['auth', 'logout'], { env })).code).toBe(0);
  const kept = readFileSync(credentialsFile(env), 'utf8');
  expect([kept.includes(CANARY.token), kept.includes(CANARY.secret)]).toEqual([false, true]);
  expect((await run(['auth', 'logout', '--all'], { env })).code).toBe(0);
  expect(readFileSync(credentialsFile(env), 'utf8')).not.toContain(CANARY.secret);
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

describe('edu config and edu profiles', () => {
  test('set, get, list, unset, path', async () => {
    const env = environment();
    expect(await run(['config', 'set', 'language', 'nl'], { env })).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await run(['config', 'get', 'language'], { env })).toEqual({ code: 0, stdout: 'NL\n', stderr: '' });
    const list = await run(['config', 'list', '--json'], { env });
    expect(JSON.parse(list.stdout)).toContainEqual(
      expect.objectContaining({ name: 'language', value: 'NL', source: 'profile' }),
    );
    expect((await run(['config', 'unset', 'language'], { env })).code).toBe(0);
    expect((await run(['config', 'get', 'language'], { env })).stdout).toBe('EN\n');
    expect((await run(['config', 'get', 'organization'], { env })).code).toBe(5);
    expect((await run(['config', 'path'], { env })).stdout).toBe(`${settingsFile(env)}\n`);
    expect((await run(['config', 'set', 'langage', 'NL'], { env })).stderr).toContain('Did you mean language');
  });

  test('names the line of a broken settings file, still prints help, and leaves the file unchanged', async () => {
    const env = environment();
    await run(['config', 'set', 'language', 'NL'], { env });
    writeFileSync(settingsFile(env), '{\n  "profiles": {,}\n}');
    const ran = await run(['config', 'get', 'language'], { env });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(`Cannot read the settings file ${settingsFile(env)}: line 2, column 16`);
    expect((await run(['config', 'set', 'language', 'DE'], { env })).code).toBe(2);
    expect((await run(['config', 'set', '--help'], { env })).code).toBe(0);
    expect((await run(['--version'], { env })).code).toBe(0);
    expect((await run(['config', 'path'], { env })).code).toBe(0);
    expect(readFileSync(settingsFile(env), 'utf8')).toBe('{\n  "profiles": {,}\n}');
  });

  test('lists profiles, and removes them with their tokens', async () => {
    const env = environment();
    const { baseUrl } = await service();
    await run(['login', '--with-token', '--base-url', baseUrl, '--profile', 'work'], { env, input: CANARY.token });
    await run(['config', 'set', 'language', 'NL'], { env });
    const list = await run(['profiles', 'list', '--json'], { env });
    expect(JSON.parse(list.stdout)).toEqual([
      { name: 'default', current: true, baseUrl: null, organization: null, loggedIn: false },
      { name: 'work', current: false, baseUrl, organization: null, loggedIn: true },
    ]);
    expect((await run(['profiles', 'remove', 'wrok'], { env })).stderr).toContain('Did you mean work?');
    const refused = await run(['profiles', 'remove', 'work'], { env });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('Pass --yes to confirm: edu profiles remove work --yes');
    expect(readFileSync(credentialsFile(env), 'utf8')).toContain('canary');
    expect((await run(['profiles', 'remove', 'work', '--yes'], { env })).code).toBe(0);
    expect(readFileSync(credentialsFile(env), 'utf8')).not.toContain('canary');
    expect(JSON.parse((await run(['profiles', 'list', '--json'], { env })).stdout)).toHaveLength(1);
  });

  test('refuses a profile that does not exist, and suggests a close name', async () => {
    const ran = await run(['config', 'list', '--profile', 'a b'], { env: environment() });
    expect(ran.code).toBe(2);
  });
});
