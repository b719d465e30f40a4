/** What the ledger of removed jobs says of the rows of a job. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { addToLedger, dropFromLedger, earlierRows, outcomesOf } from '../../../../src/bulk/job/earlier.js';
import type { Manifest } from '../../../../src/bulk/job/job-manifest.js';
import { journalFile, ledgerFile, rowsFile } from '../../../../src/bulk/job/job-store.js';
import { home, temporaryFolder } from '../../../support/run.js';

/** The identity of a row, in hexadecimal. */
const identity = (row: number): string => String(row).repeat(32);
const entry = (row: number, id: string | undefined, more: object = {}): string =>
  `${JSON.stringify({ row: identity(row), state: 'created', job: `j${id}`, id, ...more })}\n`;

function machine(text: string) {
  const env = home();
  mkdirSync(dirname(ledgerFile(env)), { recursive: true });
  writeFileSync(ledgerFile(env), text);
  return env;
}

async function found(text: string, isLeft = true, shard: Manifest['shard'] = null): Promise<readonly string[]> {
  const rows = Buffer.from([1, 2].map(identity).join(''), 'hex');
  const job = { folder: temporaryFolder(), manifest: { id: 'new', shard } as Manifest };
  const all = await earlierRows(
    machine(text),
    job,
    rows,
    () => isLeft,
    () => false,
    0,
  );
  return [...all].map(([row, earlier]) => {
    const outcomes = [...outcomesOf([earlier])].map(({ state, id }) => (id === undefined ? state : `${state} ${id}`));
    return `${row} ${earlier.job}: ${outcomes.join(', ')}`;
  });
}

const unknown = entry(1, undefined, { state: 'unknown', job: 'lost' });

test.each([
  ['of two jobs', entry(1, 'A') + entry(2, 'B'), ['1 jA: created A', '2 jB: created B']],
  ['of an item twice', entry(1, 'A') + entry(1, 'A'), ['1 jA: created A']],
  ['of two items of a row', entry(1, 'A') + entry(1, 'B') + entry(1, 'C'), ['1 jA: created A, created B, created C']],
  ['of a row that may have been sent', unknown, ['1 lost: unknown']],
  ['of it and its item', unknown + entry(1, 'A') + unknown, ['1 jA: created A']],
  ['of an item without an ID', entry(1, 'A') + entry(1, undefined), ['1 jA: created A']],
  ['of another row', entry(3, 'A'), []],
  ['that is torn', `${entry(1, 'A').slice(0, 50)}\n${entry(2, 'B')}${entry(1, 'C').slice(0, -5)}`, ['2 jB: created B']],
  ['of another format', `${JSON.stringify({ row: 'ab', state: 'created', id: 'A' })}\n{"row":7}\nnull\n`, []],
])('a line %s', async (_, text, expected) => {
  expect(await found(text)).toEqual(expected);
});

test('neither a row of another shard nor one that is done is looked for', async () => {
  const text = entry(1, 'A') + entry(2, 'B');
  expect(await found(text, true, { index: 2, count: 2 })).toEqual(['2 jB: created B']);
  expect(await found(text, false)).toEqual([]);
});

test('of a removed job, what it created or may have created is stored, after a line that is torn as well', async () => {
  const torn = entry(9, 'A').slice(0, 50);
  const env = machine(torn);
  const folder = temporaryFolder();
  const outcomes = [
    { state: 'created', id: 'B', code: 'b', undone: 'deleted' },
    { state: 'updated', id: 'C' },
    { state: 'sending', key: 'd' },
    { state: 'rejected', error: 'no' },
    { state: 'exists', id: 'E', claimed: true },
    { state: 'exists', id: 'F' },
  ];
  writeFileSync(
    journalFile({ folder }),
    outcomes.map((one, at) => `${JSON.stringify({ row: at + 1, ...one })}\n`).join(''),
  );
  writeFileSync(rowsFile({ folder }), Buffer.from(outcomes.map((_, at) => identity(at + 1)).join(''), 'hex'));
  const manifest = { id: 'j', name: 'autumn', rows: 6, checksums: {}, path: 'licenses create' } as Manifest;
  await addToLedger(env, { folder, manifest });
  const job = 'autumn';
  expect(readFileSync(ledgerFile(env), 'utf8')).toBe(
    `${torn}\n` +
      entry(1, 'B', { job, id: 'B', code: 'b', undone: 'deleted' }) +
      entry(3, undefined, { state: 'unknown', job, code: 'd' }) +
      entry(6, 'F', { job }),
  );
});

test('only the lines of a job that is forgotten are dropped', () => {
  const env = machine(entry(1, 'A') + entry(2, 'B') + entry(3, 'C'));
  const folder = temporaryFolder();
  const rows = Buffer.from([1, 3].map(identity).join(''), 'hex');
  writeFileSync(rowsFile({ folder }), rows);
  dropFromLedger(env, { folder, manifest: { id: 'old', rows: 2, checksums: {} } as Manifest });
  expect(readFileSync(ledgerFile(env), 'utf8')).toBe(entry(2, 'B'));
});
