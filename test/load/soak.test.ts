/**
 * Twelve bulk jobs and two exports at a time against `edu offline serve` with faults, one after the other until the
 * time is over, a third of the jobs killed and run again: each row exists once, each export is complete, and no memory,
 * descriptor, lock or temporary file is left. `EDU_SOAK_SECONDS` and `EDU_SOAK_ROWS` set the duration and the rows of a
 * job.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { start } from '../support/spawned.js';
import { everythingIn, growth, processesWith, residentMegabytes, SECONDS } from './measures.js';
import { control, heldMegabytes, serving, teacherLicences } from './serving.js';

const TIME_MS = 1000 * Number(process.env.EDU_SOAK_SECONDS || SECONDS);
const ROWS = Number(process.env.EDU_SOAK_ROWS || 300);
const JOBS = 12;
const EXPORTS = 2;
const STEP_MS = 500;
/** Maximum memory of a job or an export, and maximum growth of the service's heap, in MiB. */
const MAX_CLIENT = 256;
const MAX_HELD_GROWTH = 6;

/** Rarer than in the test of the service: an export must finish between two invalid cursors. */
const FAULTS = [
  'POST /v1/licenses reset when=after every=61',
  'POST /v1/licenses reset every=97',
  'POST /v1/licenses 503 retry-after=0 every=53',
  'POST /v1/licenses 500 when=after every=89',
  'GET /v1/licenses 429 retry-after=0 every=31',
  'GET /v1/licenses truncate every=73',
  'GET /v1/users reset every=41',
  'latency=20 every=9',
];

const descriptors = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

test(`${JOBS} jobs of ${ROWS} rows and ${EXPORTS} exports for ${TIME_MS / 1000} s, with faults`, async () => {
  const { child, done, home, env: served, ready } = await serving([], FAULTS);
  const pid = child.pid ?? 0;
  const user = join(home, 'user');
  for (const name of ['rows', 'results', 'exports', 'tmp']) mkdirSync(join(user, name), { recursive: true });
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: user,
    TMPDIR: join(user, 'tmp'),
    EDU_CONFIG_DIR: join(user, 'config'),
    EDU_STATE_DIR: join(user, 'state'),
    EDU_BASE_URL: ready.baseUrl,
    EDU_TOKEN: ready.personas.distributor ?? '',
    EDU_CODE_SECRET: 'soak',
  };
  const begun = performance.now();
  const goesOn = (): boolean => performance.now() < begun + TIME_MS;
  const running = new Set<number>();
  const counts = { jobs: 0, kills: 0, exports: 0, rows: 0 };
  const wrong: string[] = [];

  /** Runs a line to its end, or kills it. */
  async function run(argv: readonly string[], killAfterMs?: number): Promise<void> {
    const { child: process, done: ended } = start(argv, { env });
    running.add(process.pid ?? 0);
    const timer = killAfterMs === undefined ? undefined : setTimeout(() => process.kill('SIGKILL'), killAfterMs);
    const { code, signal, stderr } = await ended;
    clearTimeout(timer);
    running.delete(process.pid ?? 0);
    if (signal === 'SIGKILL') counts.kills++;
    else if (code !== 0) wrong.push(`${argv[0]} ended with ${code ?? signal}: ${stderr.slice(-600)}`);
  }

  async function jobs(number: number): Promise<void> {
    for (let round = 0; goesOn() && wrong.length === 0; round++) {
      const name = `soak-${number}-${round}`;
      const [from, results] = [join(user, `rows/${name}.csv`), join(user, `results/${name}.csv`)];
      const rows = Array.from({ length: ROWS }, (_, row) => `${name}-${row},Teacher,1\n`);
      writeFileSync(from, `name,type,maximum-activations\n${rows.join('')}`);
      const argv = ['licenses', 'create', '--from', from, '--results', results, '--quiet'];
      if ((number + round) % 3 === 0) await run(argv, 500 + ((number * 7919 + round * 104_729) % 4_000));
      await run(argv);
      const kept = readFileSync(results, 'utf8').trimEnd().split('\n').slice(1);
      const good = kept.filter((line) => /,(created|exists),/.test(line)).length;
      if (good !== ROWS) wrong.push(`${name}: ${good} of ${ROWS} rows are there, by its results`);
      counts.jobs++;
      counts.rows += ROWS;
      rmSync(from);
      rmSync(results);
    }
  }

  async function exports(number: number): Promise<void> {
    while (goesOn() && wrong.length === 0) {
      const to = join(user, `exports/${number}`);
      await run(['export', '--to', to, '--quiet']);
      const { complete } = JSON.parse(readFileSync(join(to, 'manifest.json'), 'utf8')) as {
        readonly complete: boolean;
      };
      if (!complete) wrong.push('an export is not complete');
      counts.exports++;
      rmSync(to, { recursive: true });
    }
  }

  const work = [
    ...Array.from({ length: JOBS }, (_, number) => jobs(number)),
    ...Array.from({ length: EXPORTS }, (_, number) => exports(number)),
  ];
  const memory: number[] = [];
  const held: number[] = [];
  const handles: number[] = [];
  let largest = 0;
  /** The journal keeps the last responses on purpose; it is larger after an export than after a job. */
  const heldNow = async (): Promise<number> => {
    await control(ready, 'DELETE', '/requests');
    return heldMegabytes(pid, served.HEAP_REPORT ?? '');
  };
  while (goesOn() && wrong.length === 0) {
    memory.push(residentMegabytes(pid));
    handles.push(descriptors(pid));
    const quarters = Math.floor((4 * (performance.now() - begun)) / TIME_MS);
    if (quarters > held.length) held.push(await heldNow());
    for (const one of running) {
      try {
        largest = Math.max(largest, residentMegabytes(one));
      } catch {
        // It has just ended.
      }
    }
    await sleep(STEP_MS);
  }
  await Promise.all(work);
  held.push(await heldNow());
  const seconds = Math.round((performance.now() - begun) / 1000);
  expect(wrong).toEqual([]);
  expect(counts.exports).toBeGreaterThan(0);

  const { faults } = (await control(ready, 'GET', '/faults')) as {
    readonly faults: readonly { readonly hit: number }[];
  };
  await control(ready, 'DELETE', '/faults');
  const names = [...(await teacherLicences(ready)).values()].filter((name) => name.startsWith('soak-'));
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBe(counts.rows);

  const state = everythingIn(join(user, 'state'));
  expect(state.filter((path) => /(^|\/)lock|\.draft-|\.new$|\.part$|\d+-\d+-[0-9a-f]{8}/.test(path))).toEqual([]);
  expect(everythingIn(env.TMPDIR)).toEqual([]);
  await expect.poll(() => descriptors(pid), { timeout: 20_000 }).toBeLessThanOrEqual((handles[0] ?? 0) + 8);

  child.kill('SIGTERM');
  expect((await done).code).toBe(0);
  expect(processesWith(home)).toEqual([]);
  process.stdout.write(
    `soak: ${seconds} s, ${counts.jobs} jobs of ${ROWS} rows, ${counts.kills} killed, ${counts.exports} exports, ` +
      `${faults.reduce((sum, { hit }) => sum + hit, 0)} faults; service ${Math.round(memory[0] ?? 0)} → ` +
      `${Math.round(Math.max(...memory))} MiB at most, held ${held.map((one) => one.toFixed(1)).join(', ')} MiB, ` +
      `${Math.max(...handles)} descriptors; largest client ${Math.round(largest)} MiB\n`,
  );
  expect(largest).toBeLessThan(MAX_CLIENT);
  expect((held.at(-1) ?? 0) - (held[0] ?? 0)).toBeLessThan(MAX_HELD_GROWTH);
  // In a short load, V8's memory still grows to its usual size.
  expect(growth(memory)).toBeLessThan(TIME_MS < 60_000 ? 128 : 64);
});
