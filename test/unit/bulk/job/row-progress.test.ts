import { expect, test } from 'vitest';
import type { BulkHost } from '../../../../src/bulk/host.js';
import { rowProgress } from '../../../../src/bulk/job/job.js';
import type { JobFolder } from '../../../../src/bulk/job/job-store.js';
import type { Journal } from '../../../../src/bulk/job/journal.js';
import { STATES } from '../../../../src/bulk/job/states.js';
import { EduError } from '../../../../src/core/errors.js';

test('rows that are checked again are counted once, and failed ones are noted', async () => {
  const shown: string[] = [];
  const bar = (label: string, total: number, unit: string, begin: number) => {
    shown.push(`${label}: ${begin} of ${total} ${unit}`);
    return {
      at: (done: number, note = '') => shown.push(`${done} of ${total} ${note}`.trim()),
      done: () => shown.push('done'),
    };
  };
  const counts = { ...Object.fromEntries(STATES.map((state) => [state, 0])), created: 2, rejected: 1 };
  const progress = await rowProgress(
    { manifest: { path: 'schools create', rows: 4, shard: null, name: null } } as unknown as JobFolder,
    { counts: () => counts } as unknown as Journal,
    { done: 2, again: 2 },
    { progress: async () => ({ bar }) } as unknown as BulkHost,
  );
  for (let row = 0; row < 2; row++) progress.onRow({ state: 'created' }, undefined);
  progress.onFailure(undefined, new EduError('unavailable', 'later', { status: 429 }));
  progress.onFailure(undefined, new EduError('server_error', 'failed', { status: 500 }));
  progress.onFailure(undefined, new EduError('unreachable', 'reset'));
  progress.onRow({ state: 'rejected' }, 1.6);
  progress.done();
  const failures = ['throttled', 'retrying after 500', 'retrying after no response'];
  const ends = [...failures.map((note) => `3 of 4 1 failed, ${note}`), '4 of 4 2 failed, throttled to 2/s', 'done'];
  expect(shown).toEqual(['edu schools create: 1 of 4 items', '2 of 4 1 failed', '3 of 4 1 failed', ...ends]);
  expect(progress.sent()).toBe(3);
});
