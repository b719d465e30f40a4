/** Runs the program in this process, as in a pipe or on a terminal, with a small local service to log in to. */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { main } from '../../src/app/main.js';
import { EduError } from '../../src/core/errors.js';
import { CANARY, folder } from './support.js';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly done: Promise<Ran>;
  /** Stderr so far. */
  readonly stderr: () => string;
  /** Resolves with the first match on stderr. */
  readonly said: (pattern: RegExp) => Promise<RegExpExecArray>;
  readonly type: (text: string) => void;
  readonly interrupt: () => void;
}

export interface RunOptions {
  readonly env: Record<string, string>;
  /** The content of stdin; without it stdin stays open. */
  readonly input?: string;
  readonly terminal?: boolean;
}

export function start(argv: readonly string[], { env, input, terminal = false }: RunOptions): Running {
  let stdout = '';
  let stderr = '';
  let stop: (reason: EduError) => void = () => {};
  const interrupted = new Promise<EduError>((resolve) => {
    stop = resolve;
  });
  const typed: string[] = input === undefined ? [] : [input];
  let wake = (): void => {};
  let ended = input !== undefined;
  const out = (take: (text: string) => void) => ({
    isTTY: terminal,
    columns: terminal ? 100 : undefined,
    write: async (text: string | Uint8Array) => {
      take(typeof text === 'string' ? text : Buffer.from(text).toString());
      wake();
    },
  });
  const io = {
    stdin: {
      isTTY: terminal,
      stop: () => {
        ended = true;
        wake();
      },
      async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
        for (;;) {
          const text = typed.shift();
          if (text !== undefined) yield Buffer.from(text);
          else if (ended) return;
          else await new Promise<void>((resolve) => (wake = resolve));
        }
      },
    },
    stdout: out((text) => {
      stdout += text;
    }),
    stderr: out((text) => {
      stderr += text;
    }),
  };
  const done = main(argv, { io, env, interrupted, now: Date.now, randomBytes }).then((code) => ({
    code,
    stdout,
    stderr,
  }));
  onTestFinished(async () => {
    stop(new EduError('interrupted', 'Interrupted.'));
    await done;
  });
  return {
    done,
    stderr: () => stderr,
    said: async (pattern) => {
      for (let round = 0; round < 2_000; round++) {
        const match = pattern.exec(stderr);
        if (match) return match;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      throw new Error(`never said ${pattern}: ${stderr}`);
    },
    type: (text) => {
      typed.push(text);
      wake();
    },
    interrupt: () => stop(new EduError('interrupted', 'Interrupted.')),
  };
}

export const run = (argv: readonly string[], options: RunOptions): Promise<Ran> =>
  start(argv, { input: '', ...options }).done;

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Service {
  readonly baseUrl: string;
  readonly received: readonly Received[];
  /** The accepted tokens. */
  readonly tokens: Set<string>;
}

/** A service that returns `CANARY.token` for any code and answers GET account. */
export async function service(): Promise<Service> {
  const received: Received[] = [];
  const tokens = new Set<string>([CANARY.token]);
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    received.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    const answer = (status: number, value: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
      response.end(JSON.stringify(value));
    };
    if (url.startsWith('/login/oauth/access_token')) {
      answer(200, { access_token: CANARY.token, scope: '', token_type: 'bearer' });
    } else if (url.startsWith('/v1/account')) {
      if (!tokens.has(String(headers.authorization).replace('Bearer ', ''))) answer(403, { message: 'no' });
      else answer(200, ACCOUNT);
    } else answer(404, { message: 'not here' });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, received, tokens };
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
  const home = folder();
  return { HOME: home, EDU_CONFIG_DIR: join(home, 'config'), EDU_STATE_DIR: join(home, 'state'), ...more };
}
