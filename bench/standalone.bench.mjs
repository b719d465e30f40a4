/** The single executable: its size, and its start compared with `node -e 0` of the Node that it contains. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { fetchNode, STANDALONE_NODE } from '../scripts/build/node-binaries.mjs';
import { compare } from './harness.mjs';
import { EDU, licencesServer, starts } from './starts.mjs';

export const title = 'The single executable';
export const about =
  `\`npm run standalone\` against the package, both with Node ${STANDALONE_NODE}, as ratios to \`node -e 0\` of that Node: ` +
  'medians, and the middle half of the rounds.';

const megabytes = (/** @type {number} */ bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
const path = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));

/** @param {{ rounds: number }} options @returns {Promise<import('./harness.mjs').Table>} */
export async function measure({ rounds }) {
  const node = fetchNode(STANDALONE_NODE);
  execFileSync(process.execPath, [path('../scripts/standalone/build.mjs')], { stdio: ['ignore', 'ignore', 'inherit'] });
  const executable = path(`../dist.standalone/${process.platform}-${process.arch}/edu`);
  const folder = mkdtempSync(join(tmpdir(), 'edu-bench-'));
  const { baseUrl, stop } = await licencesServer();
  /** @type {string[][]} */
  const rows = [];
  try {
    const baseline = { name: 'node -e 0', line: [node, '-e', '0'] };
    for (const program of [[executable], [node, EDU]]) {
      const figures = compare(
        starts(program, join(folder, String(program.length)), baseUrl),
        Math.max(20, rounds),
        baseline,
      );
      for (const [index, { name, ratio, spread, milliseconds }] of figures.entries()) {
        rows[index] ??= [name];
        const ends = spread.map((end) => end.toFixed(2)).join('–');
        rows[index]?.push(index === 0 ? `${milliseconds.toFixed(1)} ms` : `${ratio.toFixed(2)} (${ends})`);
      }
    }
  } finally {
    stop();
    rmSync(folder, { recursive: true, force: true });
  }
  const bytes = readFileSync(executable);
  rows.push(
    ['size', megabytes(bytes.length), `Node: ${megabytes(statSync(node).size)}`],
    ['size, gzipped', megabytes(gzipSync(bytes).length), ''],
  );
  return { head: ['command', 'executable', 'package'], rows };
}
