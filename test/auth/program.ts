/** Runs the program in this process, as in a pipe or on a terminal, with a small local service to log in to. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { EduError } from '../../src/core/errors.js';
import { type Recorded, recordingServer } from '../support/recording-server.js';
import { type Ran, run as runProgram, temporaryFolder } from '../support/run.js';
import { CANARY } from './support.js';

export type { Ran } from '../support/run.js';

export interface RunOptions {
  readonly env: Record<string, string>;
  /** The content of stdin; without it stdin stays open. */
  readonly input?: string;
  readonly terminal?: boolean;
}

export function start(argv: readonly string[], { env, input, terminal = false }: RunOptions) {
  let shown = '';
  const typed: string[] = [];
  let wake = (): void => {};
  async function* typing(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const text = typed.shift();
      if (text === undefined) await new Promise<void>((resolve) => (wake = resolve));
      else yield Buffer.from(text);
    }
  }
  let interrupt = (): void => {};
  const after = new Promise<void>((resolve) => (interrupt = resolve));
  const done = runProgram(argv, {
    env,
    input: input ?? typing(),
    ...(terminal ? { terminal: 100 } : {}),
    randomBytes,
    // Another clock than the real one, so that no sample data is prepared for --offline.
    now: () => Date.now(),
    onShow: (text) => (shown += text),
    stop: { after, reason: new EduError('interrupted', 'Interrupted.') },
  });
  onTestFinished(async () => {
    interrupt();
    await done;
  });
  return {
    done,
    /** What was shown so far. */
    shown: () => shown,
    /** Resolves with the first match in what is shown. */
    said: async (pattern: RegExp): Promise<RegExpExecArray> => {
      await expect.poll(() => shown, { timeout: 10_000, interval: 5 }).toMatch(pattern);
      return pattern.exec(shown) as RegExpExecArray;
    },
    type: (text: string): void => {
      typed.push(text);
      wake();
    },
    interrupt,
  };
}

export type Running = ReturnType<typeof start>;

export const run = (argv: readonly string[], options: RunOptions): Promise<Ran> =>
  start(argv, { input: '', ...options }).done;

export interface Service {
  readonly baseUrl: string;
  readonly received: readonly Recorded[];
  /** The accepted tokens. */
  readonly tokens: Set<string>;
}

/** A service that returns `CANARY.token` for any code and answers GET account. */
export async function service(): Promise<Service> {
  const tokens = new Set<string>([CANARY.token]);
  const server = await recordingServer(({ url, headers }) => {
    if (url.startsWith('/login/oauth/access_token'))
      return { body: { access_token: CANARY.token, scope: '', token_type: 'bearer' } };
    if (!url.startsWith('/v1/account')) return { status: 404, body: { message: 'not here' } };
    const isKnown = tokens.has(String(headers.authorization).replace('Bearer ', ''));
    return isKnown ? { body: ACCOUNT } : { status: 403, body: { message: 'no' } };
  });
  onTestFinished(() => server.close());
  return { baseUrl: server.origin, received: server.requests, tokens };
}

export const ACCOUNT = {
  id: '007',
  email: 'anna@example.com',
  firstName: 'Anna',
  lastName: 'Smit',
  avatar: null,
  roles: [],
  permissions: [],
};

/** An environment with new folders and nothing else. */
export function environment(more: Record<string, string> = {}): Record<string, string> {
  const home = temporaryFolder();
  return { HOME: home, EDU_CONFIG_DIR: join(home, 'config'), EDU_STATE_DIR: join(home, 'state'), ...more };
}
