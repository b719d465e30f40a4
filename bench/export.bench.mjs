/** How long an export of many licences takes and how much memory, next to the least that could be done. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quantile, watched } from './harness.mjs';

export const title = 'Exports';
export const about =
  'Licences from a service on loopback to a file, whole processes: `edu export licenses` next to a bare undici loop ' +
  'that follows the cursors, parses each page and writes the same file, in the same rounds (target: 1.3 at most for ' +
  '200,000); when the licences come in any order, it keeps them all in memory to sort them. Resident memory at its highest (target: 150 MB, also for 1,000,000).';

const node = process.execPath;
const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));

/** Whether two files have the same bytes. @param {string} a @param {string} b */
function same(a, b) {
  const [left, right] = [openSync(a, 'r'), openSync(b, 'r')];
  const [one, other] = [Buffer.alloc(1 << 20), Buffer.alloc(1 << 20)];
  try {
    for (;;) {
      const [read, beside] = [readSync(left, one), readSync(right, other)];
      if (read !== beside || !one.subarray(0, read).equals(other.subarray(0, beside))) return false;
      if (read === 0) return true;
    }
  } finally {
    closeSync(left);
    closeSync(right);
  }
}

/** @param {number} count @param {'sorted' | 'shuffled'} order @param {number} rounds */
async function row(count, order, rounds) {
  const server = spawn(process.execPath, [here('export-server.mjs'), String(count), order], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const folder = mkdtempSync(join(tmpdir(), 'edu-bench-'));
  try {
    const baseUrl = String((await once(server.stdout, 'data'))[0]).trim();
    const env = { EDU_BASE_URL: baseUrl, EDU_TOKEN: 'bench', EDU_CONFIG_DIR: join(folder, 'config') };
    const bare = join(folder, 'bare.ndjson');
    const to = join(folder, 'export');
    const ratios = [];
    const times = [];
    const peaks = [];
    for (let round = 0; round < rounds; round++) {
      rmSync(to, { recursive: true, force: true });
      const base = await watched({
        name: 'bare loop',
        line: [node, here('export-bare.mjs'), baseUrl, bare, order],
        env,
      });
      const own = await watched({
        name: 'edu export',
        line: [node, here('../bin/edu.js'), 'export', 'licenses', '--to', to],
        env,
      });
      ratios.push(own.time / base.time);
      times.push(own.time);
      peaks.push(own.peak);
    }
    if (!same(bare, join(to, 'licenses.ndjson'))) throw new Error('the two files differ');
    return [
      `${count.toLocaleString('en')} licences, ${order === 'sorted' ? 'in order' : 'in any order'}`,
      `${(quantile(times, 0.5) / 1000).toFixed(1)} s`,
      `${quantile(ratios, 0.5).toFixed(2)} (${quantile(ratios, 0.25).toFixed(2)}–${quantile(ratios, 0.75).toFixed(2)})`,
      `${Math.round(Math.max(...peaks))} MB`,
    ];
  } finally {
    server.stdin.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {{ rounds: number }} options */
export async function measure({ rounds }) {
  const some = Math.max(1, Math.min(rounds, 10));
  return {
    head: ['export', 'time', 'ratio to the bare loop', 'peak memory'],
    rows: [
      await row(200_000, 'sorted', some),
      await row(200_000, 'shuffled', some),
      await row(1_000_000, 'sorted', 1),
      await row(1_000_000, 'shuffled', 1),
    ],
  };
}
