/**
 * One process at a time for a job or an export: who gets the lock, whose lock is taken over, and how an owner shows
 * that it runs.
 */
import fs, { existsSync, lutimesSync, readdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { EduError } from '../../../../src/core/errors.js';
import { type LockOwner, lockOwner, readOwner, removeLock, takeLock, withLock } from '../../../../src/core/fs/lock.js';
import { processTag } from '../../../../src/core/fs/temporary.js';
import type { Machine } from '../../../../src/core/io.js';
import { NO_PROCESS, ownerOf } from '../../../support/lock.js';
import { observe } from '../../../support/observed-fs.js';
import { temporaryFolder } from '../../../support/run.js';

let folder = '';
let file = '';
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'lock');
});

let number = 0;
let waitedMs = 0;
/** Called while it waits for a lock. */
let onWait = (): void => {};
beforeEach(() => {
  waitedMs = 0;
  onWait = () => {};
});
const machine: Machine = {
  now: Date.now,
  unique: () => `u${++number}`,
  wait: async (milliseconds) => {
    waitedMs += milliseconds;
    onWait();
    await new Promise((resolve) => setImmediate(resolve));
  },
};
const take = (): Promise<() => void> => takeLock(file, machine, 'The work is being done');
const refused = async (): Promise<EduError> =>
  take().then(
    () => expect.fail('it was given'),
    (error: EduError) => error,
  );

const living = ownerOf(process.ppid, 'living');
const dead = ownerOf(NO_PROCESS, 'dead');
const elsewhere: LockOwner = { ...dead, process: `${NO_PROCESS}-x-00000000`, host: 'another-machine' };

/** Leaves a lock of a given age in milliseconds. */
function leave(name: string, content: LockOwner | string, age = 0): void {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  const time = new Date(Date.now() - age);
  utimesSync(path, time, time);
}

test('is held by one owner, whom others see, and is released', async () => {
  expect(lockOwner(file, Date.now())).toBeUndefined();
  const release = await take();
  expect(statSync(file).mode & 0o177).toBe(0);
  expect(lockOwner(file, Date.now())).toBe(`process ${process.pid} on ${hostname()}`);
  const { message, hint, kind } = await refused();
  expect(kind).toBe('usage');
  expect(message).toBe(`The work is being done by process ${process.pid} on ${hostname()}.`);
  expect(hint).toBe(`Wait for it to end. If that process no longer exists: rm ${file}`);
  expect(waitedMs).toBe(0);
  release();
  expect(readdirSync(folder)).toEqual([]);
});

test.each<[string, LockOwner | string, number]>([
  ['one that lives here, however old', living, 1e9],
  ['one of another machine that showed a moment ago that it lives', elsewhere, 50_000],
  ['one that does not say whose it is, and is new', 'nonsense', 5_000],
])('is not taken over from %s', async (_, content, age) => {
  leave('lock', content, age);
  await refused();
  expect(readdirSync(folder)).toEqual(['lock']);
});

test.each<[string, LockOwner | string, number]>([
  ['one that died here, however new', dead, 0],
  ['one of another machine that has shown nothing for a minute', elsewhere, 61_000],
  ['one that does not say whose it is, and is old', 'nonsense', 11_000],
])('is taken over from %s', async (_, content, age) => {
  leave('lock', content, age);
  leave('lock.break', dead);
  const release = await take();
  expect(readOwner(file)).toMatchObject({ process: processTag() });
  expect(readdirSync(folder)).toEqual(['lock']);
  release();
  expect(existsSync(file)).toBe(false);
  // Only an owner whose process cannot be checked is watched.
  expect(waitedMs >= 10_000).toBe(content !== dead);
});

test('is waited for while another process removes it, for a second', async () => {
  leave('lock', dead);
  leave('lock.break', living);
  await refused();
  expect(waitedMs).toBeGreaterThanOrEqual(1_000);
  expect(waitedMs).toBeLessThan(2_000);
});

test('removes what killed owners of this lock left, and nothing else', async () => {
  const others = [`other.${dead.process}.x.new`, `lock.${living.process}.x.new`];
  for (const name of [...others, `lock.${dead.process}.x.new`]) leave(name, '');
  const release = await take();
  release();
  expect(readdirSync(folder).sort()).toEqual(others.sort());
});

test('is not taken over from another machine that is running, whose clock is a day behind', async () => {
  leave('lock', elsewhere, 25 * 3_600_000);
  onWait = () => leave('lock', elsewhere, 25 * 3_600_000 - waitedMs);
  await refused();
  expect(readOwner(file)).toEqual(elsewhere);
});

test('removes a link in its place without following it', async () => {
  symlinkSync(join(folder, 'nowhere'), file);
  lutimesSync(file, 0, 0);
  symlinkSync(join(folder, 'nowhere'), `${file}.${processTag()}.u${number + 1}.new`);
  const release = await take();
  expect(readOwner(file)).toMatchObject({ process: processTag() });
  expect(existsSync(join(folder, 'nowhere'))).toBe(false);
  release();
});

describe('a lock for work of milliseconds', () => {
  test('is waited for, and then reported with its owner', async () => {
    leave('f.lock', living, -3_600_000);
    const wanted = join(folder, 'f');
    await expect(withLock(wanted, machine, () => 'done')).rejects.toMatchObject({
      kind: 'usage',
      message: `${wanted} is being written by process ${process.ppid} on ${hostname()}.`,
      hint: expect.stringContaining(`rm ${wanted}.lock`),
    });
    expect(waitedMs).toBeGreaterThanOrEqual(30_000);
  });

  test('is held until the work has ended, also if it fails', async () => {
    const held: unknown[] = [];
    const work = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      held.push(readdirSync(folder));
      throw new Error('broke');
    };
    await expect(withLock(join(folder, 'f'), machine, work)).rejects.toThrow('broke');
    expect([held, readdirSync(folder)]).toEqual([[['f.lock']], []]);
  });

  test('is reported if it cannot be created, as one for long work is', async () => {
    const none = join(folder, 'none');
    await expect(withLock(join(none, 'f'), machine, () => 'done')).rejects.toMatchObject({
      kind: 'usage',
      message: `Cannot write ${none}/f.lock: no such file or folder (ENOENT).`,
    });
    await expect(takeLock(join(none, 'f'), machine, '')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('is taken over from another machine when nothing changes while it is waited for', async () => {
    leave('f.lock', elsewhere);
    expect(await withLock(join(folder, 'f'), machine, () => 'done')).toBe('done');
    expect(waitedMs).toBeLessThan(15_000);
    expect(readdirSync(folder)).toEqual([]);
  });
});

test('is taken over by one of many at the same time', async () => {
  leave('lock', dead);
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, take));
  const given = outcomes.filter(({ status }) => status === 'fulfilled');
  expect(given).toHaveLength(1);
  for (const outcome of given) if (outcome.status === 'fulfilled') outcome.value();
  expect(readdirSync(folder)).toEqual([]);
});

test('is refreshed every few seconds, and is not released by a former owner', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const release = await take();
    utimesSync(file, 0, 0);
    vi.advanceTimersByTime(5_000);
    expect(Date.now() - statSync(file).mtimeMs).toBeLessThan(60_000);
    leave('lock', living);
    release();
    expect(readOwner(file)).toEqual(living);
  } finally {
    vi.useRealTimers();
  }
});

test('is not removed once another process has taken it over', () => {
  leave('lock', living);
  const mine = ownerOf(process.pid, 'mine');
  expect(removeLock(file, { owner: dead }, mine)).toBe(true);
  expect(readOwner(file)).toEqual(living);
  expect(removeLock(file, { owner: living }, mine)).toBe(true);
  expect(readdirSync(folder)).toEqual([]);
});

test('stays if another process took it over while this one was about to remove it', async () => {
  leave('lock', dead);
  let isFirst = true;
  observe(fs, (real) => ({
    writeFileSync: (...given: Parameters<typeof writeFileSync>) => {
      real.writeFileSync(...given);
      if (!String(given[0]).includes('.break') || !isFirst) return;
      isFirst = false;
      leave('lock', living);
    },
  }));
  expect((await refused()).message).toContain(`process ${process.ppid}`);
  expect(readOwner(file)).toEqual(living);
});

test.each([
  ['win32', undefined],
  ['linux', 'EPERM'],
])('on %s, a lock that was removed and is still open elsewhere: %s', async (platform, expected) => {
  let tries = 0;
  const fail = () => {
    throw Object.assign(new Error('open elsewhere'), { code: 'EPERM' });
  };
  observe(fs, (real) => ({
    linkSync: fail,
    openSync: (...given: Parameters<typeof fs.openSync>) =>
      given[0] === file && tries++ === 0 ? fail() : real.openSync(...given),
  }));
  const real = Object.getOwnPropertyDescriptor(process, 'platform') ?? {};
  Object.defineProperty(process, 'platform', { ...real, value: platform });
  onTestFinished(() => void Object.defineProperty(process, 'platform', real));
  const code = await take().then(
    (release) => release(),
    ({ code }) => code,
  );
  expect(code).toBe(expected);
});

test('does not keep the process running', async () => {
  const timers = vi.spyOn(globalThis, 'setInterval');
  const release = await take();
  expect(timers.mock.results.map(({ value }) => (value as NodeJS.Timeout).hasRef())).toEqual([false]);
  release();
});
