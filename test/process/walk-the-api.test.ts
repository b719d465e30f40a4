/** Runs walk-the-api.sh of the documentation against the bundled service. */
import { spawn, spawnSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { contract } from '../../src/contract/index.js';
import { createRouter } from '../../src/contract/routes.js';
import type { Endpoint } from '../../src/contract/vocabulary.js';
import { serve } from '../../src/service/serve/serve.js';

const SCRIPT = fileURLToPath(new URL('../../docs/examples/walk-the-api.sh', import.meta.url));

/** The script needs these programs; no other test does. */
const isThere = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;

const ENDPOINTS = Object.entries(contract as Readonly<Record<string, Readonly<Record<string, Endpoint>>>>).flatMap(
  ([resource, endpoints]) =>
    Object.entries(endpoints).map(([name, { method, path }]) => ({ method, path, target: `${resource}.${name}` })),
);

async function run(baseUrl: string): Promise<{ code: number | null; output: string }> {
  const env = { ...process.env, EDU_BASE_URL: baseUrl };
  const child = spawn('bash', [SCRIPT], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, output };
}

async function served(port: number) {
  const serving = await serve({ port, basePath: '/content', clock: Date.now });
  onTestFinished(() => serving.stop());
  return serving;
}

test.skipIf(!isThere('bash') || !isThere('curl'))(
  'walk-the-api.sh waits for the service, and calls every endpoint',
  async () => {
    const { facts, stop } = await served(0);
    const { baseUrl } = facts;
    await stop();
    const running = run(baseUrl);
    await setTimeout(500);
    await served(Number(new URL(baseUrl).port));
    expect(await running).toEqual({ code: 0, output: expect.stringMatching(/\nWalked\.\n$/) });
    const answer = await fetch(`${baseUrl}/_control/requests`, { headers: { 'x-edu-control': '1' } });
    const { requests } = (await answer.json()) as { requests: { method: string; path: string; status: number }[] };
    const route = createRouter(ENDPOINTS);
    const reached = requests
      .filter(({ status }) => status < 300)
      .map(({ method, path }) => route(method, path.split('?')[0] ?? '')?.target);
    expect(ENDPOINTS.map(({ target }) => target).filter((target) => !reached.includes(target))).toEqual([]);
  },
  60_000,
);
