/** Turns between processes: who has one, and how that of a dead process passes on. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, linkSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readHolder } from '../../../../src/core/fs/lock-file.js';
import { type Holder, isDead, thisProcess } from '../../../../src/core/fs/lock-owner.js';
import { endTurn, takeTurn } from '../../../../src/service/store/turn.js';

let folder = '';
let lock = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'edu-turn-'));
  lock = join(folder, 'turn');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Beyond the largest number that Linux gives a process. */
const dead = (unique: string): Holder => ({ ...thisProcess(unique), pid: 2 ** 22 + 1, born: '1' });
const alive = (unique: string): Holder => ({ ...thisProcess(unique), pid: process.ppid, born: null });
const write = (name: string, holder: Holder): void => writeFileSync(join(folder, name), JSON.stringify(holder));
const names = (): string[] => readdirSync(folder).sort();

test('is this process’ until it ends it', () => {
  expect(takeTurn(lock, 0)).toBe(true);
  expect(readHolder(lock)).toMatchObject({ pid: process.pid, host: hostname() });
  expect(names()).toEqual(['turn']);
  endTurn(lock);
  expect(names()).toEqual([]);
  expect(takeTurn(lock, 0)).toBe(true);
});

test('is not taken from the living, nor from those of whom nothing is known', () => {
  for (const holder of [
    alive('a'),
    { ...dead('b'), host: 'elsewhere' },
    { ...dead('c'), space: 'pid:[1]' },
  ] satisfies Holder[]) {
    write('turn', holder);
    expect(takeTurn(lock, 5)).toBe(false);
    expect(readHolder(lock)).toEqual(holder);
    expect(names()).toEqual(['turn']);
  }
  writeFileSync(lock, 'whatever');
  expect(takeTurn(lock, 5)).toBe(false);
});

test('passes from the dead, wherever those who succeeded them died', () => {
  const left: Readonly<Record<string, () => void>> = {
    'in its turn': () => write('turn', dead('a')),
    'while it named itself the successor': () => {
      write('turn', dead('a'));
      write('turn.a.b.new', dead('b'));
    },
    'as the successor': () => {
      write('turn', dead('a'));
      write('turn.a', dead('b'));
    },
    'as the successor of a successor': () => {
      write('turn', dead('a'));
      write('turn.a', dead('b'));
      write('turn.b', dead('c'));
    },
    'before it gave the lock its own name': () => {
      write('turn', dead('a'));
      write('turn.a', dead('b'));
      linkSync(join(folder, 'turn.a'), join(folder, 'turn.b.new'));
    },
    'before it removed what it had needed': () => {
      write('turn', dead('b'));
      write('turn.a', dead('b'));
    },
  };
  for (const [when, leave] of Object.entries(left)) {
    leave();
    expect(takeTurn(lock, 0), when).toBe(true);
    expect(readHolder(lock), when).toMatchObject({ pid: process.pid });
    endTurn(lock);
    expect(existsSync(lock), when).toBe(false);
    for (const name of names()) rmSync(join(folder, name));
  }
});

test('stays with a successor that lives, and with whoever had it after the dead one', () => {
  write('turn', dead('a'));
  write('turn.a', alive('b'));
  expect(takeTurn(lock, 5)).toBe(false);
  rmSync(join(folder, 'turn.a'));
  // Seen too late: the turn has passed on, and what was needed for that is gone.
  write('turn', alive('c'));
  expect(takeTurn(lock, 5)).toBe(false);
  expect(names()).toEqual(['turn']);
});

test('a process that has ended is dead, also while nobody has taken note of it', async () => {
  const child: ChildProcess = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const { pid = 0 } = child;
  const holder: Holder = { ...thisProcess('x'), pid, born: null };
  expect(isDead(holder)).toBe(false);
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
  expect(isDead(holder)).toBe(true);
  // The number is another's now.
  expect(isDead({ ...thisProcess('y'), born: '1' })).toBe(process.platform === 'linux');
});
