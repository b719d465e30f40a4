/**
 * Runs a program like a user who has just installed it: with a minimal environment, new folders, and in another place.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../support/run.js';
import { type Ran, type World, world } from './every-group.js';

export interface Program {
  readonly file: string;
  /** Its PATH: a folder with Node, or one without. */
  readonly path: string;
  /** Default: EDU_OFFLINE=1. */
  readonly isOnline?: boolean;
}

/** A browser that records the address: the program with which Linux desktops open addresses. */
const BROWSER = '#!/bin/sh\nprintf %s "$1" > "$HOME/opened.new" && exec /bin/mv "$HOME/opened.new" "$HOME/opened"\n';

export function started(program: Program, argv: readonly string[], home: string, cwd: string) {
  const desktop = join(home, 'desktop');
  mkdirSync(desktop, { recursive: true });
  writeFileSync(join(desktop, 'xdg-open'), BROWSER, { mode: 0o755 });
  const env = {
    PATH: `${desktop}:${program.path}`,
    DISPLAY: ':0',
    HOME: home,
    EDU_CONFIG_DIR: join(home, 'config'),
    EDU_STATE_DIR: join(home, 'state'),
    ...(program.isOnline ? {} : { EDU_OFFLINE: '1' }),
  };
  const child: ChildProcessWithoutNullStreams = spawn(program.file, argv, { cwd, env });
  const done = new Promise<Ran>((resolve, reject) => {
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.stdin.on('error', () => {});
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({ code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() }),
    );
  });
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await done;
  });
  return { child, done };
}

/** The program in an empty folder, with its own settings and state. */
export function worldOf(program: Program): World & { readonly home: string } {
  const home = temporaryFolder();
  const run = (argv: readonly string[], cwd: string, input = '') => {
    const { child, done } = started(program, argv, home, cwd);
    child.stdin.end(input);
    return done;
  };
  return { home, ...world(home, run) };
}

/**
 * Starts `edu offline serve` and waits until it is ready.
 * @returns its base URL, the token of its first persona, and a function that ends it with SIGTERM
 */
export async function served(program: Program) {
  const home = temporaryFolder();
  const { child, done } = started(program, ['offline', 'serve', '--port', '0', '--json'], home, home);
  child.stdin.end();
  const line = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk;
      if (text.includes('\n')) resolve(text);
    });
    void done.then(({ stderr }) => reject(new Error(`ended before it was ready: ${stderr}`)));
  });
  const stop = () => {
    child.kill('SIGTERM');
    return done;
  };
  return { ready: JSON.parse(line.split('\n')[0] ?? '') as Readonly<Record<string, unknown>>, stop };
}
