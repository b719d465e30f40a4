import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs, {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { isAbandoned, processTag, removeAbandoned, temporaryFolder } from '../../../../src/core/fs/temporary.js';
import { NO_PROCESS, ownerOf } from '../../../support/lock.js';
import { observe } from '../../../support/observed-fs.js';
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
  const last = temporaryFolder('sort');
  const listeners = process.listeners('exit');
  expect(listeners).toHaveLength(before);
  listeners.find(({ name }) => name === 'removeAll')?.(0);
  expect(existsSync(last.path)).toBe(false);
});

const { process: dead } = ownerOf(NO_PROCESS, 'dead');

test('removes folders that killed processes left, before it makes the first', () => {
  const folder = testFolder();
  vi.stubEnv('TMPDIR', folder);
  try {
    const [left, other] = [join(folder, `edu-sort-${dead}.abcdef`), join(folder, `other-${dead}.abcdef`)];
    for (const path of [left, other]) mkdirSync(path);
    const first = temporaryFolder('sort');
    expect([existsSync(left), existsSync(other)]).toEqual([false, true]);
    mkdirSync(left);
    const second = temporaryFolder('sort');
    for (const { path, remove } of [first, second]) {
      expect(path.startsWith(join(folder, `edu-sort-${processTag()}.`))).toBe(true);
      remove();
    }
    expect(readdirSync(folder)).toEqual([basename(left), basename(other)]);
  } finally {
    vi.unstubAllEnvs();
  }
});

test('has a tag also where the start of a process is not shown', async () => {
  observe(fs, (real) => ({
    readFileSync: ((path: string, ...more: []) => {
      if (path.startsWith('/proc/')) throw new Error('not there');
      return real.readFileSync(path, ...more);
    }) as typeof fs.readFileSync,
  }));
  // Another instance of the module, which has not read its own start yet.
  const another = '../../../../src/core/fs/temporary.js?without-proc';
  const { processTag: tagHere, isAbandoned: isAbandonedHere }: typeof import('../../../../src/core/fs/temporary.js') =
    await import(another);
  expect(tagHere()).toMatch(/^\d+-x-[0-9a-f]{8}$/);
  expect(isAbandonedHere(tagHere())).toBe(false);
});

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
