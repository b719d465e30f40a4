/** Bulk jobs, journal included, against a bare pool that only sends, against curl, and against the ideal. */
import { spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { once, quantile, watched } from './harness.mjs';

export const title = 'Bulk jobs';
export const about =
  'Whole processes, from spawn to exit, on the same service in the same round. Ideal: rows × latency / concurrency. ' +
  '`edu` keeps a journal that is synced to disk before a row is sent; the pool keeps nothing.';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const EDU = here('../bin/edu.js');
const ROWS = 10_000;
const LATENCY = 20;

/** A service of its own for each run. */
async function served(latency, work) {
  const server = spawn(process.execPath, [here('bulk-server.mjs'), String(latency)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const origin = await new Promise((resolve) => server.stdout.once('data', (line) => resolve(String(line).trim())));
    return work(origin);
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
    line: [process.execPath, EDU, ...line, '--concurrency', String(concurrency), '--new-job', '--quiet', '-o', 'json'],
    env: { EDU_BASE_URL: origin, EDU_TOKEN: 'bench-token', EDU_STATE_DIR: state, EDU_CONFIG_DIR: state },
  };
}

const bare = (origin, rows, concurrency) => ({
  name: 'undici pool',
  line: [process.execPath, here('bulk-pool.mjs'), origin, String(rows), String(concurrency)],
});

function curls(origin, rows) {
  const post = `curl -s -o /dev/null -X POST -H 'content-type: application/json' -d '{"name":"A","code":"c{}"}' ${origin}/v1/licenses`;
  return { name: 'xargs -P 8 curl', line: ['sh', '-c', `seq ${rows} | xargs -P 8 -I{} ${post}`] };
}

/** @param {string} last the code of the last row */
async function million(folder, name = 'million.csv', last = 'code0') {
  const file = join(folder, name);
  const out = createWriteStream(file);
  out.write('name,type,maximum-activations,days,book,code\n');
  for (let row = 0; row < 1_000_000; row++) {
    const taken = out.write(`Licence number ${row},Books,30,365,B1,${row === 999_999 ? last : `code${row}`}\n`);
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
    for (const latency of [LATENCY, 0]) {
      const ours = [];
      const pools = [];
      for (let round = 0; round < few; round++) {
        const run = (make) => served(latency, (origin) => once(make(origin)));
        const state = join(folder, `state-${latency}-${round}`);
        ours.push(await run((origin) => edu(origin, state, ROWS, 32)));
        pools.push(await run((origin) => bare(origin, ROWS, 32)));
      }
      const own = quantile(ours, 0.5);
      const ratio = quantile(
        ours.map((time, round) => time / (pools[round] ?? 1)),
        0.5,
      );
      const ideal = (ROWS * latency) / 32;
      rows.push([
        `${ROWS} licences, 32 at a time, ${latency} ms`,
        seconds(own),
        `${times(ratio)} a bare pool`,
        latency === 0 ? '≤ 1.67' : '≤ 1.10',
      ]);
      if (latency > 0) rows.push(['', '', `${times(own / ideal)} the ideal`, '≤ 1.15']);
      else {
        const curl = (await served(0, (origin) => once(curls(origin, 1000)))) * (ROWS / 1000);
        rows.push(['', '', `${(curl / own).toFixed(0)} times as fast as xargs -P 8 curl`, '≥ 10']);
      }
    }
    const env = { EDU_STATE_DIR: join(folder, 'offline'), EDU_CONFIG_DIR: join(folder, 'offline') };
    const create = [process.execPath, EDU, '--offline', 'licenses', 'create', '--from'];
    const file = await million(folder);
    // The last row has the code of the first: all is read and checked, and nothing sent.
    const checked = await watched({ name: 'a million rows', line: [...create, file], env }, 2);
    rows.push(['1,000,000 rows checked', seconds(checked.time), `${checked.peak.toFixed(0)} MB resident`, '≤ 200 MB']);
    const good = await million(folder, 'good.csv', 'other');
    const planned = await watched({ name: 'a plan', line: [...create, good, '--dry-run', '--quiet'], env });
    rows.push(['1,000,000 rows planned', seconds(planned.time), `${planned.peak.toFixed(0)} MB resident`, '≤ 200 MB']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { head: ['what', 'time', 'compared', 'target'], rows };
}
