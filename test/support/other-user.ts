/** Attacks by another user of the machine: a process with another uid, which only root can start. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** nobody on most systems; any user except root and the user of the tests. */
export const OTHER = { uid: 65534, gid: 65534 } as const;

export const isRoot = process.getuid?.() === 0;

/** A test that needs root; CI runs as root and must not skip it. */
export const testAsRoot = test.skipIf(!isRoot && !process.env.CI);

/** Explains why these tests were skipped. */
export function explainSkipped(what: string): void {
  if (isRoot) return;
  test(`needs root to act as another user, and was not run: ${what}`, () => {
    expect(process.env.CI, 'CI runs these tests as root').toBeUndefined();
  });
}

/**
 * Runs JavaScript in a Node process of the other user.
 * @returns its output
 */
export function asOther(script: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script, '--', ...args], {
    ...OTHER,
    cwd: '/',
    env: { PATH: process.env.PATH },
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}
