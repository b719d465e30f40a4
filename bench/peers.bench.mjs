/** How long other command-line tools take to print their version and their help, in the same rounds as `edu`. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compare, figuresTable } from './harness.mjs';
import { findOnPath, installPeer } from './peers.mjs';

export const title = 'Peers';
export const about =
  'The same two commands of other tools, as ratios to `node -e 0` of the same round. They run with an empty home, ' +
  'and with network access switched off where they allow it. gh is written in Go; the others run on Node.';

/** `env` switches off requests for telemetry and new versions. */
const PEERS = [
  { name: 'vercel', pack: 'vercel', version: '50.44.0', env: { VERCEL_TELEMETRY_DISABLED: '1' } },
  { name: 'heroku', pack: 'heroku', version: '11.10.0', env: { HEROKU_SKIP_NEW_VERSION_CHECK: 'true' } },
  { name: 'm365', pack: '@pnp/cli-microsoft365', version: '11.11.0', env: { CLIMICROSOFT365_DISABLETELEMETRY: '1' } },
];

/** @param {{ rounds: number }} options @returns {Promise<import('./harness.mjs').Table>} */
export async function measure({ rounds }) {
  const home = mkdtempSync(join(tmpdir(), 'edu-bench-'));
  const env = { HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, XDG_CACHE_HOME: home, CI: '1', NO_COLOR: '1' };
  const edu = [process.execPath, fileURLToPath(new URL('../bin/edu.js', import.meta.url))];
  const commands = ['--version', '--help'].map((flag) => ({ name: `edu ${flag}`, line: [...edu, flag], env }));
  const gh = findOnPath('gh');
  if (gh !== undefined) {
    for (const flag of ['--version', '--help']) commands.push({ name: `gh ${flag}`, line: [gh, flag], env });
  }
  for (const { name, pack, version, env: own } of PEERS) {
    const file = installPeer(pack, version, name);
    if (file === undefined) continue;
    // The script rather than npm's link, so that it runs on the same Node as the others.
    const line = [process.execPath, realpathSync(file)];
    for (const flag of ['--version', '--help']) {
      commands.push({ name: `${name} ${version} ${flag}`, line: [...line, flag], env: { ...env, ...own } });
    }
  }
  try {
    return figuresTable(compare(commands, Math.min(rounds, 10)));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
