/** Two processes that take over the same abandoned lock: the second must not remove the lock of the first. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { readOwner, takeLock } from '../../../../src/core/fs/lock.js';
import { NO_PROCESS, ownerOf } from '../../../support/lock.js';
import { temporaryFolder } from '../../../support/run.js';

const hook = vi.hoisted(() => ({ written: (_: string): void => {} }));

vi.mock('node:fs', async (load) => {
  const fs = await load<typeof import('node:fs')>();
  const write = (...given: Parameters<typeof fs.writeFileSync>): void => {
    fs.writeFileSync(...given);
    hook.written(String(given[0]));
  };
  return { ...fs, writeFileSync: write };
});

test('a lock that another process took meanwhile stays', async () => {
  const file = join(temporaryFolder(), 'lock');
  const living = ownerOf(process.ppid, 'living');
  writeFileSync(file, JSON.stringify(ownerOf(NO_PROCESS, 'dead')));
  hook.written = (path) => {
    if (!path.includes('.break')) return;
    hook.written = () => {};
    writeFileSync(file, JSON.stringify(living));
  };
  const machine = { now: Date.now, unique: () => 'mine', wait: async () => {} };
  await expect(takeLock(file, machine, 'The work is being done')).rejects.toThrow(`process ${process.ppid}`);
  expect(readOwner(file)).toEqual(living);
});
