/** Reads the rows of a draft's input once more, some at a time, to learn what the user must decide before any is sent. */
import { forEachConcurrently } from '../../core/for-each.js';
import type { InputRow } from '../../core/table/rows.js';
import type { References } from '../input/resolve-references.js';
import { openRows, rowsOf, valuesReader } from '../input/row-source.js';
import type { Values, Verb } from '../row-command.js';
import type { Manifest } from './job-manifest.js';

/** Rows read concurrently. */
const CONCURRENCY = 8;

/** The input of a draft, and what its rows refer to. */
export interface DraftRows {
  readonly verb: Verb;
  readonly folder: string;
  readonly manifest: Manifest;
  readonly references: Pick<References, 'filled'>;
  /** Numbers of rows that are not sent. */
  readonly skipped: ReadonlySet<number>;
  readonly signal: AbortSignal;
}

/** Calls a function with each row that is to be sent and its values. */
export async function eachRow(
  { verb, folder, manifest, references, skipped, signal }: DraftRows,
  work: (row: InputRow, values: Values) => Promise<void>,
): Promise<void> {
  const input = await openRows(folder, manifest);
  const valuesOf = valuesReader(verb, input, manifest.values, references);
  for await (const rows of rowsOf(input, manifest.rows)) {
    await forEachConcurrently(rows, CONCURRENCY, async (row) => {
      signal.throwIfAborted();
      if (!skipped.has(row.number)) await work(row, valuesOf(row).values);
    });
  }
}
