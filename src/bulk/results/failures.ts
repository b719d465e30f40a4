/** Describes, lists and retries failed rows. */
import type { Problem } from '../../core/errors.js';
import { ProblemList } from '../input/problem-list.js';
import { openRows, rowsOf } from '../input/row-source.js';
import type { Manifest } from '../job/job-manifest.js';
import { type JobFolder, journalFile } from '../job/job-store.js';
import { Journal } from '../job/journal.js';
import { isFailed, type Outcome, type State, type Trace } from '../job/states.js';

const MAX_SHOWN = 20;

/** The distinct errors of failed rows, each with its first rows and the number of others. */
export function failuresIn(journal: Journal, { rows }: Manifest): readonly Problem[] {
  const problems = new ProblemList('row', MAX_SHOWN);
  for (let row = 1; row <= rows; row++) {
    const state = journal.state(row);
    if (isFailed(state)) problems.add(row, `${state}: ${journal.outcome(row).error ?? ''}`);
  }
  return problems.problems();
}

export interface FailedRow {
  readonly row: number;
  /** Line of the input, counted from 1; null for `--count`. */
  readonly line: number | null;
  readonly status: State;
  readonly code: string | null;
  readonly error: string | null;
}

/** All failed rows of a job, in input order. */
export async function* failedRows(job: JobFolder): AsyncGenerator<readonly FailedRow[]> {
  const { manifest, folder } = job;
  const journal = await Journal.reading(journalFile(job), manifest.rows);
  try {
    const rows = await openRows(folder, manifest);
    for await (const batch of rowsOf(rows, manifest.rows)) {
      const failed = batch
        .filter(({ number }) => isFailed(journal.state(number)))
        .map(({ number, line }) => {
          const { state, code, error } = journal.outcome(number);
          const place = rows === undefined ? null : line;
          return { row: number, line: place, status: state, code: code ?? null, error: error ?? null };
        });
      if (failed.length > 0) yield failed;
    }
  } finally {
    await journal.close();
  }
}

const traceIn = ({ key, code, listing }: Outcome): Partial<Trace> & Pick<Outcome, 'code'> => ({
  ...(code === undefined ? {} : { code }),
  ...(key === undefined ? {} : { key }),
  ...(listing === undefined ? {} : { listing }),
});

/**
 * Which rows are retried: `failed` ones, where rows of unknown outcome are looked up first; the same without a look-up;
 * or only those in conflict with existing items.
 */
export type Retry = 'failed' | 'unknown' | 'conflict';

/** Resets the state of rows so that they are sent or looked up again. */
export function retryRows(journal: Journal, manifest: Pick<Manifest, 'rows'>, how: Retry): void {
  for (let row = 1; row <= manifest.rows; row++) {
    const state = journal.state(row);
    if (!isFailed(state) || state === 'invalid' || (how === 'conflict' && state !== 'conflict')) continue;
    // A row that may have been sent is looked up before it is sent again.
    const isLookedUp = state === 'unknown' && how === 'failed';
    journal.settled(row, isLookedUp ? { ...traceIn(journal.outcome(row)), state: 'sending' } : { state: 'planned' });
  }
}
