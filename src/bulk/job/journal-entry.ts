/** The entries of a journal, each a line of JSON: outcomes of rows, lists of existing items, ends of runs. */
import { closeSync, readSync } from 'node:fs';
import { type Check, type Checked, isCount, isOneOf, isText, listOf, objectOf, optional } from '../../core/checks.js';
import { EduError } from '../../core/errors.js';
import { openRegularFile } from '../../core/fs/regular-file.js';
import { isObject } from '../../core/json.js';
import { type Counts, type Outcome, STATES } from './states.js';

/** More than the entry of the end of a run has. */
const MAX_END_BYTES = 4096;

export interface RowEntry extends Outcome {
  readonly row: number;
}

const isRow = objectOf({
  row: (value): value is number => isCount(value) && value >= 1,
  state: isOneOf(STATES),
  id: optional(isText),
  code: optional(isText),
  error: optional(isText),
}) as Check<unknown> as Check<RowEntry>;

const isListing = objectOf({
  /** The path of a list. */
  list: isText,
  /** The IDs of its items before the first row was sent. */
  ids: listOf(isText),
});

const isRunEnd = objectOf({
  /** ISO 8601. */
  ended: isText,
  counts: (value): value is Counts => isObject(value) && STATES.every((state) => isCount(value[state])),
});
/** The progress of a job at the end of a run. */
export type RunEndEntry = Checked<typeof isRunEnd>;

export type JournalEntry = RowEntry | Checked<typeof isListing> | RunEndEntry;

/** Parses a line; undefined if it is not an entry. */
export function entryIn(line: string): JournalEntry | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    return isRow(entry) || isListing(entry) || isRunEnd(entry) ? entry : undefined;
  } catch {
    return undefined;
  }
}

/** The error of a line that is no entry. @param offset its first byte */
export function damaged(file: string, offset: number): EduError {
  return new EduError('usage', `The journal ${file} is damaged at byte ${offset}.`, {
    hint: 'Nothing was sent. Restore the file from a backup. Without one, remove the job, and check what it created before you run its command again.',
  });
}

/** The progress of a job if its last run ended regularly, so that the journal need not be read. */
export function lastRunEnd(file: string): RunEndEntry | undefined {
  try {
    const { handle, stats } = openRegularFile(file);
    try {
      const bytes = Buffer.alloc(Math.min(stats.size, MAX_END_BYTES));
      readSync(handle, bytes, 0, bytes.length, stats.size - bytes.length);
      const [line = '', rest] = bytes.toString().split('\n').slice(-2);
      const entry = rest === '' ? entryIn(line) : undefined;
      return entry !== undefined && 'ended' in entry ? entry : undefined;
    } finally {
      closeSync(handle);
    }
  } catch {
    return undefined;
  }
}
