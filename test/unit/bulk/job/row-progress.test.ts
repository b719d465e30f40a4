import { expect, test } from 'vitest';
import type { BulkHost } from '../../../../src/bulk/host.js';
import { rowProgress } from '../../../../src/bulk/job/job.js';
import type { JobFolder } from '../../../../src/bulk/job/job-store.js';
import type { Journal } from '../../../../src/bulk/job/journal.js';
import { STATES } from '../../../../src/bulk/job/states.js';

test('rows that are checked again are counted once', async () => {
  const shown: string[] = [];
  const bar = (_: string, total: number, __: string, begin: number) => {
    shown.push(`${begin} of ${total}`);
    return { at: (done: number) => shown.push(`${done} of ${total}`) };
  };
  const counts = { ...Object.fromEntries(STATES.map((state) => [state, 0])), created: 2, rejected: 1 };
  const progress = await rowProgress(
    { manifest: { path: 'schools create', rows: 4, shard: null, name: null } } as unknown as JobFolder,
    { counts: () => counts } as unknown as Journal,
    { done: 2, again: 2 },
    { progress: async () => ({ bar }) } as unknown as BulkHost,
  );
  for (let row = 0; row < 3; row++) progress.onRow({ state: 'created' }, undefined);
  expect(shown).toEqual(['1 of 4', '2 of 4', '3 of 4', '4 of 4']);
});
