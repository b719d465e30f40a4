/** Runs the built program as a process, against servers in this process. Needs the build, which `npm test` makes. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';

const EDU = join(import.meta.dirname, '..', '..', 'bin', 'edu.js');

export const TOKEN = 'token-of-the-process-tests';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Since the signal, or since the start, in milliseconds. */
  readonly took: number;
}

export interface Program {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  /** Stderr so far. */
  readonly stderr: () => string;
  readonly ended: Promise<Ended>;
  readonly kill: (signal: NodeJS.Signals) => void;
}

/** A folder that is removed when the test is over. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'edu-faults-process-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Do not read stdout. */
  readonly unread?: boolean;
}

/**
 * Starts it.
 * @param argv the words after `edu`
 */
export function start(argv: readonly string[], { env = {}, cwd, unread = false }: StartOptions = {}): Program {
  const home = folder();
  const child = spawn(process.execPath, [EDU, ...argv], {
    cwd: cwd ?? home,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH ?? '',
      EDU_CONFIG_DIR: join(home, 'config'),
      EDU_STATE_DIR: join(home, 'state'),
      EDU_TOKEN: TOKEN,
      ...env,
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let since = Date.now();
  const seen = { stdout: [] as Buffer[], stderr: '' };
  if (!unread) child.stdout.on('data', (chunk: Buffer) => seen.stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => (seen.stderr += chunk.toString()));
  const ended = new Promise<Ended>((resolve) => {
    child.on(unread ? 'exit' : 'close', (code, signal) =>
      resolve({
        code,
        signal,
        stdout: Buffer.concat(seen.stdout).toString(),
        stderr: seen.stderr,
        took: Date.now() - since,
      }),
    );
  });
  return {
    child,
    stderr: () => seen.stderr,
    ended,
    kill: (signal) => {
      since = Date.now();
      child.kill(signal);
    },
  };
}

export const edu = (argv: readonly string[], options?: StartOptions): Promise<Ended> => start(argv, options).ended;
