/** Creates the job that undoes another one, and records the undone rows in the other's journal. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { writeOutput } from '../../core/fs/output-file.js';
import { asId } from '../../core/json.js';
import type { BulkHost } from '../host.js';
import { INPUT } from '../input/input-copy.js';
import { openRows, rowsOf } from '../input/row-source.js';
import { outcomesIn } from './earlier.js';
import { DIGEST_BYTES, jobId } from './identity.js';
import { type Manifest, nameOf } from './job-manifest.js';
import { type JobFolder, jobOfDraft, journalFile, makeDraft, removeFolder } from './job-store.js';
import { Journal } from './journal.js';
import { writeRows } from './rows-file.js';
import type { Outcome, State } from './states.js';

export const UNDO_PATH = 'jobs undo';

/** The states of rows that created an item, or may have. */
const MADE: ReadonlySet<State> = new Set(['created', 'sending', 'unknown']);

/** An item that a row of a job created, or may have created. */
export interface MadeRow extends Pick<Outcome, 'id' | 'code'> {
  readonly row: number;
  /** True if the row created anything is unknown. */
  readonly doubtful?: true;
}

/** All items that a job created, and no undo has taken back, in the order of its rows. */
async function* madeRows(job: JobFolder): AsyncGenerator<MadeRow> {
  for await (const { row, outcome } of outcomesIn(job, (state) => MADE.has(state))) {
    const { state, id, key, code = key, undone } = outcome;
    if (undone === undefined) yield state === 'created' ? { row, id, code } : { row, doubtful: true };
  }
}

/** The first items that a job created, the number of all, and whether it is unknown of any row if it created one. */
export async function madeIn(job: JobFolder, max = 0) {
  const first: MadeRow[] = [];
  let count = 0;
  let isAnyDoubtful = false;
  for await (const made of madeRows(job)) {
    if (count++ < max) first.push(made);
    isAnyDoubtful ||= made.doubtful === true;
  }
  return { count, first, isAnyDoubtful };
}

/** Writes the rows of an undo into a draft. @returns their number and a hash of them */
async function writeInput(rows: AsyncIterable<MadeRow>, draft: string) {
  const hash = createHash('sha256');
  const digests: Buffer[] = [];
  const lines = async function* () {
    yield `${JSON.stringify({ format: 'ndjson', columns: [] })}\n`;
    for await (const row of rows) {
      const line = `${JSON.stringify(row)}\n`;
      digests.push(createHash('sha256').update(line).digest().subarray(0, DIGEST_BYTES));
      hash.update(line);
      yield `${JSON.stringify({ number: digests.length, line: digests.length, object: row })}\n`;
    }
  };
  await writeOutput(join(draft, INPUT), lines());
  writeRows(draft, Buffer.concat(digests));
  return { count: digests.length, values: hash.digest('hex') };
}

/**
 * Finds or creates the job that undoes another one. The caller must hold that job's lock.
 * @param cancels cancel items that can no longer be deleted
 * @returns undefined if there is nothing to undo
 */
export async function undoJobOf(
  job: JobFolder,
  { cancels, dryRun }: { readonly cancels: boolean; readonly dryRun: boolean },
  context: BulkHost,
) {
  const { baseUrl, organization, id } = job.manifest;
  const draft = makeDraft(context.env, context.machine.unique());
  let isKept = false;
  try {
    const { count, values } = await writeInput(madeRows(job), draft);
    if (count === 0) return undefined;
    const scope = { baseUrl, organization, path: UNDO_PATH, batch: null };
    const manifest: Manifest = {
      version: 2,
      id: jobId(scope, null, `${id} ${values}`, undefined),
      name: null,
      ...scope,
      values: { of: id, 'cancel-activated': cancels },
      content: values,
      onExisting: 'skip',
      input: `job ${nameOf(job.manifest)} (rows)`,
      encoding: 'utf-8',
      marked: false,
      shard: null,
      rows: count,
      created: new Date(context.now()).toISOString(),
      checksums: {},
    };
    const found = jobOfDraft(context.env, draft, manifest, dryRun);
    isKept = !found.isKnown;
    return found;
  } finally {
    if (!isKept) removeFolder(draft);
  }
}

/** Records in a job's journal which rows were undone. The caller must hold the locks of both jobs. @param now in milliseconds since the epoch */
export async function noteUndone(job: JobFolder, undo: JobFolder, now: number): Promise<void> {
  const input = await openRows(undo.folder, undo.manifest);
  const done = await Journal.reading(journalFile(undo), undo.manifest.rows);
  const journal = await Journal.open(journalFile(job), job.manifest.rows);
  try {
    for await (const rows of rowsOf(input, undo.manifest.rows)) {
      for (const { number, object } of rows) {
        const row = Number(object?.row);
        const { state, undone = 'deleted', id = asId(object?.id) } = done.outcome(number);
        if (state !== 'updated' || !(row >= 1 && row <= job.manifest.rows)) continue;
        const before = journal.outcome(row);
        // The job may have created the item again since.
        if (before.undone !== undefined || (before.id ?? id) !== id) continue;
        const { key: code, listing: _, error: __, ...kept } = before;
        journal.settled(row, { id, code, ...kept, state: 'created', undone });
      }
    }
    journal.endRun(new Date(now).toISOString());
    await journal.flush();
  } finally {
    await done.close();
    await journal.close();
  }
}
