/** The program with its own folders: run in this process, or the built one started and killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { home, run } from '../support/run.js';

export interface Ended {
  /** Undefined if a signal ended it. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

export interface Program {
  readonly env: Readonly<Record<string, string>>;
  start(argv: readonly string[], input?: string): Running;
  run(argv: readonly string[], input?: string): Promise<Ended>;
}

/** @param origin of the service; more environment in `env` */
export function program(origin: string, more: Readonly<Record<string, string>> = {}): Program {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: '/nonexistent',
    NODE_DISABLE_COMPILE_CACHE: '1',
    ...home(),
    EDU_BASE_URL: origin,
    EDU_TOKEN: 'test-token-1234567890',
    ...more,
  };
  function start(argv: readonly string[], input = ''): Running {
    const child = spawn(process.execPath, [resolve('bin/edu.js'), ...argv], { env });
    onTestFinished(() => {
      if (child.exitCode === null) child.kill('SIGKILL');
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const ended = new Promise<Ended>((done) =>
      child.on('close', (code) => done({ code: code ?? undefined, stdout, stderr })),
    );
    return { child, ended };
  }
  return { env, start, run: (argv, input = '') => run(argv, { env, input, randomBytes }) };
}

/** Flags that create `count` teacher licences. */
export const manyLicences = (count: number): readonly string[] => [
  ...['licenses', 'create', '--count', String(count), '--type', 'Teacher', '--name', 'Autumn'],
  ...['--maximum-activations', '1'],
];

const ANSWERS: Readonly<Record<string, unknown>> = {
  '/v1/account': { id: 'u1', email: 'a@b.example', roles: [] },
  '/v1/users/u1': { id: 'u1', organization: { id: 'd1', type: 'Distributor' } },
};

/**
 * Answers a job's requests about its caller.
 * @returns false for any other request
 */
export function answersCaller(request: IncomingMessage, response: ServerResponse): boolean {
  const body = ANSWERS[request.url ?? ''];
  if (request.method !== 'GET' || body === undefined) return false;
  request.resume();
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  return true;
}
