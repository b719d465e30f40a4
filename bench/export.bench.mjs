/** Time, processor time and memory of exports, lists and diffs, compared with a bare loop that writes the same file. */
import { createHash } from 'node:crypto';
import { closeSync, cpSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { edu, listed, quantile, watched, withServer } from './harness.mjs';

export const title = 'Exports';
export const about =
  'Exports of licences from a service on loopback, as whole processes, compared in the same rounds with a bare ' +
  'undici loop that follows the cursors, parses each page and writes the same file; if licences arrive in any ' +
  'order, the loop sorts them in memory. CPU is processor time, which hardly depends on other load; its ratio is to ' +
  'the bare loop (targets: export 1.25, list as ndjson 1.15, as csv 1.3). Diffs compare two exports of a million ' +
  'licences, 1,000 of which differ (target: 2 s of CPU). Users arrive in pages of 100, each after 20 ms; the ratio is ' +
  'to reading one list at a time. Memory is the peak resident set (target: 150 MB).';

const node = process.execPath;
const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));

/** @param {string} a @param {string} b paths */
function hasSameBytes(a, b) {
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

/** @typedef {{ time: number, peak: number, cpu: number }} Run */

const seconds = (/** @type {readonly number[]} */ all) => `${quantile(all, 0.5).toFixed(1)} s`;

/** @param {string} name @param {readonly Run[]} own @param {readonly Run[]} [base] */
function row(name, own, base) {
  const ratio = (/** @type {'time' | 'cpu'} */ of) =>
    base === undefined
      ? ''
      : quantile(
          own.map((run, at) => run[of] / (base[at]?.[of] ?? Number.NaN)),
          0.5,
        ).toFixed(2);
  return [
    name,
    seconds(own.map(({ time }) => time / 1000)),
    ratio('time'),
    seconds(own.map(({ cpu }) => cpu)),
    ratio('cpu'),
    `${Math.round(Math.max(...own.map(({ peak }) => peak)))} MB`,
  ];
}

/** @param {number} count @param {'sorted' | 'shuffled'} order @param {number} rounds */
const fromService = (count, order, rounds) =>
  withServer(['export-server.mjs', String(count), order], async (env, folder, baseUrl) => {
    const bare = join(folder, 'bare.ndjson');
    const to = join(folder, 'export');
    /** @type {Record<'base' | 'exported' | 'ndjson' | 'csv', Run[]>} */
    const runs = { base: [], exported: [], ndjson: [], csv: [] };
    for (let round = 0; round < rounds; round++) {
      rmSync(to, { recursive: true, force: true });
      runs.base.push(
        await watched({ name: 'bare loop', line: [node, here('export-bare.mjs'), baseUrl, bare, order], env }),
      );
      runs.exported.push(await watched({ name: 'edu export', line: edu('export', 'licenses', '--to', to), env }));
      if (order === 'shuffled') continue;
      runs.ndjson.push(await listed('licenses list --type BOOKS -o ndjson', join(folder, 'list'), env));
      runs.csv.push(await listed('licenses list --type BOOKS -o csv', join(folder, 'list'), env));
    }
    if (!hasSameBytes(bare, join(to, 'licenses.ndjson'))) throw new Error('the two files differ');
    const name = `${count.toLocaleString('en')} licences, ${order === 'sorted' ? 'in order' : 'in any order'}`;
    const rows = [row(`export of ${name}`, runs.exported, runs.base)];
    if (order === 'shuffled') return rows;
    return [
      ...rows,
      row('list of the same, ndjson', runs.ndjson, runs.base),
      row('list of the same, csv', runs.csv, runs.base),
    ];
  });

/** Copies the export in `a` to `b` and changes one licence in 1,000. @param {string} a @param {string} b */
function copyWithChanges(a, b) {
  cpSync(a, b, { recursive: true });
  const [file, manifestFile] = [join(b, 'licenses.ndjson'), join(b, 'manifest.json')];
  const lines = readFileSync(file, 'latin1').split('\n');
  for (let at = 500; at < lines.length; at += 1000) lines[at] = lines[at]?.replace('Autumn', 'Spring') ?? '';
  const bytes = Buffer.from(lines.join('\n'), 'latin1');
  writeFileSync(file, bytes);
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  Object.assign(manifest.resources.licenses, { bytes: bytes.length, sha256 });
  writeFileSync(manifestFile, JSON.stringify(manifest));
}

/** @param {number} rounds */
const comparisons = (rounds) =>
  withServer(['export-server.mjs', '1000000'], async (env, folder) => {
    const [a, b, since] = ['a', 'b', 'since'].map((name) => join(folder, name));
    await watched({ name: 'edu export', line: edu('export', 'licenses', '--to', a ?? ''), env });
    copyWithChanges(a ?? '', b ?? '');
    /** @type {Run[]} */
    const diffs = [];
    /** @type {Run[]} */
    const changes = [];
    /** @type {Run[]} */
    const fullExports = [];
    for (let round = 0; round < rounds; round++) {
      diffs.push(await watched({ name: 'edu diff', line: edu('diff', a ?? '', b ?? ''), env }, 1));
      const line = ['export', 'licenses', '--fresh', '--to', since ?? ''];
      fullExports.push(await watched({ name: 'edu export', line: edu(...line), env }));
      changes.push(await watched({ name: 'edu export --since', line: edu(...line, '--since', b ?? ''), env }));
    }
    return [
      row('diff of two exports of 1,000,000', diffs),
      row('export of 1,000,000 --since, ratio to a whole export', changes, fullExports),
    ];
  });

/** Lists of one organization are read page by page, those of several at the same time. */
const ofSchools = () =>
  withServer(['schools-server.mjs'], async (env, folder) => {
    const to = join(folder, 'export');
    /** @param {string} concurrency */
    const read = async (concurrency) => {
      const line = edu('export', 'users', '--fresh', '--concurrency', concurrency, '--to', to);
      return [await watched({ name: `edu export --concurrency ${concurrency}`, line, env })];
    };
    const serial = await read('1');
    return [
      row('export of 1,000,000 users of 64 schools, one list at a time', serial),
      row('the same, 8 lists at a time', await read('8'), serial),
      row('the same, 16 lists at a time', await read('16'), serial),
    ];
  });

/** @param {{ rounds: number }} options */
export async function measure({ rounds }) {
  const some = Math.max(1, Math.min(rounds, 10));
  return {
    head: ['what', 'time', 'ratio', 'CPU', 'ratio of CPU', 'peak memory'],
    rows: [
      ...(await fromService(200_000, 'sorted', some)),
      ...(await fromService(200_000, 'shuffled', some)),
      ...(await fromService(1_000_000, 'sorted', 1)),
      ...(await fromService(1_000_000, 'shuffled', 1)),
      ...(await comparisons(Math.min(some, 3))),
      ...(await ofSchools()),
    ],
  };
}
