/**
 * Measures everything in this folder that ends in `.bench.mjs`, prints the tables and writes docs/benchmarks.md.
 *
 *   npm run bench                      all of it, 30 rounds
 *   npm run bench -- startup           one measurement; docs/benchmarks.md is unchanged
 *   npm run bench -- startup --write   … and replaces its part of docs/benchmarks.md
 *   npm run bench -- --rounds 60
 *
 * A measurement exports `title`, `about`, and `measure({ rounds })`, which resolves to a table.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** @typedef {import('./harness.mjs').Table} Table */

/** @param {Table} table @returns {string[]} Markdown, aligned so that it is readable in a terminal too */
function lines({ head, rows }) {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells, fill = ' ') =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column], fill)).join(' | ')} |`;
  return [
    line(head),
    line(
      head.map(() => ''),
      '-',
    ),
    ...rows.map((row) => line(row)),
  ];
}

const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim();

function machine() {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return [
    `- Node ${process.version} (V8 ${process.versions.v8}), ${type()} ${release()} on ${process.arch}`,
    `- ${cpus().length} × ${cpu?.model ?? 'unknown processor'}, ${memory} GiB of memory`,
  ];
}

const INTRODUCTION = `# Benchmarks

Written by \`npm run bench\`. Each round runs every command once, in random order. Ratios are taken within a round, since the speed
of the machine drifts; the tables show the median ratio, the range of the middle half of the rounds, and the median time.
\`NODE_EXTRA_CA_CERTS\` and \`NODE_OPTIONS\` are unset, because Node 20 reads certificates at every start.
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '30' },
    part: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});

/** Prints one measurement as JSON. */
async function printPart(name) {
  const { title, about, measure } = await import(new URL(name, import.meta.url).href);
  process.stderr.write(`${title} …\n`);
  const table = await measure({ rounds: Number(values.rounds) });
  process.stdout.write(JSON.stringify({ title, about, table }));
}

/** Measures in a new process, because a large process takes longer to start others. */
function measured(name) {
  const args = [fileURLToPath(import.meta.url), '--part', name, '--rounds', values.rounds];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }));
}

function all() {
  // The starts come first, because a machine that was just busy is slower.
  const order = [
    'startup',
    'nodes',
    'standalone',
    'peers',
    'bulk',
    'export',
    'scale',
    'plan',
    'upload',
    'service',
    'mocks',
  ];
  const names = order.map((name) => `${name}.bench.mjs`);
  const isWanted = (name) => positionals.length === 0 || positionals.includes(name.replace('.bench.mjs', ''));
  const wanted = names.filter(isWanted);
  if (wanted.length === 0) throw new Error(`No such measurement. There are: ${names.join(', ')}`);
  const parts = wanted.map((name) => {
    const { title, about, table } = measured(name);
    const text = lines(table).join('\n');
    process.stdout.write(`\n${title}\n\n${text}\n`);
    return `## ${title}\n\n${about}\n\n${text}\n\n${measuredAt()}\n`;
  });
  if (positionals.length === 0) write([INTRODUCTION, `## Machine\n\n${machine().join('\n')}\n`, ...parts]);
  else if (values.write) write(withParts(parts));
}

/** The measured version and the date. */
const measuredAt = () => `edu ${git('describe', '--always', '--dirty')}, ${new Date().toISOString().slice(0, 10)}`;

const PAGE = new URL('../docs/benchmarks.md', import.meta.url);

/** @param {readonly string[]} sections */
const write = (sections) => writeFileSync(PAGE, sections.join('\n'));

/** The current page with each section replaced by the part of the same title. @param {readonly string[]} parts */
function withParts(parts) {
  const titleOf = (section) => section.split('\n', 1)[0];
  const sections = readFileSync(PAGE, 'utf8').split(/\n(?=## )/);
  const isNew = (part) => !sections.some((section) => titleOf(part) === titleOf(section));
  const now = sections.map((section) => parts.find((part) => titleOf(part) === titleOf(section)) ?? section);
  return [...now, ...parts.filter(isNew)];
}

if (values.part === undefined) all();
else await printPart(values.part);
