/** The commands whose start is measured, and the service on loopback that some of them send requests to. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cleanEnvironment } from './harness.mjs';

const path = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));

/** The first request of an assistant. */
const INITIALIZE = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
})}\n`;

export const EDU = path('../bin/edu.js');

/** Starts the service in another process, so that serving does not slow down the measuring process. */
export async function licencesServer() {
  const server = spawn(process.execPath, [path('licences-server.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: cleanEnvironment(),
  });
  const baseUrl = await new Promise((resolve, reject) => {
    server.stdout.once('data', (data) => resolve(String(data).trim()));
    server.once('error', reject);
  });
  return { baseUrl, stop: () => server.stdin.end() };
}

/**
 * @param {readonly string[]} program the command that starts `edu`, with its arguments
 * @param {string} folder for settings and state
 * @param {string} baseUrl of the service on loopback
 * @returns {import('./harness.mjs').Command[]}
 */
export function starts(program, folder, baseUrl) {
  const env = {
    EDU_CONFIG_DIR: join(folder, 'config'),
    EDU_STATE_DIR: join(folder, 'state'),
  };
  const network = { ...env, EDU_BASE_URL: baseUrl, EDU_TOKEN: 'bench' };
  /** @param {string} words @param {Record<string, string>} variables @param {number} [target] @param {string} [note] */
  const command = (words, variables, target, note = '') => ({
    name: `edu ${words}${note}`,
    line: [...program, ...words.split(' ')],
    env: variables,
    ...(target === undefined ? {} : { target }),
  });
  return [
    command('--version', env, 1.1),
    command('--help', env, 1.2),
    command('licenses create --help', env, 1.2),
    command('licenses list --limit 1 --offline', env),
    command('licenses list --limit 20 --offline -o table', env, 3),
    command('licenses list --limit 1', network, 2.6, ', over HTTP'),
    command('licenses list --limit 1 --json', network, 2.6, ', over HTTP'),
    command('licenses list --limit 1 -o table', network, 2.6, ', over HTTP'),
    command('__complete licenses list --', env, 1.6),
    command('auth status --offline-check', network, 1.5),
    command('auth status', network, undefined, ', over HTTP'),
    { ...command('mcp', network, undefined, ', until an assistant has an answer'), input: INITIALIZE },
  ];
}
