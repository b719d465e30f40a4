import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type JobFolder, journalFile } from '../../../../src/bulk/job/job-store.js';
import { madeIn } from '../../../../src/bulk/job/undo-job.js';
import { temporaryFolder } from '../../../support/run.js';

const ENTRIES = [
  { row: 1, state: 'created', id: 'a' },
  { row: 2, state: 'created', id: 'b', undone: 'deleted' },
  { row: 3, state: 'exists', id: 'c' },
  { row: 4, state: 'sending', key: 'd' },
  { row: 5, state: 'unknown', error: 'lost' },
  { row: 6, state: 'rejected', error: 'no' },
  { row: 7, state: 'updated', id: 'e' },
  { row: 8, state: 'created', id: 'f', key: 'g' },
];

function jobOf(entries: readonly object[]): JobFolder {
  const job = { folder: temporaryFolder(), manifest: { rows: ENTRIES.length } } as JobFolder;
  writeFileSync(journalFile(job), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  return job;
}

test('an undo takes back what a job created, and looks at rows whose outcome is unknown', async () => {
  expect(await madeIn(jobOf(ENTRIES), 3)).toEqual({
    count: 4,
    first: [
      { row: 1, id: 'a', code: undefined },
      { row: 4, doubtful: true },
      { row: 5, doubtful: true },
    ],
    isAnyDoubtful: true,
  });
  const known = ENTRIES.filter(({ row }) => row === 1 || row === 8);
  expect(await madeIn(jobOf(known), 3)).toEqual({
    count: 2,
    first: [
      { row: 1, id: 'a', code: undefined },
      { row: 8, id: 'f', code: 'g' },
    ],
    isAnyDoubtful: false,
  });
});
