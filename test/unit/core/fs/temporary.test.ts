import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { isAbandoned, processTag, removeAbandoned, temporaryFolder } from '../../../../src/core/fs/temporary.js';
import { NO_PROCESS, ownerOf } from '../../../support/lock.js';
import { isRoot } from '../../../support/other-user.js';
import { temporaryFolder as testFolder } from '../../../support/run.js';

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

test.runIf(process.platform === 'linux')(
  'detects a process that has exited, but for which nobody has waited',
  async () => {
    const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 60']);
    const pid = await new Promise((resolve) => parent.stdout.once('data', (text) => resolve(String(text).trim())));
    const [, startTime] = /(?:\S+ ){21}(\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    const tag = processTag().replace(/^\d+-\w+/, `${pid}-${startTime}`);
    expect(isAbandoned(tag)).toBe(false);
    await expect.poll(() => isAbandoned(tag)).toBe(true);
    parent.kill();
  },
);

test.runIf(process.platform === 'linux')('distinguishes the process IDs of containers', () => {
  const machine = `${hostname()}\n${readlinkSync('/proc/self/ns/pid')}`;
  expect(processTag().split('-')[2]).toBe(createHash('sha256').update(machine).digest('hex').slice(0, 8));
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

const { process: dead } = ownerOf(NO_PROCESS, 'dead');

test('reads the tag in a name, also of another machine', () => {
  expect(isAbandoned(`edu-files-${dead}.abcdef`)).toBe(true);
  expect(isAbandoned(`rows.csv.${dead}.1a2b.part`)).toBe(true);
  expect(isAbandoned(`edu-files-${processTag()}.abcdef`)).toBe(false);
  expect(isAbandoned(`x.${dead.replace(/\w{8}$/, '00000000')}`)).toBe(false);
  for (const name of ['', 'x', '0-1-00000000', `1${dead}0`, `-${dead}-`, `x${dead}`])
    expect(isAbandoned(name), name).toBe(false);
});

test('removes exactly the matching files that are left over', () => {
  const [folder, outside] = [testFolder(), testFolder()];
  writeFileSync(join(outside, 'kept'), '');
  const kept = [`b.${dead}.part`, `a.${processTag()}.part`, 'a.part', ...(isRoot ? [`a.${dead}.3.part`] : [])];
  for (const name of [`a.${dead}.part`, ...kept]) writeFileSync(join(folder, name), '');
  if (isRoot) chownSync(join(folder, `a.${dead}.3.part`), 12345, 0);
  mkdirSync(join(folder, `a.${dead}.1.part`));
  writeFileSync(join(folder, `a.${dead}.1.part`, 'x'), '');
  symlinkSync(outside, join(folder, `a.${dead}.2.part`));
  removeAbandoned(folder, (name) => name.startsWith('a.'));
  expect(readdirSync(folder).sort()).toEqual(kept.sort());
  expect(readdirSync(outside)).toEqual(['kept']);
  removeAbandoned(join(folder, 'nowhere'), () => true);
});
