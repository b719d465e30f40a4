/** The state on disk under real processes with SQLite of different kinds: it passes from one to the other. */
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ended, linesOf, stateProcesses, until, type Which } from '../support/state-processes.js';

const { path, start, read } = stateProcesses();

describe('one folder, two kinds of SQLite', () => {
  const other: Readonly<Record<Which, Which>> = { own: 'portable', portable: 'own' };

  it('passes from one to the other and back, with all that was acknowledged before kill -9', {
    timeout: 120_000,
  }, async () => {
    const state = path('passed');
    const log = `${state}-log`;
    let which: Which = 'portable';
    for (let round = 0; round < 8; round++) {
      const before = linesOf(log).length;
      const children = [0, 1].map((at) => start(state, `round${round}of${at}n`, 1_000_000, log, which));
      await until(() => linesOf(log).length >= before + 10 + round);
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(children.map(ended));
      // What comes next is of the other kind: it finds what the killed ones had begun.
      which = other[which];
      const { check, codes, file } = await read(state, 'round', which);
      expect(check).toBe('ok');
      expect(basename(file)).toBe(which === 'own' ? 'service.db' : 'service.portable.db');
      const kept = new Set(codes);
      expect(linesOf(log).filter((code) => !kept.has(code))).toEqual([]);
    }
    expect(readdirSync(state).filter((name) => /open|turn|wal|shm/.test(name))).toEqual([]);
  });

  it('is not taken from a process that has it open', { timeout: 60_000 }, async () => {
    const held = async (which: Which): Promise<void> => {
      const state = path(`held-${which}`);
      const log = `${state}-log`;
      const holder = start(state, 'mine', 1_000_000, log, which, 1_000_000);
      await until(() => linesOf(log).length > 0);
      const late = start(state, 'late', 1, log, other[which]);
      let said = '';
      late.stderr?.on('data', (chunk) => {
        said += chunk;
      });
      expect(await ended(late)).toBe(1);
      expect(said).toContain(`is in use by process ${holder.pid} on`);
      expect(holder.exitCode).toBe(null);
      holder.kill('SIGKILL');
      await ended(holder);
      const { check, codes } = await read(state, '', other[which]);
      expect(check).toBe('ok');
      const kept = new Set(codes);
      expect(linesOf(log).filter((code) => !kept.has(code))).toEqual([]);
    };
    await Promise.all([held('own'), held('portable')]);
  });

  it('is made once when both come first at once, and each waits for the other', { timeout: 60_000 }, async () => {
    for (let round = 0; round < 5; round++) {
      const state = path(`both-${round}`);
      const log = `${state}-log`;
      const children = (['own', 'portable', 'own', 'portable'] as const).map((which, at) =>
        start(state, `${which}${at}`, 5, log, which),
      );
      expect(await Promise.all(children.map(ended))).toEqual([0, 0, 0, 0]);
      const found = await read(state, '', 'own');
      expect(found.check).toBe('ok');
      const kept = new Set(found.codes);
      expect(linesOf(log)).toHaveLength(20);
      expect(linesOf(log).filter((code) => !kept.has(code))).toEqual([]);
    }
  });
});
