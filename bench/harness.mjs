/**
 * Measures whole processes against each other: every round runs each command once, in random order, and compares it
 * with the baseline of the same round, because the machine drifts between rounds and hardly within one.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once as happens } from 'node:events';
import { readFileSync } from 'node:fs';

/**
 * @typedef {object} Command
 * @property {string} name as the table shows it
 * @property {readonly string[]} line program and arguments
 * @property {Readonly<Record<string, string>>} [env] added to the cleaned environment
 * @property {number} [target] the ratio that it should not exceed
 */

/**
 * @typedef {object} Figure
 * @property {string} name
 * @property {number} ratio median of the rounds' ratios to the baseline
 * @property {readonly [number, number]} spread first and third quartile of these ratios
 * @property {number} milliseconds median
 * @property {number} [target]
 */

/**
 * @typedef {object} Table
 * @property {readonly string[]} head
 * @property {readonly (readonly string[])[]} rows
 */

/** Variables that would make Node itself slower or faster: certificates are read at every start on Node 20. */
const UNSET = ['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS', 'NODE_COMPILE_CACHE', 'NODE_V8_COVERAGE', 'FORCE_COLOR'];

/** The environment of this process without what distorts. */
export function cleanEnvironment() {
  const env = { ...process.env };
  for (const name of Object.keys(env)) {
    if (UNSET.includes(name) || name.startsWith('EDU_') || name.startsWith('npm_')) delete env[name];
  }
  return env;
}

/** @param {readonly number[]} numbers @param {number} part 0.5 for the median */
export function quantile(numbers, part) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const place = (sorted.length - 1) * part;
  const low = sorted[Math.floor(place)] ?? Number.NaN;
  const high = sorted[Math.ceil(place)] ?? Number.NaN;
  return low + (high - low) * (place - Math.floor(place));
}

/** @template T @param {readonly T[]} items */
function shuffled(items) {
  const mixed = [...items];
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [mixed[last], mixed[other]] = [/** @type {T} */ (mixed[other]), /** @type {T} */ (mixed[last])];
  }
  return mixed;
}

/**
 * One run from spawn to reap, its output read through pipes.
 * @param {Command} command
 * @returns milliseconds
 */
export function once({ name, line: [program = '', ...args], env }) {
  const start = process.hrtime.bigint();
  const ran = spawnSync(program, args, { env: { ...cleanEnvironment(), ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const time = Number(process.hrtime.bigint() - start) / 1e6;
  if (ran.status !== 0) throw new Error(`${name} ended with ${ran.status ?? ran.signal}: ${ran.stderr}`);
  return time;
}

/** The highest resident memory of a process so far, in MB; Linux says it. @param {number | undefined} pid */
function peakOf(pid) {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Processor time of a process so far, in seconds; Linux counts it in hundredths. @param {number | undefined} pid */
function cpuOf(pid) {
  try {
    // The name of the program may hold spaces; the fields behind it count from the third.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0;
  }
}

/**
 * One run whose memory and processor time are watched.
 * @param {Command} command
 * @param {number} [expected] the exit code it must end with
 * @param {number | 'ignore'} [stdout] descriptor of the file that takes its output; dropped if left out
 * @returns {Promise<{ time: number, peak: number, cpu: number }>} milliseconds, MB of resident memory at its highest, and
 *   seconds of processor time
 */
export async function watched({ name, line: [program = '', ...args], env }, expected = 0, stdout = 'ignore') {
  const start = process.hrtime.bigint();
  const stdio = /** @type {const} */ (['ignore', stdout, 'ignore']);
  const child = spawn(program, args, { env: { ...cleanEnvironment(), ...env }, stdio: [...stdio] });
  let peak = 0;
  let cpu = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid));
    cpu = Math.max(cpu, cpuOf(child.pid));
  }, 10);
  const [code] = await happens(child, 'exit');
  clearInterval(watch);
  if (code !== expected) throw new Error(`${name} ended with ${code}`);
  return { time: Number(process.hrtime.bigint() - start) / 1e6, peak, cpu };
}

/** `node -e 0` of the Node that runs this. @type {Command} */
export const EMPTY = { name: 'node -e 0', line: [process.execPath, '-e', '0'] };

/**
 * Runs the commands and the baseline, interleaved.
 * @param {readonly Command[]} commands
 * @param {number} rounds at least 20 for figures to be kept
 * @param {Command} [baseline]
 * @returns {Figure[]}
 */
export function compare(commands, rounds, baseline = EMPTY) {
  const all = [baseline, ...commands];
  for (const command of all) once(command);
  /** @type {Map<Command, number[]>} */
  const times = new Map(all.map((command) => [command, []]));
  for (let round = 0; round < rounds; round++) {
    for (const command of shuffled(all)) times.get(command)?.push(once(command));
  }
  const base = times.get(baseline) ?? [];
  return all.map((command) => {
    const own = times.get(command) ?? [];
    const ratios = own.map((time, round) => time / (base[round] ?? Number.NaN));
    return {
      name: command.name,
      ratio: quantile(ratios, 0.5),
      spread: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
      milliseconds: quantile(own, 0.5),
      ...(command.target === undefined ? {} : { target: command.target }),
    };
  });
}

/** Figures as a table. @param {readonly Figure[]} figures @returns {Table} */
export function figuresTable(figures) {
  return {
    head: ['command', 'ratio', 'middle half', 'ms', 'target'],
    rows: figures.map(({ name, ratio, spread: [low, high], milliseconds, target }) => [
      name,
      ratio.toFixed(2),
      `${low.toFixed(2)}–${high.toFixed(2)}`,
      milliseconds.toFixed(1),
      target === undefined ? '' : `≤ ${target.toFixed(2)}`,
    ]),
  };
}
