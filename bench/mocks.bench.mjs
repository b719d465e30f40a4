/** The bundled service compared with mock servers that teams could use instead. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cleanEnvironment, quantile } from './harness.mjs';
import { load } from './load.mjs';
import { installPeer } from './peers.mjs';

export const title = 'Mock servers';
export const about =
  'One licence by its ID over loopback HTTP, 16 connections; and the time from start to first response. prism ' +
  'generates responses from `docs/openapi.json`; json-server serves one licence from a file, without rules. `edu ' +
  'offline serve` checks tokens, permissions and every rule of the service.';

const here = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
const START_TIMEOUT_MS = 30_000;

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** @param {string} url @param {Readonly<Record<string, string>>} headers */
async function answers(url, headers) {
  try {
    const response = await fetch(url, { headers });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** @param {readonly string[]} line @param {string} url @param {Readonly<Record<string, string>>} headers */
async function started([program = '', ...args], url, headers, env = {}) {
  const start = process.hrtime.bigint();
  const child = spawn(program, args, { stdio: 'ignore', env: { ...cleanEnvironment(), ...env } });
  const end = Date.now() + START_TIMEOUT_MS;
  while (!(await answers(url, headers))) {
    if (Date.now() > end || child.exitCode !== null) throw new Error(`${args.join(' ')} does not answer`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const milliseconds = Number(process.hrtime.bigint() - start) / 1e6;
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  return { milliseconds, stop };
}

/** @param {string} folder */
async function servers(folder) {
  const node = process.execPath;
  const found = [];
  const state = { EDU_STATE_DIR: folder, EDU_CONFIG_DIR: folder };
  const port = await freePort();
  found.push({
    name: 'edu offline serve',
    line: [node, here('../bin/edu.js'), 'offline', 'serve', '--port', String(port), '--memory', '--quiet'],
    url: `http://127.0.0.1:${port}/v1/licenses/00000002`,
    headers: { authorization: 'Bearer edu-offline-distributor' },
    env: state,
  });
  const prism = installPeer('@stoplight/prism-cli', '5.16.0', 'prism');
  if (prism !== undefined) {
    const other = await freePort();
    found.push({
      name: 'prism 5.16.0',
      line: [node, realpathSync(prism), 'mock', '-p', String(other), here('../docs/openapi.json')],
      url: `http://127.0.0.1:${other}/v1/licenses/00000002`,
      headers: { authorization: 'Bearer any' },
      env: {},
    });
  }
  const json = installPeer('json-server', '0.17.4', 'json-server');
  if (json !== undefined) {
    const other = await freePort();
    const file = join(folder, 'db.json');
    writeFileSync(file, JSON.stringify({ licenses: [{ id: '00000002', name: 'Autumn', code: 'autumn' }] }));
    found.push({
      name: 'json-server 0.17.4',
      line: [node, realpathSync(json), '--port', String(other), '--quiet', file],
      url: `http://127.0.0.1:${other}/licenses/00000002`,
      headers: {},
      env: {},
    });
  }
  return found;
}

/** @param {{ rounds: number }} options @returns {Promise<import('./harness.mjs').Table>} */
export async function measure({ rounds }) {
  const folder = mkdtempSync(join(tmpdir(), 'edu-bench-'));
  try {
    const rows = [];
    for (const { name, line, url, headers, env } of await servers(folder)) {
      const rates = [];
      const starts = [];
      for (let round = 0; round < Math.max(3, Math.min(5, rounds)); round++) {
        const { milliseconds, stop } = await started(line, url, headers, env);
        starts.push(milliseconds);
        // The first thousand requests warm up the server's JIT compiler and are not measured.
        await load(url, headers, 1000);
        rates.push(await load(url, headers, 5000));
        await stop();
      }
      rows.push([name, Math.round(quantile(rates, 0.5)).toString(), Math.round(quantile(starts, 0.5)).toString()]);
    }
    return { head: ['server', 'requests/s', 'first answer, ms'], rows };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
