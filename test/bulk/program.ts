/** The program with its own folders: run in this process, or the built one started and killed. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { home, run } from '../support/run.js';
import { type Exit, start } from '../support/spawned.js';

export type Ended = Pick<Exit, 'code' | 'stdout' | 'stderr'>;

export type Program = ReturnType<typeof program>;

/** @param origin of the service; more environment in `env` */
export function program(origin: string, more: Readonly<Record<string, string>> = {}) {
  const env: Readonly<Record<string, string>> = {
    PATH: process.env.PATH ?? '',
    HOME: '/nonexistent',
    NODE_DISABLE_COMPILE_CACHE: '1',
    ...home(),
    EDU_BASE_URL: origin,
    EDU_TOKEN: 'test-token-1234567890',
    ...more,
  };
  return {
    env,
    start(argv: readonly string[], input = '') {
      const { child, done: ended } = start(argv, { env, input });
      return { child, ended };
    },
    run: (argv: readonly string[], input = ''): Promise<Ended> => run(argv, { env, input, randomBytes }),
  };
}

/** Flags that create `count` teacher licences. */
export const manyLicences = (count: number): readonly string[] => [
  ...['licenses', 'create', '--count', String(count), '--type', 'Teacher', '--name', 'Autumn'],
  ...['--maximum-activations', '1'],
];

/** The account and the organization of a job's caller, by path. */
export const CALLER: Readonly<Record<string, unknown>> = {
  '/v1/account': { id: 'u1', email: 'a@b.example', roles: [] },
  '/v1/users/u1': { id: 'u1', organization: { id: 'd1', type: 'Distributor' } },
};

/**
 * Answers a job's requests about its caller.
 * @returns false for any other request
 */
export function answersCaller(request: IncomingMessage, response: ServerResponse): boolean {
  const body = CALLER[request.url ?? ''];
  if (request.method !== 'GET' || body === undefined) return false;
  request.resume();
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  return true;
}
