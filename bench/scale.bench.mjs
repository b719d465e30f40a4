/** Memory of exports that are as large as those of a whole distributor, and Parquet beside NDJSON. */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { edu, listed, quantile, watched, withServer } from './harness.mjs';

export const title = 'Scale';
export const about =
  'Exports from a service on loopback that generates its pages, as whole processes (target: at most 150 MB resident). ' +
  'Each school has 3 roles, 40 users, 5 books and 4 classes, and all of them are exported, the users read twice, to find ' +
  'those who move. Lists of 1,000,000 licences as ndjson and as parquet run by turns; the ratios are to ndjson. A list of any ' +
  'number of licences takes `number / 100 × (time of a response + processor time of edu)`: the last rows compute that for a service ' +
  'that answers after 20 ms, from the processor time of edu for each page of the 5,000,000 licences.';

const LICENCES = 5_000_000;
const LISTED = 1_000_000;
const PER_PAGE = 100;
const LATENCY_MS = 20;

/** @typedef {{ time: number, peak: number, cpu: number }} Run */

const megabytes = (/** @type {number} */ bytes) => `${Math.round(bytes / 1e6)} MB`;

/** @param {number} milliseconds */
function durationOf(milliseconds) {
  const minutes = milliseconds / 60_000;
  if (minutes < 2) return `${(milliseconds / 1000).toFixed(1)} s`;
  return minutes < 120 ? `${Math.round(minutes)} min` : `${(minutes / 60).toFixed(1)} h`;
}

/** @param {string} name @param {readonly Run[]} own @param {number} bytes of its files @param {string} [ratio] */
const row = (name, own, bytes, ratio = '') => [
  name,
  durationOf(
    quantile(
      own.map(({ time }) => time),
      0.5,
    ),
  ),
  `${quantile(
    own.map(({ cpu }) => cpu),
    0.5,
  ).toFixed(1)} s`,
  `${Math.round(Math.max(...own.map(({ peak }) => peak)))} MB`,
  megabytes(bytes),
  ratio,
];

/** @param {string} name @param {readonly number[]} size licences and schools @param {readonly string[]} files whose sizes count */
const exported = async (name, size, ...files) => {
  /** @type {Run[]} */
  const runs = [];
  const rows = await withServer(['scale-server.mjs', ...size.map(String)], async (env, folder) => {
    const to = join(folder, 'export');
    const resources = files.length === 1 ? files : [];
    runs.push(await watched({ name, line: edu('export', ...resources, '--to', to), env }));
    const bytes = files.reduce((sum, file) => sum + statSync(join(to, `${file}.ndjson`)).size, 0);
    return [row(name, runs, bytes)];
  });
  return { rows, runs };
};

/** @param {number} rounds */
const lists = (rounds) =>
  withServer(['scale-server.mjs', String(LISTED)], async (env, folder) => {
    const file = join(folder, 'list');
    /** @type {Record<'ndjson' | 'parquet', { runs: Run[], bytes: number }>} */
    const of = { ndjson: { runs: [], bytes: 0 }, parquet: { runs: [], bytes: 0 } };
    for (let round = 0; round < rounds; round++) {
      for (const format of /** @type {const} */ (['ndjson', 'parquet'])) {
        of[format].runs.push(await listed(`licenses list --type BOOKS -o ${format}`, file, env));
        of[format].bytes = statSync(file).size;
        rmSync(file);
      }
    }
    const ratio = (/** @type {'time' | 'cpu'} */ what) =>
      quantile(
        of.parquet.runs.map((run, at) => run[what] / (of.ndjson.runs[at]?.[what] ?? Number.NaN)),
        0.5,
      ).toFixed(2);
    const size = (of.parquet.bytes / of.ndjson.bytes).toFixed(2);
    const ratios = `time ${ratio('time')}, CPU ${ratio('cpu')}, size ${size}`;
    return [
      row('list of 1,000,000 licences, ndjson', of.ndjson.runs, of.ndjson.bytes),
      row('the same, parquet', of.parquet.runs, of.parquet.bytes, ratios),
    ];
  });

/** @param {{ rounds: number }} options */
export async function measure({ rounds }) {
  const all = ['schools', 'roles', 'users', 'books', 'classes'];
  const licences = await exported('export of 5,000,000 licences', [LICENCES], 'licenses');
  const some = await exported('export of 10,000 schools, all resources', [0, 10_000], ...all);
  const many = await exported('export of 30,000 schools, all resources', [0, 30_000], ...all);
  const perPage = (1000 * (licences.runs[0]?.cpu ?? Number.NaN)) / (LICENCES / PER_PAGE);
  const computed = [1e6, 1e7, 1e8].map((count) => {
    const name = `${count.toLocaleString('en')} licences at 20 ms and ${perPage.toFixed(1)} ms a page, computed`;
    return [name, durationOf((count / PER_PAGE) * (LATENCY_MS + perPage)), '', '', '', ''];
  });
  return {
    head: ['what', 'time', 'CPU', 'peak memory', 'size', 'ratio'],
    rows: [...licences.rows, ...some.rows, ...many.rows, ...(await lists(Math.min(rounds, 3))), ...computed],
  };
}
