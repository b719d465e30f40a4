/** The program with its own folders: run in this process, or the built one started and killed. */
import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { type Recorded, type Reply, recordingServer } from '../support/recording-server.js';
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
 * The program, and a service that stops when the test is over.
 * @param answer to what is not about the caller
 */
export async function against(answer: (request: Recorded) => Reply) {
  const { origin, close } = await recordingServer((request) => {
    const body = request.method === 'GET' ? CALLER[request.url] : undefined;
    return body === undefined ? answer(request) : { body };
  });
  onTestFinished(close);
  return program(origin);
}
