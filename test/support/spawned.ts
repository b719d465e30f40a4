/**
 * The built program in its own process: `node bin/edu.js`, or the executable in EDU_PROGRAM. No quick test starts it.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { home } from './run.js';

export const EDU = fileURLToPath(new URL('../../bin/edu.js', import.meta.url));
export const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface SpawnOptions {
  /** Added to PATH and to its own folders; no other environment of this process is visible. */
  readonly env?: Readonly<Record<string, string>>;
  /** Before the program: `['-r', file]`. */
  readonly node?: readonly string[];
  readonly input?: string;
  readonly cwd?: string;
  /** Keep stdin open. */
  readonly isOpen?: boolean;
  /** Do not read stdout. */
  readonly unread?: boolean;
}

export interface Spawned {
  readonly child: ChildProcessWithoutNullStreams;
  readonly done: Promise<Exit>;
}

/** Milliseconds that a program still has to end after its test. */
const PATIENCE = 2_000;

/** An environment with its own folders, for runs that belong together. */
export const surroundings = (more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  // A Node that did not build the program would cache compiled code in that home.
  NODE_DISABLE_COMPILE_CACHE: '1',
  EDU_MAX_WAIT: '4s',
  ...home(),
  ...more,
});

/** Starts the program; it is ended with the test. */
export function start(
  argv: readonly string[],
  { env = {}, node = [], input = '', cwd, unread = false, isOpen = false }: SpawnOptions = {},
): Spawned {
  const folders = 'EDU_CONFIG_DIR' in env ? {} : surroundings();
  // The single executable has no Node that takes flags.
  const { EDU_PROGRAM } = process.env;
  const [file, ...words] = EDU_PROGRAM === undefined ? [process.execPath, ...node, EDU] : [resolve(EDU_PROGRAM)];
  const child = spawn(file, [...words, ...argv], { cwd, env: { ...folders, ...env } });
  child.stdin.on('error', () => {});
  if (isOpen) child.stdin.write(input);
  else child.stdin.end(input);
  const chunks: { stdout: Buffer[]; stderr: Buffer[] } = { stdout: [], stderr: [] };
  if (!unread) child.stdout.on('data', (chunk: Buffer) => chunks.stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.stderr.push(chunk));
  const text = (parts: readonly Buffer[]): string => Buffer.concat(parts).toString();
  const done = new Promise<Exit>((resolve) =>
    child.on(unread ? 'exit' : 'close', (code, signal) =>
      resolve({ code, signal, stdout: text(chunks.stdout), stderr: text(chunks.stderr) }),
    ),
  );
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return void (await done);
    // SIGTERM first: after SIGKILL, temporary folders would stay until the next run.
    child.kill('SIGTERM');
    const force = setTimeout(() => child.kill('SIGKILL'), PATIENCE);
    await done;
    clearTimeout(force);
  });
  return { child, done };
}

export const edu = (argv: readonly string[], options?: SpawnOptions): Promise<Exit> => start(argv, options).done;
