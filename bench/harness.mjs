/**
 * Compares whole processes: every round runs each command once, in random order, and relates its time to the baseline
 * of the same round, because the speed of the machine changes between rounds more than within one.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once as happens } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} Command
 * @property {string} name in the table
 * @property {readonly string[]} line program and arguments
 * @property {Readonly<Record<string, string>>} [env] added to the cleaned environment
 * @property {string} [input] its stdin
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

/** Variables that change how fast Node starts: Node 20 reads `NODE_EXTRA_CA_CERTS` at every start. */
const UNSET = ['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS', 'NODE_COMPILE_CACHE', 'NODE_V8_COVERAGE', 'FORCE_COLOR'];

/** The environment of this process without the variables that would distort the results. */
export function cleanEnvironment() {
  const env = { ...process.env };
  for (const name of Object.keys(env)) {
    if (UNSET.includes(name) || name.startsWith('EDU_') || name.startsWith('npm_')) delete env[name];
  }
  return env;
}

/** Interpolates linearly. @param {readonly number[]} numbers @param {number} part 0.5 for the median */
export function quantile(numbers, part) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const index = (sorted.length - 1) * part;
  const low = sorted[Math.floor(index)] ?? Number.NaN;
  const high = sorted[Math.ceil(index)] ?? Number.NaN;
  return low + (high - low) * (index - Math.floor(index));
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
 * Runs a command once, with its output to pipes.
 * @param {Command} command
 * @returns milliseconds
 */
export function once({ name, line: [program = '', ...args], env, input = '' }) {
  const start = process.hrtime.bigint();
  const ran = spawnSync(program, args, { env: { ...cleanEnvironment(), ...env }, input });
  const time = Number(process.hrtime.bigint() - start) / 1e6;
  if (ran.status !== 0) throw new Error(`${name} ended with ${ran.status ?? ran.signal}: ${ran.stderr}`);
  return time;
}

/** Peak resident memory of a process in MB; 0 on systems other than Linux. @param {number | undefined} pid */
function peakOf(pid) {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Processor time of a process in seconds; 0 on systems other than Linux. @param {number | undefined} pid */
function cpuOf(pid) {
  try {
    // proc(5): fields 14 and 15, in hundredths. Field 2, the name, may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0;
  }
}

/**
 * Runs a command once and reads its memory and processor time every 10 ms.
 * @param {Command} command
 * @param {number} [expected] exit code
 * @param {number | 'ignore'} [stdout] descriptor of a file for its output
 * @returns {Promise<{ time: number, peak: number, cpu: number }>} milliseconds, peak memory in MB, seconds of
 *   processor time
 * @throws Error if the command ends with another exit code
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

/** @type {Command} */
export const EMPTY = { name: 'node -e 0', line: [process.execPath, '-e', '0'] };

/**
 * Runs the commands and the baseline once unmeasured, then in rounds.
 * @param {readonly Command[]} commands
 * @param {number} rounds
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

/** @param {readonly Figure[]} figures @returns {Table} */
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

const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));

/** The line of a command of this clone. */
export const edu = (/** @type {readonly string[]} */ ...words) => [process.execPath, here('../bin/edu.js'), ...words];

/** Runs a server of this folder meanwhile. @param {readonly string[]} line of the server @param {(env: Record<string, string>, folder: string, url: string) => Promise<string[][]>} work */
export async function withServer([script = '', ...args], work) {
  const server = spawn(process.execPath, [here(script), ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const folder = mkdtempSync(join(tmpdir(), 'edu-bench-'));
  try {
    const baseUrl = String((await happens(server.stdout, 'data'))[0]).trim();
    const env = { EDU_BASE_URL: baseUrl, EDU_TOKEN: 'bench', EDU_CONFIG_DIR: join(folder, 'config') };
    return await work(env, folder, baseUrl);
  } finally {
    server.stdin.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a command with its output in a file. @param {string} line of `edu` @param {string} file for its output @param {Record<string, string>} env */
export async function listed(line, file, env) {
  const stdout = openSync(file, 'w');
  try {
    return await watched({ name: `edu ${line}`, line: edu(...line.split(' ')), env }, 0, stdout);
  } finally {
    closeSync(stdout);
  }
}
