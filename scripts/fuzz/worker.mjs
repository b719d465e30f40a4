/** Fuzzes one target in a thread: keeps inputs that reach new branches, and reports those that fail. */
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { COUNTERS } from './instrument.mjs';
import { mutated, randomFrom } from './mutate.mjs';

/** @typedef {{ seeds: readonly (string | Uint8Array)[], run: (bytes: Buffer) => unknown }} Target */

const { bundle, size, name, words, seed, milliseconds, current, folder, corpus: kept } = workerData;
const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
const counters = new Uint8Array(size);
Reflect.set(globalThis, COUNTERS, counters);
const MAX_BYTES = 16 * 1024;
/** Processor time, because elapsed time depends on the load of the machine. */
const MAX_WORK_US = 5_000_000;
/** Different failures; inputs that fail alike count once. */
const MAX_FINDINGS = 20;

/** The current input, for the main thread if this one hangs or crashes. */
const shared = new DataView(current);

/** @param {Buffer} bytes */
function show(bytes) {
  shared.setUint32(4, bytes.length);
  new Uint8Array(current, 8).set(bytes);
  Atomics.add(new Int32Array(current), 0, 1);
}

/** Rounds counts to powers of two, as AFL does: whether a loop runs 8 or 9 times is not new. */
const bucketOf = Uint8Array.from({ length: 256 }, (_, count) =>
  count === 0 ? 0 : 1 << Math.min(7, Math.floor(Math.log2(count))),
);
const reached = new Uint8Array(size);

/** @returns {boolean} whether the last run reached a new branch, or one with a new bucket */
function isNew() {
  let found = false;
  for (let index = 0; index < size; index++) {
    const count = counters[index];
    if (count === 0) continue;
    const bucket = /** @type {number} */ (bucketOf[/** @type {number} */ (count)]);
    if (/** @type {number} */ (reached[index]) & bucket) continue;
    reached[index] = /** @type {number} */ (reached[index]) | bucket;
    found = true;
  }
  return found;
}

const { targets } = createRequire(import.meta.url)(bundle);
/** @type {Target} */
const target = (await targets(folder))[name];
const random = randomFrom(seed);
const dictionary = words.map((/** @type {string} */ word) => Buffer.from(word));
/** @type {Buffer[]} */
const corpus = [];
/** @type {Map<string, Buffer>} */
const findings = new Map();
let runs = 0;

/** @param {unknown} error @returns {string} the same for failures of the same cause */
const keyOf = (error) => {
  const { message = String(error), stack = '' } = error instanceof Error ? error : {};
  const [, place = ''] = /\n\s+at (\S+)/.exec(stack) ?? [];
  return `${place} ${message.replace(/[^a-zA-Z ]+/g, '').slice(0, 40)}`;
};

/** @param {Buffer} bytes @returns {Promise<unknown>} the failure; undefined if the target accepts the input */
async function failureOf(bytes) {
  show(bytes);
  counters.fill(0);
  runs++;
  const start = process.cpuUsage();
  try {
    await target.run(Buffer.from(bytes));
    const { user, system } = process.cpuUsage(start);
    if (user + system > MAX_WORK_US) return new Error('took more than five seconds of the processor');
    return undefined;
  } catch (error) {
    return error ?? new Error('threw nothing');
  }
}

/** @param {Buffer} bytes @param {string} key @returns {Promise<Buffer>} a shorter input with the same failure */
async function shortened(bytes, key) {
  let best = bytes;
  for (let step = Math.ceil(best.length / 2); step >= 1; step = step === 1 ? 0 : Math.ceil(step / 2)) {
    for (let at = 0; at < best.length; ) {
      const tried = Buffer.concat([best.subarray(0, at), best.subarray(at + step)]);
      const failure = await failureOf(tried);
      if (failure !== undefined && keyOf(failure) === key) best = tried;
      else at += step;
    }
  }
  return best;
}

/** @param {Buffer} bytes */
async function tryOut(bytes) {
  const failure = await failureOf(bytes);
  if (isNew()) corpus.push(bytes);
  if (failure === undefined) return;
  const key = keyOf(failure);
  if (findings.has(key) || findings.size >= MAX_FINDINGS) return;
  findings.set(key, bytes);
  const best = await shortened(bytes, key);
  const { stack } = failure instanceof Error ? failure : { stack: String(failure) };
  port.postMessage({ kind: 'finding', bytes: best, error: stack });
}

const until = performance.now() + milliseconds;
for (const one of [...target.seeds, ...kept]) await tryOut(Buffer.from(one));
const began = corpus.length;
while (performance.now() < until) {
  // The newest inputs reach furthest, so half of the time one of them is taken.
  const from = random(2) === 0 ? Math.max(0, corpus.length - 20) : 0;
  const input = corpus[from + random(corpus.length - from)] ?? Buffer.alloc(0);
  const other = corpus[random(corpus.length || 1)] ?? input;
  await tryOut(mutated(input, random, dictionary, other, MAX_BYTES));
}
const branches = reached.reduce((sum, one) => sum + (one === 0 ? 0 : 1), 0);
port.postMessage({ kind: 'done', runs, branches, corpus, began });
