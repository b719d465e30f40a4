/** One process at a time for a job or an export: who gets the lock, whose lock is taken over, and what shows that one lives. */
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import type { EduError } from '../../../../src/core/errors.js';
import { holderOf, takeLock } from '../../../../src/core/fs/lock.js';
import { readHolder } from '../../../../src/core/fs/lock-file.js';
import { type Holder, thisProcess } from '../../../../src/core/fs/lock-owner.js';
import { temporaryFolder } from '../../../support/run.js';

let folder = '';
let file = '';
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'lock');
});

let number = 0;
const take = (): Promise<() => void> =>
  takeLock(file, { now: Date.now, unique: () => `u${++number}`, what: 'The work is being done' });
const refused = async (): Promise<EduError> =>
  take().then(
    () => expect.fail('it was given'),
    (error: EduError) => error,
  );

const living: Holder = { ...thisProcess('living'), pid: process.ppid, born: null };
/** Beyond the largest number that Linux gives a process. */
const dead: Holder = { ...thisProcess('dead'), pid: 2 ** 22 + 1, born: null };
const elsewhere: Holder = { ...dead, host: 'another-machine' };

/** Leaves a lock that is so many milliseconds old. */
function leave(name: string, content: Holder | string, age = 0): void {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  const time = new Date(Date.now() - age);
  utimesSync(path, time, time);
}

test('is given to one, named to others, and given back', async () => {
  expect(holderOf(file, Date.now())).toBeUndefined();
  const giveBack = await take();
  expect(holderOf(file, Date.now())).toBe(`process ${process.pid} on ${hostname()}`);
  const { message, hint, kind } = await refused();
  expect(kind).toBe('usage');
  expect(message).toBe(`The work is being done by process ${process.pid} on ${hostname()}.`);
  expect(hint).toBe(`Wait for it to end. If it does not run any more: rm '${file}'`);
  giveBack();
  expect(readdirSync(folder)).toEqual([]);
});

test.each<[string, Holder | string, number]>([
  ['one that lives here, however old', living, 1e9],
  ['one of another machine that showed a moment ago that it lives', elsewhere, 50_000],
  ['one that does not say whose it is, and is new', 'nonsense', 5_000],
])('is not taken from %s', async (_, content, age) => {
  leave('lock', content, age);
  await refused();
  expect(readdirSync(folder)).toEqual(['lock']);
});

test.each<[string, Holder | string, number]>([
  ['one that died here, however new', dead, 0],
  ['one of another machine that has shown nothing for a minute', elsewhere, 61_000],
  ['one that does not say whose it is, and is old', 'nonsense', 11_000],
])('is taken over from %s', async (_, content, age) => {
  leave('lock', content, age);
  leave('lock.break', dead);
  const giveBack = await take();
  expect(readHolder(file)).toMatchObject({ pid: process.pid });
  expect(readdirSync(folder)).toEqual(['lock']);
  giveBack();
  expect(existsSync(file)).toBe(false);
});

test('is taken over by one of many that want it at once', async () => {
  leave('lock', dead);
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, take));
  const given = outcomes.filter(({ status }) => status === 'fulfilled');
  expect(given).toHaveLength(1);
  for (const outcome of given) if (outcome.status === 'fulfilled') outcome.value();
  expect(readdirSync(folder)).toEqual([]);
});

test('shows every few seconds that its holder lives, and is not given back by one that has lost it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const giveBack = await take();
    utimesSync(file, 0, 0);
    vi.advanceTimersByTime(5_000);
    expect(Date.now() - statSync(file).mtimeMs).toBeLessThan(60_000);
    leave('lock', living);
    giveBack();
    expect(readHolder(file)).toEqual(living);
  } finally {
    vi.useRealTimers();
  }
});
