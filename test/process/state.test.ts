/** The state on disk under real processes with SQLite of one kind: many at once, and killed at any moment. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ended, linesOf, stateProcesses, until, type Which } from '../support/state-processes.js';

const { path, start, read } = stateProcesses();

describe.each<Which>(['own', 'portable'])('a state that processes share, by SQLite of the kind: %s', (which) => {
  const file = which === 'own' ? 'service.db' : 'service.portable.db';

  // The portable kind lets the disk finish each write, which takes ten times as long.
  const { each, rounds, least } =
    which === 'own' ? { each: 200, rounds: 12, least: 200 } : { each: 40, rounds: 6, least: 60 };

  it(`keeps 8 × ${each} writes made at once, each once`, { timeout: 120_000 }, async () => {
    const state = path(`many-${which}`);
    const log = (at: number): string => `${state}-${at}`;
    const children = Array.from({ length: 8 }, (_, at) => start(state, `writer${at}`, each, log(at), which));
    expect(await Promise.all(children.map(ended))).toEqual(Array.from({ length: 8 }, () => 0));
    const written = children.flatMap((_, at) => linesOf(log(at)));
    expect(written).toHaveLength(8 * each);
    const found = await read(state, 'writer', which);
    expect({ ...found, codes: found.codes.toSorted() }).toEqual({
      file: join(state, file),
      check: 'ok',
      codes: written.sort(),
    });
    // Nobody's turn is left, and nobody's note.
    expect(readdirSync(state).filter((name) => /open|turn/.test(name))).toEqual([]);
  });

  it('keeps what was acknowledged before kill -9, and opens again, from its making on', {
    timeout: 120_000,
  }, async () => {
    const log = path(`killed-${which}`);
    let acknowledged = 0;
    for (let round = 0; round < rounds; round++) {
      // A state of its own for every other round: killed while it is being made.
      const state = `${log}-${round % 2 === 0 ? round : 'all'}`;
      const before = linesOf(log).length;
      const children = [0, 1].map((at) => start(state, `round${round}of${at}`, 1_000_000, log, which));
      const enough = round % 2 === 0 ? before + 1 : before + 10 + round * 7;
      await until(() => linesOf(log).length >= enough);
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(children.map(ended));
      const mine = linesOf(log).slice(before);
      acknowledged += mine.length;
      const { codes, check } = await read(state, `round${round}of`, which);
      expect(check).toBe('ok');
      const kept = new Set(codes);
      expect(mine.filter((code) => !kept.has(code))).toEqual([]);
      // Besides, at most the one write of each process whose acknowledgement was not written down.
      expect(codes.length - mine.length).toBeLessThanOrEqual(2);
    }
    expect(acknowledged).toBeGreaterThan(least);
  });
});
