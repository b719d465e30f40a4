/** Starts `edu offline serve` in its own process, and reads its state. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { temporaryFolder } from '../support/run.js';
import { start } from '../support/spawned.js';

const HOOK = fileURLToPath(new URL('heap.cjs', import.meta.url));

export interface Ready {
  readonly baseUrl: string;
  readonly personas: Readonly<Record<string, string>>;
}

/**
 * Starts a service with its own home, which is removed with the test.
 * @param given fault rules
 */
export async function serving(flags: readonly string[], given: readonly string[]) {
  const home = temporaryFolder();
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    TMPDIR: join(home, 'tmp'),
    EDU_CONFIG_DIR: join(home, 'config'),
    EDU_STATE_DIR: join(home, 'state'),
    HEAP_REPORT: join(home, 'heap.json'),
  };
  mkdirSync(env.TMPDIR ?? '');
  const faults = given.flatMap((fault) => ['--fault', fault]);
  const started = start(['offline', 'serve', '--port', '0', '--json', ...flags, ...faults], {
    env,
    node: ['--expose-gc', '-r', HOOK],
  });
  let line = '';
  started.child.stdout.on('data', (chunk) => (line += chunk));
  await expect.poll(() => line, { timeout: 60_000 }).toContain('\n');
  return { ...started, home, env, ready: JSON.parse(line) as Ready };
}

/** The heap in MiB after garbage collection. */
export async function heldMegabytes(pid: number, report: string): Promise<number> {
  rmSync(report, { force: true });
  process.kill(pid, 'SIGUSR2');
  await expect.poll(() => existsSync(report), { timeout: 30_000 }).toBe(true);
  const { heapUsed, external } = JSON.parse(readFileSync(report, 'utf8')) as NodeJS.MemoryUsage;
  return (heapUsed + external) / 2 ** 20;
}

/** All teacher licences, by the service's own lists: codes and names. */
export async function teacherLicences({ baseUrl, personas }: Ready): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const headers = { authorization: `Bearer ${personas.distributor}` };
  let cursor = '';
  do {
    const answer = await fetch(`${baseUrl}/v1/licenses?type=TEACHER&limit=100${cursor}`, { headers });
    const { licenses, paging } = (await answer.json()) as {
      readonly licenses: readonly { readonly code: string; readonly name: string }[];
      readonly paging: { readonly nextCursor: string | null } | null;
    };
    for (const { code, name } of licenses) {
      expect(found.has(code), `${code} is listed twice`).toBe(false);
      found.set(code, name);
    }
    cursor = paging?.nextCursor ? `&cursor=${encodeURIComponent(paging.nextCursor)}` : '';
  } while (cursor !== '');
  return found;
}

/** Sends a request to the control route. */
export const control = async ({ baseUrl }: Ready, method: string, path: string, body?: unknown): Promise<unknown> => {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(`${baseUrl}/_control${path}`, { method, headers: { 'x-edu-control': '1' }, ...sent });
  return answer.json();
};
