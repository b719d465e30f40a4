/** The time that commands take from start to exit, compared with `node -e 0`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compare, figuresTable } from './harness.mjs';
import { EDU, licencesServer, starts } from './starts.mjs';

export const title = 'Start';
export const about =
  'Whole processes, output to a pipe, as ratios to `node -e 0` of the same round; no program on Node is below 1.00. ' +
  'On Node 20, SQLite is that of `libsql`.';

/** @param {{ rounds: number }} options @returns {Promise<import('./harness.mjs').Table>} */
export async function measure({ rounds }) {
  const folder = mkdtempSync(join(tmpdir(), 'edu-bench-'));
  const { baseUrl, stop } = await licencesServer();
  try {
    return figuresTable(compare(starts([process.execPath, EDU], folder, baseUrl), Math.max(20, rounds)));
  } finally {
    stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
