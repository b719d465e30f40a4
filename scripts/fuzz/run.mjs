/**
 * Coverage-guided fuzzing of the code that parses input: `npm run fuzz:coverage -- --minutes 10`.
 *
 *   --minutes N       total time, divided among the targets (default 5)
 *   --target NAME     only this target; can be repeated
 *   --seed N          to repeat a run
 *   --corpus FOLDER   starts with the inputs in this folder and adds those that reach new branches
 *
 * Inputs that fail are shortened and written to test/fuzz/cases/NAME, from where the tests read them.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { rolldown } from 'rolldown';
import { COUNTERS, instrument } from './instrument.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    target: { type: 'string', multiple: true },
    seed: { type: 'string', default: String(Date.now() & 0x7fffffff) },
    corpus: { type: 'string' },
  },
});
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error('--minutes: a number above 0');

const HANG_MS = 60_000;
const MAX_MEGABYTES = 1024;
const MAX_BYTES = 1024 * 1024;

// In node_modules, so that the bundle finds the packages that are not in it.
const made = join(root, 'node_modules/.cache/edu-fuzz');
mkdirSync(made, { recursive: true });
const counting = instrument();
const bundle = await rolldown({
  cwd: root,
  input: { targets: 'test/fuzz/coverage/targets.ts' },
  platform: 'node',
  external: [/^node:/, 'libsql'],
  plugins: [counting],
  logLevel: 'warn',
  checks: { ineffectiveDynamicImport: false },
});
await bundle.write({ dir: made, format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false, cleanDir: true });
await bundle.close();
const file = join(made, 'targets.cjs');
const words = [...counting.texts].filter((text) => !/^(node:|\.\.?\/)/.test(text));

Reflect.set(globalThis, COUNTERS, new Uint8Array(counting.size()));
/** @type {{ NAMES: readonly string[] }} */
const { NAMES } = createRequire(import.meta.url)(file);
const unknown = (values.target ?? []).filter((name) => !NAMES.includes(name));
if (unknown.length > 0) throw new Error(`no target ${unknown.join(', ')}: there are ${NAMES.join(', ')}`);
const names = values.target ?? NAMES;
const work = mkdtempSync(join(tmpdir(), 'edu-fuzz-'));
let found = 0;

/** @param {string} name @param {Uint8Array} bytes @param {string} error */
function keep(name, bytes, error) {
  found++;
  const folder = join(root, 'test/fuzz/cases', name);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, createHash('sha256').update(bytes).digest('hex').slice(0, 12));
  writeFileSync(path, bytes);
  process.stdout.write(`${name}: failed, kept as ${path}\n${error}\n`);
}

/** @param {string} name @param {number} milliseconds @param {number} seed */
async function fuzz(name, milliseconds, seed) {
  const folder = join(work, name);
  mkdirSync(folder);
  const known = values.corpus === undefined ? undefined : join(values.corpus, name);
  const corpus =
    known !== undefined && existsSync(known) ? readdirSync(known).map((one) => readFileSync(join(known, one))) : [];
  const current = new SharedArrayBuffer(8 + MAX_BYTES);
  const input = () => Buffer.from(new Uint8Array(current, 8, new DataView(current).getUint32(4))).subarray();
  const worker = new Worker(new URL('worker.mjs', import.meta.url), {
    workerData: { bundle: file, size: counting.size(), name, words, seed, milliseconds, current, folder, corpus },
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES },
  });
  let turn = -1;
  const watch = setInterval(() => {
    const now = Atomics.load(new Int32Array(current), 0);
    if (now === turn) {
      keep(name, input(), `did not end within ${HANG_MS / 1000} seconds`);
      void worker.terminate();
    }
    turn = now;
  }, HANG_MS);
  await new Promise((resolve) => {
    worker.on('message', (message) => {
      if (message.kind === 'finding') return keep(name, message.bytes, message.error);
      const rate = Math.round(message.runs / (milliseconds / 1000));
      process.stdout.write(
        `${name}: ${message.runs} inputs (${rate}/s), ${message.branches} branches, ${message.corpus.length} inputs that reach them\n`,
      );
      if (known === undefined) return undefined;
      mkdirSync(known, { recursive: true });
      for (const one of message.corpus) {
        writeFileSync(join(known, createHash('sha256').update(one).digest('hex').slice(0, 12)), one);
      }
    });
    worker.on('error', (error) => keep(name, input(), error.stack ?? String(error)));
    worker.on('exit', resolve);
  });
  clearInterval(watch);
}

const seed = Number(values.seed);
process.stdout.write(`${minutes} minutes, ${names.length} targets, ${counting.size()} branches, --seed ${seed}\n`);
try {
  for (const [index, name] of names.entries()) await fuzz(name, (minutes * 60_000) / names.length, seed + index);
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.stdout.write(found === 0 ? 'Nothing failed.\n' : `${found} failed: they are in test/fuzz/cases.\n`);
process.exitCode = found === 0 ? 0 : 1;
