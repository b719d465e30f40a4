/** The state on disk under real processes: many at once, killed at any moment, and with different kinds of SQLite. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqliteWasm } from '../../.build/sqlite-wasm.mjs';

const ROOT = join(import.meta.dirname, '..', '..');

/** This Node's own SQLite (or libsql), and the one that is everywhere. */
type Which = 'own' | 'portable';

interface Found {
  readonly file: string;
  readonly check: string;
  readonly codes: readonly string[];
}

let scripts = '';
let folder = '';
beforeAll(async () => {
  // Inside node_modules, so that the script finds the packages that are not bundled.
  mkdirSync(join(ROOT, 'node_modules', '.cache'), { recursive: true });
  scripts = mkdtempSync(join(ROOT, 'node_modules', '.cache', 'edu-state-writer-'));
  folder = mkdtempSync(join(tmpdir(), 'edu-state-'));
  await build({
    input: {
      writer: join(ROOT, 'test', 'support', 'state-writer.ts'),
      reader: join(ROOT, 'test', 'support', 'state-reader.ts'),
    },
    platform: 'node',
    external: ['libsql', 'node:sqlite', '@fastify/busboy'],
    plugins: [sqliteWasm()],
    output: { dir: scripts, format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: '[name]-[hash].cjs' },
    logLevel: 'silent',
  });
});
afterAll(() => {
  for (const made of [scripts, folder]) rmSync(made, { recursive: true, force: true });
});

const start = (state: string, prefix: string, count: number, log: string, which: Which, most = 20): ChildProcess =>
  spawn(process.execPath, [join(scripts, 'writer.cjs'), state, prefix, String(count), log, which, String(most)], {
    stdio: ['ignore', 'inherit', 'pipe'],
  });
const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode);
    else child.once('exit', (code) => resolve(code));
  });
const linesOf = (log: string): string[] => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(0, -1) : []);
const until = async (isSo: () => boolean): Promise<void> => {
  const latest = Date.now() + 20_000;
  while (!isSo() && Date.now() < latest) await new Promise((resolve) => setTimeout(resolve, 3));
};
/** What is in a state, read by a process of its own. */
const read = async (state: string, prefix: string, which: Which): Promise<Found> => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(scripts, 'reader.cjs'), state, prefix, which]);
  return JSON.parse(stdout) as Found;
};

describe.each<Which>(['own', 'portable'])('a state that processes share, by SQLite of the kind: %s', (which) => {
  const file = which === 'own' ? 'service.db' : 'service.portable.db';

  // The portable kind lets the disk finish each write, which takes ten times as long.
  const { each, rounds, least } =
    which === 'own' ? { each: 200, rounds: 20, least: 300 } : { each: 40, rounds: 10, least: 100 };

  it(`keeps 8 × ${each} writes made at once, each once`, { timeout: 120_000 }, async () => {
    const state = join(folder, `many-${which}`);
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
    const log = join(folder, `killed-${which}`);
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

describe('one folder, two kinds of SQLite', () => {
  const other: Readonly<Record<Which, Which>> = { own: 'portable', portable: 'own' };

  it('passes from one to the other and back, with all that was acknowledged before kill -9', {
    timeout: 120_000,
  }, async () => {
    const state = join(folder, 'passed');
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
      const state = join(folder, `held-${which}`);
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
      const state = join(folder, `both-${round}`);
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
