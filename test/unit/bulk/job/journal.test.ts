/** What the journal of a job keeps: complete lines in any order of rows, of which the last counts. */
import fs, { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { Journal } from '../../../../src/bulk/job/journal.js';
import { entryIn, lastRunEnd } from '../../../../src/bulk/job/journal-entry.js';
import { observe } from '../../../support/observed-fs.js';
import { temporaryFolder } from '../../../support/run.js';

let file = '';
beforeEach(() => {
  file = join(temporaryFolder(), 'journal.ndjson');
});

const line = (row: number, state: string): string => `${JSON.stringify({ row, state })}\n`;

test('drops an incomplete last line for good, and continues behind the complete ones', async () => {
  const events: string[] = [];
  observe(fs, ({ ftruncateSync, fsyncSync }) => ({
    ftruncateSync: (...given) => {
      events.push('truncated');
      ftruncateSync(...given);
    },
    fsyncSync: (...given) => {
      events.push('synced');
      fsyncSync(...given);
    },
  }));
  writeFileSync(file, `${line(1, 'sending')}${line(1, 'created')}${line(2, 'created').slice(0, -4)}`);
  const journal = await Journal.open(file, 3);
  expect([1, 2, 3].map((row) => journal.state(row))).toEqual(['created', 'planned', 'planned']);
  expect(events).toEqual(['truncated', 'synced']);
  journal.settled(3, { state: 'rejected', error: 'no' });
  await journal.flush();
  await journal.close();
  const text = `${line(1, 'sending')}${line(1, 'created')}${JSON.stringify({ row: 3, state: 'rejected', error: 'no' })}\n`;
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('outcomes that nothing waits for are written without a sync', async () => {
  let synced = 0;
  observe(fs, ({ fdatasync }) => ({
    fdatasync: ((handle: number, done: (error: Error | null) => void): void => {
      synced++;
      fdatasync(handle, done);
    }) as typeof fs.fdatasync,
  }));
  const journal = await Journal.open(file, 2);
  await journal.sending(1, 'a');
  journal.settled(1, { state: 'created' });
  await expect.poll(() => readFileSync(file, 'utf8')).toContain('created');
  expect(synced).toBe(1);
  await journal.close();
});

test.each(['open', 'reading'] as const)('refuses a folder in its place: %s', async (how) => {
  mkdirSync(file);
  await expect(Journal[how](file, 2)).rejects.toMatchObject({ kind: 'usage', message: expect.stringContaining(file) });
});

test('keeps the file as it is when it is only read', async () => {
  const text = `${line(1, 'created')}{"row":2,"st`;
  writeFileSync(file, text);
  const journal = await Journal.reading(file, 2);
  expect(journal.counts()).toMatchObject({ created: 1, planned: 1 });
  await journal.close();
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test.each([
  ['of no JSON', 'garbage\n'],
  ['of another state', line(1, 'made')],
  ['of a row that the job does not have', line(4, 'created')],
])('refuses a line %s before the last one', async (_, damaged) => {
  const first = line(1, 'sending');
  writeFileSync(file, `${first}${damaged}${line(2, 'created')}`);
  await expect(Journal.open(file, 3)).rejects.toThrow(`is damaged at byte ${first.length}`);
});

test('keeps the lists that were read before rows were sent', async () => {
  const journal = await Journal.open(file, 1);
  const numbers = ['1', '2'].map((id) => journal.keepListing(`/v1/schools/${id}/classes`, new Set([id])));
  await journal.sending(1, 'trace', numbers[1]);
  await journal.close();
  const again = await Journal.open(file, 1);
  expect(again.outcome(1)).toMatchObject({ state: 'sending', key: 'trace', listing: numbers[1] });
  expect(numbers.map((number) => [...(again.listing(number) ?? [])])).toEqual([['1'], ['2']]);
  await again.close();
});

test('knows how the last run ended, until something else is recorded', async () => {
  const journal = await Journal.open(file, 2);
  journal.settled(1, { state: 'created' });
  expect([lastRunEnd(file), journal.isEnded]).toEqual([undefined, false]);
  journal.endRun('2026-11-20T09:30:00.000Z');
  await journal.close();
  expect(lastRunEnd(file)).toMatchObject({ ended: '2026-11-20T09:30:00.000Z', counts: { created: 1, planned: 1 } });
  const again = await Journal.open(file, 2);
  expect(again.isEnded).toBe(true);
  again.settled(2, { state: 'rejected' });
  await again.close();
  expect(lastRunEnd(file)).toBeUndefined();
});

test.each([
  ['{"row":1,"state":"created","id":"7"}', true],
  ['{"row":0,"state":"created"}', false],
  ['{"row":1.5,"state":"created"}', false],
  ['{"row":1,"state":"made"}', false],
  ['{"row":1,"state":"created","id":7}', false],
  ['{"row":1', false],
])('the line %s is an entry: %j', (line, isEntry) => {
  expect(entryIn(line) !== undefined).toBe(isEntry);
});
