/** The state on disk under processes that are killed at any moment, with every driver of SQLite. */
import { expect, test } from 'vitest';
import { DRIVERS, ended, linesOf, stateProcesses, until } from '../support/state-processes.js';

const { path, start, read } = stateProcesses();

test('keeps writes acknowledged before kill -9, also while the state is created', {
  timeout: 120_000,
}, async () => {
  const log = path('killed');
  let acknowledged = 0;
  for (let round = 0; round < 12; round++) {
    // A new state in every other round, which is killed while it is created.
    const state = `${log}-${round % 2 === 0 ? round : 'all'}`;
    const before = linesOf(log).length;
    const children = [0, 1].map((at) =>
      start(state, `round${round}of${at}`, 1_000_000, log, DRIVERS[(round + at) % DRIVERS.length]),
    );
    const enough = round % 2 === 0 ? before + 1 : before + 10 + round * 7;
    await until(() => linesOf(log).length >= enough);
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(children.map(ended));
    const mine = linesOf(log).slice(before);
    acknowledged += mine.length;
    const { codes, check } = await read(state, `round${round}of`);
    expect(check).toBe('ok');
    const kept = new Set(codes);
    expect(mine.filter((code) => !kept.has(code))).toEqual([]);
    // In addition at most one write of each process whose acknowledgement was not recorded.
    expect(codes.length - mine.length).toBeLessThanOrEqual(2);
  }
  expect(acknowledged).toBeGreaterThan(200);
});
