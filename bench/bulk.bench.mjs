/** Bulk jobs, with their journal, compared with a bare undici pool, with curl, and with the ideal time. */
import { spawn } from 'node:child_process';
import { once as happens } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cleanEnvironment, once, quantile, watched } from './harness.mjs';

export const title = 'Bulk jobs';
export const about =
  'Whole processes, from spawn to exit, against the same service in the same round. Ideal: rows × latency / ' +
  'concurrency. `edu` syncs a journal to disk before it sends a row; the pool stores nothing. CPU is processor ' +
  'time.';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const EDU = here('../bin/edu.js');
const LATENCY = 20;

/** Runs `work` against a new service, so that runs don't share its state. */
async function served(latency, work) {
  const server = spawn(process.execPath, [here('bulk-server.mjs'), String(latency)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const origin = await new Promise((resolve) => server.stdout.once('data', (line) => resolve(String(line).trim())));
    return await work(origin);
  } finally {
    server.stdin.end();
  }
}

function edu(origin, state, rows, concurrency) {
  const line = [
    'licenses',
    'create',
    '--count',
    String(rows),
    '--type',
    'Teacher',
    '--name',
    'Autumn',
    '--maximum-activations',
    '1',
  ];
  return {
    name: `edu, ${rows} rows`,
    line: [process.execPath, EDU, ...line, '--concurrency', String(concurrency), '--quiet', '-o', 'json'],
    env: { EDU_BASE_URL: origin, EDU_TOKEN: 'bench-token', EDU_STATE_DIR: state, EDU_CONFIG_DIR: state },
  };
}

/** Kills a job of a million rows at 90 % and starts it again. @returns milliseconds until its first request */
async function resumed(origin, state) {
  const { line, env } = edu(origin, state, 1_000_000, 32);
  const [program = '', ...args] = line;
  const start = () => spawn(program, args, { env: { ...cleanEnvironment(), ...env }, stdio: 'ignore' });
  const created = async () => Number(await (await fetch(`${origin}/count`)).text());
  const until = async (count) => {
    while ((await created()) < count) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const first = start();
  await until(900_000);
  first.kill('SIGKILL');
  await happens(first, 'exit');
  const before = await created();
  const began = process.hrtime.bigint();
  const second = start();
  await until(before + 1);
  const time = Number(process.hrtime.bigint() - began) / 1e6;
  second.kill('SIGKILL');
  await happens(second, 'exit');
  return time;
}

const bare = (origin, rows, concurrency) => ({
  name: 'undici pool',
  line: [process.execPath, here('bulk-pool.mjs'), origin, String(rows), String(concurrency)],
});

function curls(origin, rows) {
  const post = `curl -s -o /dev/null -X POST -H 'content-type: application/json' -d '{"name":"A","code":"c{}"}' ${origin}/v1/licenses`;
  return { name: 'xargs -P 8 curl', line: ['sh', '-c', `seq ${rows} | xargs -P 8 -I{} ${post}`] };
}

/**
 * A dry run looks up codes of the user's own with a request each, since another organization may have them.
 * @param {(row: number) => string} code of a row; '' for one that edu derives
 */
async function million(folder, name, code) {
  const file = join(folder, name);
  const out = createWriteStream(file);
  out.write('name,type,maximum-activations,days,book,code\n');
  for (let row = 0; row < 1_000_000; row++) {
    const taken = out.write(`Licence number ${row},Books,30,365,B1,${code(row)}\n`);
    if (!taken) await new Promise((resolve) => out.once('drain', resolve));
  }
  await new Promise((resolve) => out.end(resolve));
  return file;
}

const times = (number) => `${number.toFixed(2)} ×`;
const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(2)} s`;

export async function measure({ rounds }) {
  const folder = mkdtempSync(join(tmpdir(), 'edu-bench-'));
  const few = Math.max(3, Math.min(5, Math.round(rounds / 6)));
  const rows = [];
  try {
    for (const [number, latency] of [
      [10_000, LATENCY],
      [10_000, 0],
      [100_000, 0],
    ]) {
      const ours = [];
      const pools = [];
      for (let round = 0; round < few; round++) {
        const run = (make) => served(latency, (origin) => watched(make(origin)));
        const state = join(folder, `state-${number}-${latency}-${round}`);
        ours.push(await run((origin) => edu(origin, state, number, 32)));
        pools.push(await run((origin) => bare(origin, number, 32)));
      }
      const median = (of) =>
        quantile(
          ours.map(({ [of]: value }) => value),
          0.5,
        );
      const ratio = (of) =>
        times(
          quantile(
            ours.map((own, round) => own[of] / (pools[round]?.[of] ?? 1)),
            0.5,
          ),
        );
      const own = median('time');
      rows.push([
        `${number} licences, 32 at a time, ${latency} ms`,
        seconds(own),
        `${ratio('time')} a bare pool; ${ratio('cpu')} its CPU; ${median('peak').toFixed(0)} MB`,
        latency === 0 ? 'CPU ≤ 2.00' : '≤ 1.10',
      ]);
      if (latency > 0) rows.push(['', '', `${times(own / ((number * latency) / 32))} the ideal`, '≤ 1.15']);
      else if (number === 10_000) {
        const curl = (await served(0, (origin) => once(curls(origin, 1000)))) * (number / 1000);
        rows.push(['', '', `${(curl / own).toFixed(0)} times as fast as xargs -P 8 curl`, '≥ 10']);
      }
    }
    const offline = { EDU_STATE_DIR: join(folder, 'offline'), EDU_CONFIG_DIR: join(folder, 'offline') };
    const create = [process.execPath, EDU, '--offline', 'licenses', 'create', '--from'];
    const file = await million(folder, 'million.csv', (row) => `code${row % 999_999}`);
    // The last row has the code of the first, so that all rows are checked and none is sent.
    const checked = await watched({ name: 'a million rows', line: [...create, file], env: offline }, 2);
    rows.push(['1,000,000 rows checked', seconds(checked.time), `${checked.peak.toFixed(0)} MB resident`, '≤ 150 MB']);
    const good = await million(folder, 'good.csv', () => '');
    const plan = { name: 'a plan', line: [...create, good, '--dry-run', '--quiet'], env: offline };
    const planned = await watched(plan);
    rows.push([
      '1,000,000 rows planned',
      seconds(planned.time),
      `${times(planned.cpu / checked.cpu)} the CPU of checking; ${planned.peak.toFixed(0)} MB resident`,
      '≤ 3.00; ≤ 150 MB',
    ]);
    const again = await served(0, (origin) => resumed(origin, join(folder, 'killed')));
    rows.push(['1,000,000 rows killed at 90 %', seconds(again), 'until the next row is sent', '≤ 3 s']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { head: ['what', 'time', 'compared', 'target'], rows };
}
