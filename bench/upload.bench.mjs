/** Time and memory of the upload of a large file, compared with curl. */
import { spawn } from 'node:child_process';
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { once, quantile, watched } from './harness.mjs';
import { findOnPath } from './peers.mjs';

export const title = 'Uploads';
export const about =
  'A PDF of 140 MB as multipart form-data to a service on loopback that discards it; whole processes in the same ' +
  'rounds.';

const MEGABYTES = 140;
const here = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));

/** Writes a sparse file with the first bytes of a PDF. @param {string} path */
function makePdf(path) {
  const file = openSync(path, 'w');
  writeSync(file, '%PDF-1.7\n');
  ftruncateSync(file, MEGABYTES * 1024 * 1024);
  closeSync(file);
}

/** @param {{ rounds: number }} options @returns {Promise<import('./harness.mjs').Table>} */
export async function measure({ rounds }) {
  const folder = mkdtempSync(join(tmpdir(), 'edu-bench-'));
  const server = spawn(process.execPath, [here('upload-server.mjs')], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const baseUrl = await new Promise((resolve) => server.stdout.once('data', (line) => resolve(String(line).trim())));
    const pdf = join(folder, 'upload.pdf');
    makePdf(pdf);
    const env = { EDU_BASE_URL: baseUrl, EDU_TOKEN: 'bench', EDU_CONFIG_DIR: folder, EDU_STATE_DIR: folder };
    const ours = {
      name: 'edu files upload',
      line: [process.execPath, here('../bin/edu.js'), 'files', 'upload', pdf, '--quiet'],
      env,
    };
    const curl = findOnPath('curl');
    const fields = ['-F', `file=@${pdf}`, '-F', 'fileType=Document'];
    const theirs = {
      name: 'curl -F',
      line: [curl ?? 'curl', '-s', '-o', '/dev/null', ...fields, `${baseUrl}/v1/files`],
    };
    const times = [];
    const others = [];
    for (let round = 0; round < Math.min(rounds, 10); round++) {
      times.push(once(ours));
      if (curl !== undefined) others.push(once(theirs));
    }
    const seconds = (/** @type {readonly number[]} */ some) => `${(quantile(some, 0.5) / 1000).toFixed(2)} s`;
    const rate = (/** @type {readonly number[]} */ some) =>
      `${Math.round((MEGABYTES * 1000) / quantile(some, 0.5))} MB/s`;
    return {
      head: ['what', 'time', 'speed', 'peak memory'],
      rows: [
        [ours.name, seconds(times), rate(times), `${Math.round((await watched(ours)).peak)} MB`],
        ...(others.length === 0 ? [] : [[theirs.name, seconds(others), rate(others), '']]),
      ],
    };
  } finally {
    server.stdin.end();
    rmSync(folder, { recursive: true, force: true });
  }
}
