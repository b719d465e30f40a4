/** The state on disk under many processes at once, with every driver of SQLite. Kills: test/slow/state.test.ts. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DRIVERS, ended, linesOf, stateProcesses } from '../support/state-processes.js';

const { path, start, read } = stateProcesses();

test('8 processes that write at once lose and duplicate nothing', { timeout: 120_000 }, async () => {
  const each = 50;
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
