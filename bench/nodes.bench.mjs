/** The start of `edu` on all supported versions of Node, as ratios to `node -e 0` of the same version. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchNode, NODES } from '../scripts/build/node-binaries.mjs';
import { compare } from './harness.mjs';
import { EDU, licencesServer, starts } from './starts.mjs';

export const title = 'Start on other Nodes';
export const about =
  'The same commands, as ratios to `node -e 0` of the same Node: median, and the middle half of the rounds. On a ' +
  'Node that did not build the program, the first run stores compiled code; it is not measured.';

/** @param {{ rounds: number }} options @returns {Promise<import('./harness.mjs').Table>} */
export async function measure({ rounds }) {
  const folder = mkdtempSync(join(tmpdir(), 'edu-bench-'));
  const { baseUrl, stop } = await licencesServer();
  /** @type {string[][]} */
  const rows = [];
  try {
    for (const version of NODES) {
      const node = fetchNode(version);
      const baseline = { name: 'node -e 0', line: [node, '-e', '0'] };
      const figures = compare(starts([node, EDU], join(folder, version), baseUrl), Math.max(20, rounds), baseline);
      for (const [index, { name, ratio, spread, milliseconds }] of figures.entries()) {
        rows[index] ??= [name];
        const cell =
          index === 0
            ? `${milliseconds.toFixed(1)} ms`
            : `${ratio.toFixed(2)} (${spread.map((end) => end.toFixed(2)).join('–')})`;
        rows[index]?.push(cell);
      }
    }
  } finally {
    stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return { head: ['command', ...NODES.map((version) => `Node ${version}`)], rows };
}
