import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { isAbandoned, processTag, temporaryFolder } from '../../../../src/core/fs/temporary.js';
import { ownerOf } from '../../../support/lock.js';

test('detects an exited process, also when its number was reused', async () => {
  const child: ChildProcess = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const { process: tag } = ownerOf(child.pid ?? 0, 'x');
  expect(isAbandoned(tag)).toBe(false);
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
  expect(isAbandoned(tag)).toBe(true);
  expect(isAbandoned(processTag().replace(/-\w+-/, '-1-'))).toBe(process.platform === 'linux');
});

test.each([
  ['EPERM', false],
  ['ESRCH', true],
])('counts a process that cannot be signalled (%s) as exited: %s', (code, expected) => {
  const { process: tag } = ownerOf(process.ppid, 'x');
  vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error(code), { code });
  });
  expect(isAbandoned(tag)).toBe(expected);
});

test('removes all folders at the exit by one listener, also one that is gone', () => {
  const { path, remove } = temporaryFolder('sort');
  rmSync(path, { recursive: true });
  remove();
  const before = process.listenerCount('exit');
  temporaryFolder('sort').remove();
  expect(process.listenerCount('exit')).toBe(before);
});
