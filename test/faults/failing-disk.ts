/** The program on disks that cannot be written to. */
import { spawn } from 'node:child_process';
import { expect, onTestFinished } from 'vitest';
import { EDU, type Exit } from '../support/spawned.js';
import { faultyDoor, TOKEN } from './faulty-door.js';

export { TOKEN };
export const CREATE = ['licenses', 'create', '--name', 'A', '--type', 'Teacher', '--maximum-activations', '1'];

/**
 * Runs the program through a shell.
 * @param line in which `"$@"` is the program with its words
 */
export function inShell(
  line: string,
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  input = '',
): Promise<Exit> {
  const child = spawn('bash', ['-c', line, 'bash', process.execPath, EDU, ...argv], { env });
  const text = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (text.stdout += chunk));
  child.stderr.on('data', (chunk) => (text.stderr += chunk));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, ...text })));
}

/** A service on the network. @returns its base URL */
export async function served(): Promise<string> {
  const { origin, close } = await faultyDoor();
  onTestFinished(close);
  return origin;
}

export const NO_ROOM = /EFBIG|no space left|larger than files may be|disk is full|disk I\/O error/;
/** The message has a reason and a hint, and neither a stack trace nor a bug report. */
export function saysSo({ stderr }: Exit): void {
  expect(stderr).toMatch(NO_ROOM);
  expect(stderr).toMatch(/^Hint: (Make room|Raise the limit|Free some space|Write it again)/m);
  expect(stderr).not.toMatch(/bug|^\s+at /m);
}
