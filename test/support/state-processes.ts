/** Processes that write and read one state on disk at once. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'rolldown';
import { afterAll, beforeAll } from 'vitest';
import { hasNodeSqlite } from '../../src/service/store/sqlite.js';

const ROOT = join(import.meta.dirname, '..', '..');

/** The drivers that this Node can load, its default first. */
export const DRIVERS = hasNodeSqlite(process.versions.node)
  ? (['node:sqlite', 'libsql'] as const)
  : (['libsql'] as const);
export type Driver = 'node:sqlite' | 'libsql';

export interface Found {
  readonly file: string;
  readonly check: string;
  readonly codes: readonly string[];
}

export interface StateProcesses {
  /** A path in a folder of this test file. */
  path(name: string): string;
  /** Starts one that creates licences, and logs the code of each once it was acknowledged. */
  start(state: string, prefix: string, count: number, log: string, driver?: Driver): ChildProcess;
  /** The content of a state, read by another process. */
  read(state: string, prefix: string): Promise<Found>;
  /** Opens the offline state as a command does. */
  open(state: string): { readonly done: Promise<Opened>; readonly kill: () => void };
}

export interface Opened {
  readonly code: number | null;
  readonly output: string;
}

/** Builds the programs before the tests of a file, and removes them with their files. */
export function stateProcesses(): StateProcesses {
  let scripts = '';
  let folder = '';
  beforeAll(async () => {
    // Inside node_modules, so that the script finds the packages that are not bundled.
    mkdirSync(join(ROOT, 'node_modules', '.cache'), { recursive: true });
    scripts = mkdtempSync(join(ROOT, 'node_modules', '.cache', 'edu-state-writer-'));
    folder = mkdtempSync(join(tmpdir(), 'edu-state-'));
    await build({
      input: {
        writer: join(ROOT, 'test', 'support', 'state-writer.ts'),
        reader: join(ROOT, 'test', 'support', 'state-reader.ts'),
        opener: join(ROOT, 'test', 'support', 'offline-opener.ts'),
      },
      platform: 'node',
      external: ['libsql', 'node:sqlite', '@fastify/busboy'],
      output: { dir: scripts, format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: '[name]-[hash].cjs' },
      logLevel: 'silent',
    });
  });
  afterAll(() => {
    for (const made of [scripts, folder]) rmSync(made, { recursive: true, force: true });
  });
  return {
    path: (name) => join(folder, name),
    start: (state, prefix, count, log, driver = DRIVERS[0]) =>
      spawn(process.execPath, [join(scripts, 'writer.cjs'), state, prefix, String(count), log, driver], {
        stdio: ['ignore', 'inherit', 'inherit'],
      }),
    read: async (state, prefix) => {
      const { stdout } = await promisify(execFile)(process.execPath, [join(scripts, 'reader.cjs'), state, prefix]);
      return JSON.parse(stdout) as Found;
    },
    open(state) {
      const argv = [join(scripts, 'opener.cjs'), state];
      const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
      let output = '';
      child.stdout.on('data', (chunk) => (output += chunk));
      const done = new Promise<Opened>((resolve) => child.on('close', (code) => resolve({ code, output })));
      return { done, kill: () => void child.kill('SIGKILL') };
    },
  };
}

/**
 * Waits for a process to end.
 * @returns its exit code; null if a signal ended it
 */
export const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode);
    else child.once('exit', (code) => resolve(code));
  });

/** The codes in a log. */
export const linesOf = (log: string): string[] =>
  existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(0, -1) : [];

/** Waits until a condition holds, for at most 20 s. */
export async function until(isSo: () => boolean): Promise<void> {
  const latest = Date.now() + 20_000;
  while (!isSo() && Date.now() < latest) await new Promise((resolve) => setTimeout(resolve, 3));
}
