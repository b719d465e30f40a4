/** The state on disk under real processes: many at once, with every driver of SQLite, and killed at any moment. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DRIVERS, ended, linesOf, stateProcesses, until } from '../support/state-processes.js';

const { path, start, read } = stateProcesses();

test('8 processes that write at once lose and repeat nothing', { timeout: 120_000 }, async () => {
  const each = 200;
  const state = path('many');
  const log = (at: number): string => `${state}-${at}`;
  const children = Array.from({ length: 8 }, (_, at) =>
    start(state, `writer${at}`, each, log(at), DRIVERS[at % DRIVERS.length]),
  );
  expect(await Promise.all(children.map(ended))).toEqual(Array.from({ length: 8 }, () => 0));
  const written = children.flatMap((_, at) => linesOf(log(at)));
  expect(written).toHaveLength(8 * each);
  const found = await read(state, 'writer');
  expect({ ...found, codes: found.codes.toSorted() }).toEqual({
    file: join(state, 'service.db'),
    check: 'ok',
    codes: written.sort(),
  });
});

test('what was acknowledged before kill -9 is kept, also while the state is being made', {
  timeout: 120_000,
}, async () => {
  const log = path('killed');
  let acknowledged = 0;
  for (let round = 0; round < 12; round++) {
    // A state of its own for every other round: killed while it is being made.
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
    // Besides, at most the one write of each process whose acknowledgement was not written down.
    expect(codes.length - mine.length).toBeLessThanOrEqual(2);
  }
  expect(acknowledged).toBeGreaterThan(200);
});
