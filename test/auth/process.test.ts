/** The built program in its own process: signals, pipes, process lists, two at once. */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { credentialsFile } from '../../src/auth/credentials/credentials.js';
import { EDU, type Exit, edu, start } from '../support/spawned.js';
import { environment, type Service, service } from './program.js';
import { CANARY, filesUnder, freePort, get } from './support.js';

/** Starts the program. Its stdin stays open until the program ends. */
function spawnEdu(argv: readonly string[], env: Record<string, string>) {
  const { child, done } = start(argv, { env: { PATH: process.env.PATH ?? '', ...env }, isOpen: true });
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += chunk));
  async function said(pattern: RegExp): Promise<RegExpExecArray> {
    await expect.poll(() => stderr, { timeout: 20_000 }).toMatch(pattern);
    return pattern.exec(stderr) as RegExpExecArray;
  }
  return { child, ended: done, said };
}

const runEdu = (argv: readonly string[], env: Record<string, string>, input = ''): Promise<Exit> =>
  edu(argv, { env: { PATH: process.env.PATH ?? '', ...env }, input });

const loginEnv = async ({ baseUrl }: Service): Promise<Record<string, string>> =>
  environment({
    EDU_BASE_URL: baseUrl,
    EDU_CLIENT_ID: 'client-1',
    EDU_CLIENT_SECRET: CANARY.secret,
    EDU_CALLBACK_URL: `http://127.0.0.1:${await freePort()}/callback`,
  });

async function visit(address: string, more: Record<string, string> = { code: CANARY.code }): Promise<number> {
  const { searchParams } = new URL(address);
  const redirect = new URL(searchParams.get('redirect_uri') ?? '');
  const query = new URLSearchParams({ state: searchParams.get('state') ?? '', ...more });
  return (await get(Number(redirect.port), `${redirect.pathname}?${query}`, { headers: { host: redirect.host } }))
    .status;
}

const ADDRESS = /^http.*authorize\?.*$/m;
const WAITS = /Waiting up to/;

/** The command lines of all processes of this machine. */
function processList(): string {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      } catch {
        return '';
      }
    })
    .join('\n');
}

describe('edu auth login as a process', () => {
  test('--with-token ends after --timeout if stdin stays open, with a token in it, too', async () => {
    const { child, ended } = spawnEdu(['login', '--with-token', '--timeout', '300ms'], await loginEnv(await service()));
    child.stdin.write(`${CANARY.token}\n`);
    const { code, stderr } = await ended;
    expect([code, stderr]).toEqual([2, expect.stringContaining('stdin did not end within 300 milliseconds')]);
    expect(stderr).not.toContain('canary');
  });

  test('ends although its stdin stays open, and prints no secret', async () => {
    const there = await service();
    const env = await loginEnv(there);
    const login = spawnEdu(['auth', 'login', '--no-browser', '--debug'], env);
    const [address] = await login.said(ADDRESS);
    await login.said(WAITS);
    const list = existsSync('/proc/self/cmdline') ? processList() : '';
    expect(await visit(address)).toBe(200);
    const { code, stdout, stderr } = await login.ended;
    expect(code).toBe(0);
    expect(stderr).toMatch(/debug: \S+ POST/);
    for (const value of Object.values(CANARY)) {
      for (const spelling of [value, encodeURIComponent(value)]) {
        expect(list).not.toContain(spelling);
        expect(stdout + stderr).not.toContain(spelling);
        for (const file of filesUnder(env.HOME ?? '')) {
          if (file !== credentialsFile(env)) expect(readFileSync(file, 'utf8')).not.toContain(spelling);
        }
      }
    }
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s: exit code %i, the port closed, nothing stored', async (signal, code) => {
    const there = await service();
    const env = await loginEnv(there);
    const login = spawnEdu(['login', '--no-browser'], env);
    const [address] = await login.said(ADDRESS);
    await login.said(WAITS);
    login.child.kill(signal);
    expect(await login.ended).toMatchObject({ code, signal: null, stdout: '' });
    await expect(visit(address)).rejects.toThrowError('ECONNREFUSED');
    expect(existsSync(credentialsFile(env))).toBe(false);
  });

  test('closes connections to the callback that never complete their request', async () => {
    const there = await service();
    const login = spawnEdu(['login', '--no-browser'], await loginEnv(there));
    const [address] = await login.said(ADDRESS);
    await login.said(WAITS);
    const redirect = new URL(new URL(address).searchParams.get('redirect_uri') ?? '');
    const slow = connect(Number(redirect.port), redirect.hostname);
    onTestFinished(() => void slow.destroy());
    slow.write('GET /callback HTTP/1.1\r\nX-Slow: ');
    const answer = await slow.setEncoding('utf8').toArray();
    expect(answer.join('')).toContain('408 Request Timeout');
    expect(await visit(address)).toBe(200);
    expect((await login.ended).code).toBe(0);
  });

  test('gives the program of EDU_BROWSER the address as its only argument, and no secret', async () => {
    const there = await service();
    const env = await loginEnv(there);
    const home = env.HOME ?? '';
    const browser = join(home, 'my browser');
    writeFileSync(browser, '#!/bin/sh\nenv > "$HOME/seen-env"\nfor one in "$@"; do echo "$one"; done > "$HOME/seen"\n');
    chmodSync(browser, 0o700);
    // A login through a browser needs a terminal; `script` gives it one.
    const command = [process.execPath, EDU, 'auth', 'login'].map((word) => `'${word}'`).join(' ');
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      env: { PATH: process.env.PATH ?? '', ...env, EDU_BROWSER: browser },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = new Promise((resolve) => child.on('close', resolve));
    const seen = join(home, 'seen');
    while (!existsSync(seen) || !readFileSync(seen, 'utf8').endsWith('\n')) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const [address = '', ...others] = readFileSync(seen, 'utf8').trimEnd().split('\n');
    expect(others).toEqual([]);
    expect(address.startsWith(`${there.baseUrl}/login/oauth/authorize?`)).toBe(true);
    expect(readFileSync(join(home, 'seen-env'), 'utf8')).not.toContain('canary');
    expect(await visit(address)).toBe(200);
    expect(await ended).toBe(0);
  });
});

describe('several processes at once', () => {
  test('all keep their tokens', async () => {
    const there = await service();
    const env = environment({ EDU_BASE_URL: there.baseUrl });
    const names = Array.from({ length: 4 }, (_, index) => `p${index}`);
    for (const name of names) there.tokens.add(`token-of-${name}`);
    const login = (name: string): Promise<Exit> =>
      runEdu(['login', '--with-token', '--profile', name], env, `token-of-${name}\n`);
    expect((await Promise.all(names.map(login))).map(({ code }) => code)).toEqual(names.map(() => 0));
    for (const name of names) {
      expect((await runEdu(['auth', 'token', '--profile', name], env)).stdout).toBe(`token-of-${name}\n`);
    }
  });
});

describe('a data command without a token', () => {
  test.each([{}, { CI: 'true' }, { EDU_BASE_URL: 'https://api.example.com' }] as Record<string, string>[])(
    'exits 4 at once, without opening a browser or writing a file: %j',
    async (more) => {
      const env = environment({ ...more, EDU_BROWSER: '/nowhere/browser' });
      const { code, stdout, stderr } = await runEdu(['books', 'subjects'], env);
      expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
      expect(stderr).toContain('not logged in');
      expect(stderr).toContain('EDU_TOKEN');
      expect(filesUnder(env.HOME ?? '')).toEqual([]);
    },
  );
});
