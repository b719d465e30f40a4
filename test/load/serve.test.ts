/**
 * `edu offline serve` under 64 connections with faults on: every answer is by the service's rules or one of the faults that
 * were asked for, memory stays flat, nothing that was acknowledged is lost, and nothing is left when it has stopped.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { edu, start } from '../support/spawned.js';
import { client, FAULTS, newTally } from './clients.js';
import { everythingIn, growth, processesWith, residentMegabytes, SECONDS } from './measures.js';

const CONNECTIONS = 64;
/** Between two looks at memory, in milliseconds. */
const STEP = 250;
/** MiB by which what the program holds in its heap may grow from the first quarter of the time to its end. */
const MOST_HELD = 4;
/**
 * MiB by which its memory may grow from the second quarter to the last one: V8 takes and gives back as it likes, and in a
 * short load it still takes.
 */
const MOST_GROWTH = SECONDS < 60 ? 128 : 48;
const HOOK = fileURLToPath(new URL('heap.cjs', import.meta.url));

interface Ready {
  readonly baseUrl: string;
  readonly personas: Readonly<Record<string, string>>;
}

async function serving(flags: readonly string[]) {
  const home = mkdtempSync(join(tmpdir(), 'edu-load-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    TMPDIR: join(home, 'tmp'),
    EDU_CONFIG_DIR: join(home, 'config'),
    EDU_STATE_DIR: join(home, 'state'),
    HEAP_REPORT: join(home, 'heap.json'),
  };
  mkdirSync(env.TMPDIR ?? '');
  const faults = FAULTS.flatMap((fault) => ['--fault', fault]);
  const started = start(['offline', 'serve', '--port', '0', '--json', ...flags, ...faults], {
    env,
    node: ['--expose-gc', '-r', HOOK],
  });
  let line = '';
  started.child.stdout.on('data', (chunk) => (line += chunk));
  await expect.poll(() => line, { timeout: 60_000 }).toContain('\n');
  return { ...started, home, env, ready: JSON.parse(line) as Ready };
}

/** MiB that the program holds once its garbage is collected. */
async function heldMegabytes(pid: number, report: string): Promise<number> {
  rmSync(report, { force: true });
  process.kill(pid, 'SIGUSR2');
  await expect.poll(() => existsSync(report), { timeout: 30_000 }).toBe(true);
  const { heapUsed, external } = JSON.parse(readFileSync(report, 'utf8')) as NodeJS.MemoryUsage;
  return (heapUsed + external) / 2 ** 20;
}

/** All licences of teachers: codes and names, by the control of the service's own lists. */
async function teacherLicences({ baseUrl, personas }: Ready): Promise<Map<string, string>> {
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

const control = async ({ baseUrl }: Ready, method: string, path: string, body?: unknown): Promise<unknown> => {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(`${baseUrl}/_control${path}`, { method, headers: { 'x-edu-control': '1' }, ...sent });
  return answer.json();
};

describe.each([
  ['in memory, 100,000 licences', ['--memory', '--seed', 'large']],
  ['kept in a folder', []],
] as const)(`${CONNECTIONS} connections for ${SECONDS} s, with faults, %s`, (name, flags) => {
  test('does what was asked for, and nothing else', async () => {
    const { child, done, home, env, ready } = await serving(flags);
    const pid = child.pid ?? 0;
    await control(ready, 'DELETE', '/faults');
    const before = await teacherLicences(ready);
    await control(ready, 'PUT', '/faults', FAULTS);
    const tally = newTally();
    const begun = performance.now();
    const goesOn = (): boolean => performance.now() < begun + 1000 * SECONDS && tally.wrong.length === 0;
    const clients = Array.from({ length: CONNECTIONS }, (_, number) =>
      client(number, ready.baseUrl, ready.personas.distributor ?? '', tally, goesOn),
    );
    const memory: number[] = [];
    const held: number[] = [];
    while (goesOn()) {
      memory.push(residentMegabytes(pid));
      const quarters = Math.floor((4 * (performance.now() - begun)) / (1000 * SECONDS));
      if (quarters > held.length) held.push(await heldMegabytes(pid, env.HEAP_REPORT ?? ''));
      await sleep(STEP);
    }
    held.push(await heldMegabytes(pid, env.HEAP_REPORT ?? ''));
    await Promise.all(clients);
    expect(tally.wrong).toEqual([]);

    // Each fault was injected, and each answer that is not the service's own was one of them.
    const { faults } = (await control(ready, 'GET', '/faults')) as {
      readonly faults: readonly { readonly fault: { readonly action: string }; readonly hit: number }[];
    };
    expect(faults.filter(({ hit }) => hit === 0)).toEqual([]);
    const played = (...actions: readonly string[]): number =>
      faults.reduce((sum, { fault, hit }) => sum + (actions.includes(fault.action) ? hit : 0), 0);
    expect(tally.broken).toBe(played('reset', 'truncate'));
    expect(tally.injected).toBe(played('status'));

    // What was acknowledged is there, and nothing else but what is not known.
    await control(ready, 'DELETE', '/faults');
    const after = await teacherLicences(ready);
    for (const [code, name] of tally.there) expect(after.get(code), code).toBe(name);
    for (const code of tally.gone) expect(after.has(code), code).toBe(false);
    const others = [...after.keys()].filter((code) => !tally.there.has(code) && !tally.unknown.has(code));
    expect(others.sort()).toEqual([...before.keys()].sort());

    child.kill('SIGTERM');
    const { code, stderr } = await done;
    expect(code).toBe(0);
    expect(stderr.split('\n').filter((line) => /error/i.test(line))).toEqual([]);
    expect(everythingIn(env.TMPDIR ?? '')).toEqual([]);
    expect(processesWith(home)).toEqual([]);
    if (existsSync(env.EDU_STATE_DIR ?? '')) {
      const left = everythingIn(join(env.EDU_STATE_DIR ?? '', 'offline')).filter((one) => !one.startsWith('files/'));
      expect(left).toEqual(['service.db']);
      const files = everythingIn(join(env.EDU_STATE_DIR ?? '', 'offline', 'files'));
      expect(files.filter((one) => one.endsWith('.part'))).toEqual([]);
      const again = await edu(['--offline', 'licenses', 'list', '--type', 'TEACHER', '-o', 'ids'], { env });
      expect(again).toMatchObject({ code: 0, stderr: '' });
      expect(again.stdout.split('\n')).toHaveLength(after.size + 1);
    }

    process.stdout.write(
      `${name}: ${tally.requests} requests, ${tally.uploads} uploads, ${tally.injected + tally.broken} faults; ` +
        `memory ${Math.round(memory[0] ?? 0)} → ${Math.round(Math.max(...memory))} MiB at most, ` +
        `held ${held.map((one) => one.toFixed(1)).join(', ')} MiB\n`,
    );
    expect((held.at(-1) ?? 0) - (held[0] ?? 0)).toBeLessThan(MOST_HELD);
    expect(growth(memory)).toBeLessThan(MOST_GROWTH);
  });
});
