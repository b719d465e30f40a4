import { type ChildProcess, spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { hasExited, type LockOwner, thisProcess } from '../../../../src/core/fs/lock-owner.js';

test('detects an exited process, also when its number was reused', async () => {
  const child: ChildProcess = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const { pid = 0 } = child;
  const owner: LockOwner = { ...thisProcess('x'), pid, startTime: null };
  expect(hasExited(owner)).toBe(false);
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
  expect(hasExited(owner)).toBe(true);
  expect(hasExited({ ...thisProcess('y'), startTime: '1' })).toBe(process.platform === 'linux');
});
