/** How long a command takes from spawn to reap, next to an empty program of the same Node. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cleanEnvironment, compare, figuresTable } from './harness.mjs';

export const title = 'Start';
export const about =
  'Whole processes, output to a pipe, as ratios to `node -e 0` of the same round. A ratio of 1.00 is the floor of every ' +
  'program on Node.';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const edu = [process.execPath, path('../bin/edu.js')];

/** Starts the little service in a process of its own: the measuring one does nothing but wait. */
async function licencesServer() {
  const server = spawn(process.execPath, [path('licences-server.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: cleanEnvironment(),
  });
  const [first] = await new Promise((resolve, reject) => {
    server.stdout.once('data', (data) => resolve([String(data).trim()]));
    server.once('error', reject);
  });
  return { baseUrl: first, stop: () => server.stdin.end() };
}

/** @param {{ rounds: number }} options @returns {Promise<import('./harness.mjs').Table>} */
export async function measure({ rounds }) {
  const folder = mkdtempSync(join(tmpdir(), 'edu-bench-'));
  const env = { EDU_CONFIG_DIR: join(folder, 'config'), EDU_STATE_DIR: join(folder, 'state') };
  const { baseUrl, stop } = await licencesServer();
  const network = { ...env, EDU_BASE_URL: baseUrl, EDU_TOKEN: 'bench' };
  const list = [...edu, 'licenses', 'list', '--limit', '1'];
  try {
    return figuresTable(
      compare(
        [
          { name: 'edu --version', line: [...edu, '--version'], env, target: 1.1 },
          { name: 'edu --help', line: [...edu, '--help'], env, target: 1.2 },
          { name: 'edu licenses create --help', line: [...edu, 'licenses', 'create', '--help'], env, target: 1.2 },
          { name: 'edu licenses list --limit 1 --offline', line: [...list, '--offline'], env },
          {
            name: 'edu licenses list --limit 20 --offline -o table',
            line: [...edu, 'licenses', 'list', '--limit', '20', '--offline', '-o', 'table'],
            env,
            target: 3,
          },
          { name: 'edu licenses list --limit 1, over HTTP', line: list, env: network, target: 2.6 },
          {
            name: 'edu licenses list --limit 1 --json, over HTTP',
            line: [...list, '--json'],
            env: network,
            target: 2.6,
          },
          {
            name: 'edu licenses list --limit 1 -o table, over HTTP',
            line: [...list, '-o', 'table'],
            env: network,
            target: 2.6,
          },
          {
            name: 'edu __complete licenses list --',
            line: [...edu, '__complete', 'licenses', 'list', '--'],
            env,
            target: 1.6,
          },
          {
            name: 'edu auth status --offline-check',
            line: [...edu, 'auth', 'status', '--offline-check'],
            env: network,
            target: 1.5,
          },
        ],
        rounds,
      ),
    );
  } finally {
    stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
