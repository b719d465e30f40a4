/** Failed rows: described for people, listed, and reopened for a retry. */
import type { Problem } from '../../core/errors.js';
import { openRows, rowsOf } from '../input/source.js';
import { type JobFolder, journalFile, type Manifest } from '../job/job-store.js';
import { Journal } from '../job/journal.js';
import { isFailed, type Outcome, type State, type Trace } from '../job/states.js';

/** Errors that are shown; rows of equal errors are one. */
const MAX_SHOWN = 20;

/** The errors of rows that failed, each once, with the first row that has it and how many others do. */
export function failuresIn(journal: Journal, { rows }: Manifest): Problem[] {
  const groups = new Map<string, { readonly row: number; more: number }>();
  let unshown = 0;
  for (let row = 1; row <= rows; row++) {
    const state = journal.state(row);
    if (!isFailed(state)) continue;
    const message = `${state}: ${journal.outcome(row).error ?? ''}`;
    const group = groups.get(message);
    if (group !== undefined) group.more++;
    else if (groups.size < MAX_SHOWN) groups.set(message, { row, more: 0 });
    else unshown++;
  }
  const shown: Problem[] = [...groups].map(([message, { row, more }]) => ({
    where: more === 0 ? `row ${row}` : `row ${row} and ${more} more`,
    message,
  }));
  return unshown === 0 ? shown : [...shown, { message: `… and ${unshown} more failed rows` }];
}

/** A row that failed, as a list shows it. */
export interface FailedRow {
  readonly row: number;
  /** Of the input, counted from 1; null for `--count`. */
  readonly line: number | null;
  readonly status: State;
  readonly code: string | null;
  readonly error: string | null;
}

/** All rows of a job that failed, in the input's order, as its journal says now. */
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

const traceIn = ({ key, listing }: Outcome): Partial<Trace> => ({
  ...(key === undefined ? {} : { key }),
  ...(listing === undefined ? {} : { listing }),
});

/**
 * Which rows are tried again: those that failed, after a look-up of those of unknown outcome; the same, without a
 * look-up; or only those that differ from what exists.
 */
export type Retry = 'failed' | 'unknown' | 'conflict';

/** Opens them again. */
export function retryRows(journal: Journal, manifest: Pick<Manifest, 'rows'>, how: Retry): void {
  for (let row = 1; row <= manifest.rows; row++) {
    const state = journal.state(row);
    if (!isFailed(state) || state === 'invalid' || (how === 'conflict' && state !== 'conflict')) continue;
    // A row that may have been sent is looked up before it is sent again.
    const isLookedUp = state === 'unknown' && how === 'failed';
    journal.settled(row, isLookedUp ? { ...traceIn(journal.outcome(row)), state: 'sending' } : { state: 'planned' });
  }
}
