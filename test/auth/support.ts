/**
 * Logins under attack: the real state machine and port, with a token endpoint and a clock controlled by the test, and a
 * search for secrets in all output and files.
 */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { credentialsFile } from '../../src/auth/credentials/credentials.js';
import type { LoginFacts } from '../../src/auth/login/login-facts.js';
import { type LoggedIn, login } from '../../src/auth/login/login-flow.js';
import type { Clock } from '../../src/client/request/clock.js';
import { EduError } from '../../src/core/errors.js';
import { type HttpRequest, type HttpResponse, readBytes, type Send } from '../../src/core/http.js';
import type { Machine } from '../../src/core/io.js';
import type { Opened } from '../../src/output/terminal/browser.js';
import { readCallbackUrl } from '../../src/settings/callback-url.js';
import { temporaryFolder } from '../support/run.js';
import { withResolvers } from '../support/with-resolvers.js';

/** Secrets that may appear only where they belong. */
export const CANARY = {
  secret: 'canary-secret+&=%/5f3a',
  token: 'canary-token-9b1c7d2e4f60',
  code: 'canary-code-77aa',
} as const;

export interface Account {
  readonly email: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A clock that the test moves. */
export function manualClock(start = Date.UTC(2026, 0, 1)): Clock & { advance: (milliseconds: number) => void } {
  let time = start;
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  const after = (milliseconds: number, run: () => void): (() => void) => {
    const timer = { at: time + milliseconds, run };
    timers.add(timer);
    return () => timers.delete(timer);
  };
  return {
    now: () => time,
    after,
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        // The wait for late callbacks ends as soon as those of this process have been served.
        if (milliseconds <= 200) {
          setTimeout(resolve, 5);
          return;
        }
        const cancel = after(milliseconds, resolve);
        const stop = (): void => {
          cancel();
          resolve();
        };
        if (signal?.aborted) stop();
        signal?.addEventListener('abort', stop, { once: true });
      }),
    advance: (milliseconds) => {
      time += milliseconds;
      for (const timer of [...timers].filter(({ at }) => at <= time)) {
        timers.delete(timer);
        timer.run();
      }
    },
  };
}

/** Below the ports that systems give to connections and to servers on port 0, which another test could get meanwhile. */
const FIRST_PORT = 12_000;
const PORTS = 18_000;
/** Each worker begins elsewhere. */
let nextPort = (process.pid * 97) % PORTS;

/** A port that no other test gets. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + nextPort;
    nextPort = (nextPort + 1) % PORTS;
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

export const json = (status: number, value: unknown, headers: Record<string, string> = {}): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(value),
});

export const tokenGiven = (): HttpResponse =>
  json(200, { access_token: CANARY.token, scope: '', token_type: 'bearer' });

export interface ScenarioOptions {
  /** The response of the token endpoint. */
  readonly send?: Send;
  readonly verify?: (token: string) => Promise<Account>;
  readonly mode?: 'browser' | 'no-browser' | 'paste';
  readonly hostname?: '127.0.0.1' | 'localhost' | '[::1]';
  /** The registered callback; `hostname` with a free port by default. */
  readonly callbackUrl?: string;
  readonly exact?: boolean;
  readonly env?: Record<string, string>;
  readonly open?: (address: string) => Promise<Opened>;
  readonly facts?: Partial<LoginFacts>;
  readonly timeout?: number;
  /** Text pasted before the login starts to read; the input ends after it. */
  readonly input?: readonly string[];
}

export interface Scenario {
  readonly env: Record<string, string>;
  readonly facts: LoginFacts;
  readonly port: number;
  readonly clock: ReturnType<typeof manualClock>;
  readonly told: readonly string[];
  /** Token requests so far, with their times. */
  readonly exchanges: readonly { readonly request: HttpRequest; readonly body: string; readonly at: number }[];
  readonly outcome: Promise<LoggedIn<Account>>;
  /** Resolves when the login waits. */
  readonly waiting: Promise<void>;
  /** The address to open, once it was printed. */
  readonly address: () => URL;
  readonly state: () => string;
  /** Path of the redirect URI. */
  readonly path: () => string;
  /** Calls the callback as a browser does. */
  readonly visit: (query: Record<string, string> | string, more?: VisitOptions) => Promise<Answered>;
  readonly paste: (line: string) => void;
  readonly interrupt: (error?: EduError) => void;
  /** Asserts that the login still waits: nothing was exchanged, and the right callback would be accepted. */
  readonly expectStillWaiting: () => Promise<void>;
  /** Searches the messages, the error and the files for secrets. */
  readonly expectNoCanary: () => Promise<void>;
}

export interface VisitOptions {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly address?: string;
}

/** Sends one HTTP request to the port. */
export function get(
  port: number,
  path: string,
  { method = 'GET', headers = {}, address = '127.0.0.1' }: VisitOptions = {},
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: address, port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** Writes bytes to the port and returns the response. */
export function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port }, () => socket.end(text));
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
}

/** Starts a login, which is interrupted when the test ends. */
export async function scenario(options: ScenarioOptions = {}): Promise<Scenario> {
  const config = temporaryFolder();
  const env = {
    EDU_CONFIG_DIR: join(config, 'config'),
    EDU_STATE_DIR: join(config, 'state'),
    DISPLAY: ':9',
    ...options.env,
  };
  const port = await freePort();
  const callbackUrl = options.callbackUrl ?? `http://${options.hostname ?? '127.0.0.1'}:${port}/callback`;
  const facts: LoginFacts = {
    profile: 'default',
    baseUrl: 'https://api.example.com',
    clientId: 'client-1',
    clientSecret: CANARY.secret,
    keepSecret: false,
    callback: readCallbackUrl(callbackUrl, 'callback-url'),
    exact: options.exact ?? false,
    settings: { 'base-url': 'https://api.example.com' },
    typed: {},
    ...options.facts,
  };
  const clock = manualClock();
  const told: string[] = [];
  const exchanges: { request: HttpRequest; body: string; at: number }[] = [];
  const stop = new AbortController();
  const lines: string[] = [...(options.input ?? [])];
  let wake = (): void => {};
  const { promise: waiting, resolve: ready } = withResolvers();
  const machine: Machine = {
    now: clock.now,
    wait: () => new Promise((resolve) => setImmediate(resolve)),
    unique: () => randomBytes(8).toString('hex'),
  };
  const outcome = login<Account>(
    { facts, mode: options.mode ?? 'browser', timeout: options.timeout ?? 300_000 },
    {
      env,
      platform: 'linux',
      machine,
      clock,
      randomBytes,
      send: async (sent) => {
        exchanges.push({ request: sent, body: (await readBytes(sent.body ?? '', 1e6)).toString(), at: clock.now() });
        return (options.send ?? (async () => tokenGiven()))(sent);
      },
      verify: options.verify ?? (async () => ({ email: 'anna@example.com' })),
      open: options.open ?? (async () => ({ opened: true })),
      tell: async (text) => {
        told.push(text);
      },
      lines: async function* (signal) {
        ready();
        signal.addEventListener('abort', () => wake());
        for (;;) {
          const line = lines.shift();
          if (line !== undefined) yield line;
          else if (options.input || signal.aborted) return;
          else await new Promise<void>((resolve) => (wake = resolve));
        }
      },
      signal: stop.signal,
    },
  );
  const settled = outcome.then(
    () => undefined,
    (error: unknown) => error,
  );
  const expectNoCanary = async (): Promise<void> => {
    const error = await settled;
    const said = [
      ...told,
      error instanceof EduError ? JSON.stringify({ ...error, message: error.message }) : String(error),
    ];
    const values = Object.values(CANARY).flatMap((value) => [value, encodeURIComponent(value)]);
    for (const value of values) {
      expect(said.filter((text) => text.includes(value))).toEqual([]);
      for (const file of filesUnder(config)) {
        if (file !== credentialsFile(env)) expect(`${file}: ${readFileSync(file, 'utf8')}`).not.toContain(value);
      }
    }
    for (const file of filesUnder(config)) {
      const holds = Object.values(CANARY).some((value) => readFileSync(file, 'utf8').includes(value));
      if (holds) expect(statSync(file).mode & 0o777).toBe(0o600);
    }
  };
  // No test may print a secret.
  onTestFinished(async () => {
    stop.abort();
    await expectNoCanary();
  });
  const address = (): URL => new URL(told.find((line) => line.startsWith(facts.baseUrl)) ?? '');
  const state = (): string => address().searchParams.get('state') ?? '';
  const path = (): string => new URL(address().searchParams.get('redirect_uri') ?? '').pathname;
  const visit = (query: Record<string, string> | string, more: VisitOptions = {}): Promise<Answered> => {
    const text = typeof query === 'string' ? query : new URLSearchParams(query).toString();
    return get(port, `${more.path ?? path()}${text === '' ? '' : `?${text}`}`, {
      ...more,
      headers: { host: facts.callback.host, ...more.headers },
    });
  };
  return {
    env,
    facts,
    port,
    clock,
    told,
    exchanges,
    outcome,
    waiting: Promise.race([waiting, settled.then(() => undefined)]),
    address,
    state,
    path,
    visit,
    paste: (line) => {
      lines.push(line);
      wake();
    },
    interrupt: (error = new EduError('interrupted', 'Interrupted.')) => stop.abort(error),
    expectStillWaiting: async () => {
      expect(exchanges).toEqual([]);
      const page = await visit({ code: CANARY.code, state: state() });
      expect(page.status).toBe(200);
      await expect(outcome).resolves.toMatchObject({ account: { email: 'anna@example.com' } });
      expect(exchanges).toHaveLength(1);
    },
    expectNoCanary,
  };
}

/** Starts a login that waits for its redirect. */
export async function waiting(options?: ScenarioOptions): Promise<Scenario> {
  const login = await scenario(options);
  await login.waiting;
  return login;
}

/** Asserts that a request to a new login gets this status, and leaves it waiting. */
export async function expectTurnedAway(
  status: number,
  query: (login: Scenario) => Record<string, string> | string,
  more: (login: Scenario) => VisitOptions = () => ({}),
): Promise<Answered> {
  const login = await waiting();
  const answer = await login.visit(query(login), more(login));
  expect(answer.status).toBe(status);
  await login.expectStillWaiting();
  return answer;
}

/** The query of the right redirect. */
export const rightQuery = ({ state }: Scenario): Record<string, string> => ({ code: CANARY.code, state: state() });

/** The files below a folder. */
export function filesUnder(start: string): string[] {
  return readdirSync(start, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
