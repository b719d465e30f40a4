/** Exports hold personal data: only their owner may read them, unless --mode shares them. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run, temporaryFolder } from '../support/run.js';
import { worldService } from './world.js';

const modesIn = (folder: string): readonly string[] => {
  const modes = [folder, ...readdirSync(folder).map((name) => join(folder, name))].map((path) =>
    (statSync(path).mode & 0o777).toString(8),
  );
  return [...new Set(modes)].sort();
};

describe.skipIf(process.platform === 'win32')('the files of an export', () => {
  it('may be read by their owner only, whatever the umask, unless --mode shares them', async () => {
    const umask = process.umask(0);
    try {
      const { env } = await worldService(3);
      const to = join(temporaryFolder(), 'new', 'export');
      const line = ['export', 'users', 'licenses', '--to', to, '--fresh'];
      expect((await run(line, { env })).code).toBe(0);
      expect(modesIn(to)).toEqual(['600', '700']);
      process.umask(0o077);
      for (const [flags, modes] of [
        [
          ['--mode', '640', '--gzip'],
          ['640', '750'],
        ],
        [
          ['--mode', '0644', '--format', 'csv'],
          ['644', '755'],
        ],
        [[], ['600', '755']],
      ] as const) {
        expect((await run([...line, ...flags], { env })).code).toBe(0);
        expect(modesIn(to)).toEqual(modes);
      }
    } finally {
      process.umask(umask);
    }
  });

  it('of merged shards, too', async () => {
    const { env } = await worldService(3);
    const folders = ['1/2', '2/2'].map((shard) => [temporaryFolder(), shard] as const);
    for (const [to, shard] of folders) await run(['export', 'users', '--shard', shard, '--to', to], { env });
    const to = join(temporaryFolder(), 'merged');
    const merged = await run(['export', 'merge', ...folders.map(([folder]) => folder), '--to', to, '--mode', '640']);
    expect(merged.code).toBe(0);
    expect(modesIn(to)).toEqual(['640', '750']);
  });

  it.each(['640x', '8', '040', '888', '1640'])('refuse --mode %s', async (mode) => {
    const { code, stderr } = await run(['export', '--to', temporaryFolder(), '--mode', mode]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--mode must be an octal mode')]);
  });
});
