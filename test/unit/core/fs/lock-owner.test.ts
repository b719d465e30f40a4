import { type ChildProcess, spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { type Holder, isDead, thisProcess } from '../../../../src/core/fs/lock-owner.js';

test('a process has exited as soon as it was killed, and when its number belongs to another', async () => {
  const child: ChildProcess = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const { pid = 0 } = child;
  const holder: Holder = { ...thisProcess('x'), pid, born: null };
  expect(isDead(holder)).toBe(false);
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
  expect(isDead(holder)).toBe(true);
  expect(isDead({ ...thisProcess('y'), born: '1' })).toBe(process.platform === 'linux');
});
