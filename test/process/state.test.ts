/** The state on disk under real processes: many at once, and killed at any moment. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/service/store/store.js';

const ROOT = join(import.meta.dirname, '..', '..');

describe('a state that processes share', () => {
  let scripts = '';
  let folder = '';
  beforeAll(async () => {
    // Inside node_modules, so that the script finds the packages that are not bundled.
    mkdirSync(join(ROOT, 'node_modules', '.cache'), { recursive: true });
    scripts = mkdtempSync(join(ROOT, 'node_modules', '.cache', 'edu-state-writer-'));
    folder = mkdtempSync(join(tmpdir(), 'edu-state-'));
    await build({
      input: join(ROOT, 'test', 'support', 'state-writer.ts'),
      platform: 'node',
      external: ['libsql', '@fastify/busboy'],
      output: { dir: scripts, format: 'cjs', entryFileNames: 'writer.cjs', chunkFileNames: '[name]-[hash].cjs' },
      logLevel: 'silent',
    });
  });
  afterAll(() => {
    for (const made of [scripts, folder]) rmSync(made, { recursive: true, force: true });
  });

  const start = (state: string, prefix: string, count: number, log: string): ChildProcess =>
    spawn(process.execPath, [join(scripts, 'writer.cjs'), state, prefix, String(count), log], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  const ended = (child: ChildProcess): Promise<number | null> =>
    new Promise((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode);
      else child.once('exit', (code) => resolve(code));
    });
  const linesOf = (log: string): string[] =>
    existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(0, -1) : [];
  /** The codes in the state that start with this. */
  const codesIn = async (state: string, prefix: string): Promise<string[]> => {
    const store = await openStore({ directory: state });
    const all = store.read(() => store.licences.all({ creatorId: 'd1', type: 'Teacher' }));
    store.close();
    return all.map(({ code }) => code).filter((code) => code.startsWith(prefix));
  };

  it('keeps 8 × 200 writes made at once, each once', { timeout: 120_000 }, async () => {
    const state = join(folder, 'many');
    const children = Array.from({ length: 8 }, (_, at) => start(state, `writer${at}`, 200, join(folder, `many-${at}`)));
    expect(await Promise.all(children.map(ended))).toEqual(Array.from({ length: 8 }, () => 0));
    const written = children.flatMap((_, at) => linesOf(join(folder, `many-${at}`)));
    expect(written).toHaveLength(1600);
    expect((await codesIn(state, 'writer')).sort()).toEqual(written.sort());
  });

  it('keeps what was acknowledged before kill -9, and opens again, from its making on', {
    timeout: 120_000,
  }, async () => {
    const log = join(folder, 'killed');
    let acknowledged = 0;
    for (let round = 0; round < 20; round++) {
      // A state of its own for every other round: killed while it is being made.
      const state = join(folder, round % 2 === 0 ? `killed-${round}` : 'killed-all');
      const before = linesOf(log).length;
      const children = [0, 1].map((at) => start(state, `round${round}of${at}`, 1_000_000, log));
      const enough = round % 2 === 0 ? before + 1 : before + 10 + round * 7;
      const until = Date.now() + 20_000;
      while (linesOf(log).length < enough && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 3));
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(children.map(ended));
      const mine = linesOf(log).slice(before);
      acknowledged += mine.length;
      const found = new Set(await codesIn(state, `round${round}of`));
      expect(mine.filter((code) => !found.has(code))).toEqual([]);
      // Besides, at most the one write of each process whose acknowledgement was not written down.
      expect(found.size - mine.length).toBeLessThanOrEqual(2);
    }
    expect(acknowledged).toBeGreaterThan(300);
  });
});
