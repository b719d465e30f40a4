/**
 * Mutation testing: plants single faults in the sources and runs the quick tests that reach each one: `npm run mutation`.
 *
 *   --area NAME     only this area of areas.mjs; can be repeated
 *   --sample N      N random faults of each area (default: all)
 *   --seed N        of the sample (default 1)
 *   --tests PREFIX  only test files whose path begins with it; can be repeated (default: all quick tests)
 *   --budget N      max seconds of processor time of tests for a fault, the quickest first (default 60)
 *   --workers N     processes (default: one for each core)
 *   --reuse         keeps the coverage of test files that did not change since the last run, nor what they reach
 *   --min-score N   exits with 1 if an area has a lower score, in percent
 *   --to FOLDER     writes report.json and report.md there (default node_modules/.cache/edu-mutation)
 */
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { AREAS, modulesOf } from './areas.mjs';
import { AFTER_LOAD, mutantsOf } from './mutants.mjs';
import { markdownOf } from './report.mjs';

/** @typedef {import('./mutants.mjs').Mutant} Mutant */
/** @typedef {import('./tester.mjs').Task} Task */
/** @typedef {import('./tester.mjs').Result} Result */
/** @typedef {'killed' | 'timeout' | 'survived' | 'unreached'} Outcome */
/** @typedef {{ area: string, module: string, line: number, before: string, mutant: Mutant, outcome?: Outcome, by?: string }} Fault */

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
  options: {
    area: { type: 'string', multiple: true, default: AREAS },
    sample: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: '1' },
    tests: { type: 'string', multiple: true, default: ['test/'] },
    budget: { type: 'string', default: '60' },
    workers: { type: 'string', default: String(availableParallelism()) },
    reuse: { type: 'boolean', default: false },
    'min-score': { type: 'string', default: '0' },
    to: { type: 'string', default: join(root, 'node_modules/.cache/edu-mutation') },
  },
});
const unknown = values.area.filter((area) => !AREAS.includes(area));
if (unknown.length > 0) throw new Error(`no area ${unknown.join(', ')}: there are ${AREAS.join(', ')}`);
const budgetMs = Number(values.budget) * 1000;

/** A fault that lets tests run this much longer than without it counts as an endless loop. */
const SLOWER = 5;
const SLACK_MS = 30_000;
const COVERAGE_LIMIT_MS = 600_000;
/** Test files of a run for coverage. */
const GROUP = 10;

const cache = join(root, 'node_modules/.cache/edu-mutation');
const covered = join(cache, 'coverage');
if (!values.reuse) rmSync(covered, { recursive: true, force: true });
mkdirSync(covered, { recursive: true });
mkdirSync(values.to, { recursive: true });

/** A process with a vitest of its own, started anew after a timeout. */
class Tester {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;
  /** @type {string[]} all test files */
  files = [];
  #env;

  /** @param {Readonly<Record<string, string>>} env */
  constructor(env = {}) {
    this.#env = env;
  }

  /** @returns {Promise<any>} the next message; undefined after the time, or if the process ended */
  #next(/** @type {number} */ limitMs) {
    return new Promise((resolve) => {
      const child = this.#child;
      const timer = setTimeout(() => done(undefined), limitMs);
      const ended = () => done(undefined);
      const done = (/** @type {unknown} */ message) => {
        clearTimeout(timer);
        child?.off('message', done).off('exit', ended);
        resolve(message);
      };
      child?.once('message', done).once('exit', ended);
    });
  }

  /** @param {Task} task @param {number} limitMs @returns {Promise<Result | undefined>} undefined if it took too long */
  async run(task, limitMs) {
    if (this.#child === undefined) {
      // In a process group of its own, whose workers end with it.
      this.#child = fork(fileURLToPath(new URL('tester.mjs', import.meta.url)), {
        cwd: root,
        env: { ...process.env, ...this.#env },
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        detached: true,
      });
      const started = await this.#next(COVERAGE_LIMIT_MS);
      if (started === undefined) throw new Error('cannot start vitest');
      this.files = started.ready;
    }
    this.#child.send(task);
    const result = await this.#next(limitMs);
    if (result === undefined) this.stop();
    return result;
  }

  stop() {
    const { pid } = this.#child ?? {};
    this.#child = undefined;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

/** @template T @param {readonly T[]} items @param {Readonly<Record<string, string>>} env @param {(item: T, tester: Tester) => Promise<void>} work */
async function each(items, env, work) {
  const rest = [...items];
  const worker = async () => {
    const tester = new Tester(env);
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item, tester);
    tester.stop();
  };
  await Promise.all(Array.from({ length: Number(values.workers) }, worker));
}

const say = (/** @type {string} */ text) => process.stdout.write(`${text}\n`);
const hashOf = (/** @type {string} */ text) => createHash('sha256').update(text).digest('hex');

/** What a test file reaches: `ms` with the other work of the machine, `cpuMs` without, `state` if it passes. */
/** @typedef {{ testPath: string, blocks: string[], cpuMs: number, ms?: number, state?: string }} Reach */
/** @typedef {{ ms: number, cpuMs: number, blocks: Set<string> }} Cost */

/** A hash of a test file and of the sources that it reaches. */
function stateOf(/** @type {string} */ file, /** @type {string[]} */ blocks) {
  const modules = new Set(blocks.map((block) => `src/${block.replace(/#.*/, '')}`));
  const texts = [file, ...modules].map(
    (path) => existsSync(join(root, path)) && readFileSync(join(root, path), 'utf8'),
  );
  return hashOf(JSON.stringify(texts));
}

/** @param {string[]} blocks in the order in which they were reached @returns those that run while their module is loaded */
function loading(blocks) {
  const order = new Map(blocks.map((block, at) => [block, at]));
  const loadedAt = (/** @type {string} */ block) => order.get(block.replace(/#.*/, `#${AFTER_LOAD}`)) ?? -1;
  return blocks.filter((block, at) => at < loadedAt(block));
}

/** @returns {Promise<{ costs: Map<string, Cost>, atLoad: Set<string> }>} what each passing test file reaches, and what runs once for all */
async function coverage() {
  const first = new Tester();
  await first.run({ files: [] }, COVERAGE_LIMIT_MS);
  first.stop();
  const asked = first.files.filter((file) => values.tests.some((prefix) => file.startsWith(prefix)));
  const read = () =>
    readdirSync(covered).map((name) => {
      const path = join(covered, name);
      /** @type {Reach} */
      const reach = JSON.parse(readFileSync(path, 'utf8'));
      return { path, file: relative(root, reach.testPath).split(sep).join('/'), reach };
    });
  const known = new Set(
    read().flatMap(({ file, reach }) => (reach.state === stateOf(file, reach.blocks) ? [file] : [])),
  );
  const missing = asked.filter((file) => !known.has(file));
  say(`reading what ${missing.length} test files reach`);
  /** @type {Map<string, number>} */
  const durations = new Map();
  const groups = Array.from({ length: Math.ceil(missing.length / GROUP) }, (_, index) =>
    missing.slice(index * GROUP, (index + 1) * GROUP),
  );
  await each(groups, { EDU_MUTATION_COVERAGE: covered }, async (group, tester) => {
    const result = await tester.run({ files: group }, COVERAGE_LIMIT_MS);
    for (const { file, ms } of result?.passed ?? []) durations.set(file, ms);
    for (const file of group) if (!durations.has(file)) say(`${file} does not pass, and is not used`);
  });
  for (const { path, file, reach } of read()) {
    const ms = durations.get(file);
    if (ms !== undefined) writeFileSync(path, JSON.stringify({ ...reach, ms, state: stateOf(file, reach.blocks) }));
    else if (!known.has(file)) rmSync(path);
  }
  // What runs while a module is loaded runs only for the first file of a worker, so imports count, too.
  const imported = (/** @type {string} */ file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/'[./]+\/src\/([^']+)\.js'/g)].map(
      ([, name]) => `${name}.ts#0`,
    );
  const reached = (/** @type {string} */ file, /** @type {string[]} */ blocks) =>
    new Set([...blocks, ...blocks.map((block) => block.replace(/#.*/, '#0')), ...imported(file)]);
  const all = read();
  const costs = all.flatMap(({ file, reach: { ms = 0, cpuMs, blocks } }) =>
    asked.includes(file) ? [/** @type {const} */ ([file, { ms, cpuMs, blocks: reached(file, blocks) }])] : [],
  );
  return { costs: new Map(costs), atLoad: new Set(all.flatMap(({ reach }) => loading(reach.blocks))) };
}

/** @param {string} area @returns {Fault[]} */
function faultsOf(area) {
  const faults = modulesOf(root, area).flatMap((module) => {
    const code = readFileSync(join(root, 'src', module), 'utf8');
    return mutantsOf(code).mutants.map((mutant) => ({
      area,
      module,
      line: code.slice(0, mutant.start).split('\n').length,
      before: code.slice(mutant.start, mutant.end),
      mutant,
    }));
  });
  const order = (/** @type {Fault} */ { module, mutant: { start, end, text } }) =>
    hashOf(JSON.stringify([values.seed, module, start, end, text]));
  const sorted = faults.map((fault) => ({ fault, at: order(fault) })).sort((a, b) => (a.at < b.at ? -1 : 1));
  return sorted.slice(0, Number(values.sample)).map(({ fault }) => fault);
}

/** Writes the report of the faults that were planted so far. */
function write() {
  const planted = { seed: values.seed, sample: values.sample, faults: faults.filter(({ outcome }) => outcome) };
  const summary = markdownOf(planted, values.area);
  writeFileSync(join(values.to, 'report.json'), JSON.stringify(planted, null, 1));
  writeFileSync(join(values.to, 'report.md'), summary.text);
  return summary;
}

const { costs, atLoad } = await coverage();
const faults = values.area.flatMap(faultsOf);
say(`planting ${faults.length} faults`);
let done = 0;
await each(faults, {}, async (fault, tester) => {
  const { module, mutant } = fault;
  const files = [];
  let expectedMs = 0;
  let cpuMs = 0;
  const near = `test/unit/${module.split('/')[0]}/`;
  const costOf = (/** @type {string} */ file, /** @type {Cost} */ one) => one.cpuMs / (file.startsWith(near) ? 4 : 1);
  // The first test file of a worker loads a module for all: the files that reach it and those beside it are tried.
  const beside = `test/unit/${posix.dirname(module)}`;
  const block = `${module}#${mutant.block}`;
  const reaching = [...costs].filter(
    ([file, { blocks }]) =>
      blocks.has(block) || (atLoad.has(block) && (blocks.has(`${module}#0`) || file.startsWith(beside))),
  );
  for (const [file, one] of reaching.sort(([a, x], [b, y]) => costOf(a, x) - costOf(b, y))) {
    if (files.length > 0 && cpuMs + one.cpuMs > budgetMs) break;
    files.push(file);
    cpuMs += one.cpuMs;
    expectedMs += one.ms;
  }
  if (files.length === 0) fault.outcome = 'unreached';
  else {
    const result = await tester.run({ files, module, mutant }, SLOWER * expectedMs + SLACK_MS);
    fault.outcome = result === undefined ? 'timeout' : result.failed.length > 0 ? 'killed' : 'survived';
    const [by] = result?.failed ?? [];
    if (by !== undefined) fault.by = by;
  }
  done++;
  if (fault.outcome === 'survived' || fault.outcome === 'unreached')
    say(
      `${fault.outcome}: src/${module}:${fault.line} ${mutant.operator}: ${fault.before.slice(0, 80)} → ${mutant.text.slice(0, 80)}`,
    );
  if (done % 10 > 0) return;
  say(`${done} of ${faults.length}`);
  write();
});

const { text, scores } = write();
say(`\n${text}`);
process.exitCode = scores.some((score) => score < Number(values['min-score'])) ? 1 : 0;
