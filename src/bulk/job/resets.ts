/** Finds rows of a new job that would reset a field, and gets the user's decision before the first row is sent. */
import { ignoring } from '../../core/errors.js';
import { forEachConcurrently } from '../../core/for-each.js';
import type { References } from '../input/resolve-references.js';
import { openRows, rowsOf, valuesReader } from '../input/row-source.js';
import type { Values } from '../row-command.js';
import type { BulkRequest, ResetRow } from './bulk-request.js';
import type { Manifest } from './job-store.js';

/** Rows checked concurrently. */
const CONCURRENCY = 8;

/**
 * Finds the rows and asks the user.
 * @param folder the folder of the job's input
 * @param skipped numbers of rows that are not sent
 * @returns values for every row; none if there is nothing to decide
 * @throws EduError `usage` without a decision
 */
export async function decideResets(
  { verb, findReset, decideReset }: BulkRequest,
  folder: string,
  manifest: Manifest,
  references: References,
  skipped: ReadonlySet<number>,
  signal: AbortSignal,
): Promise<Values> {
  if (findReset === undefined || decideReset === undefined) return {};
  const found: ResetRow[] = [];
  const input = await openRows(folder, manifest);
  const valuesOf = valuesReader(verb, input, manifest.values, references);
  for await (const rows of rowsOf(input, manifest.rows)) {
    await forEachConcurrently(rows, CONCURRENCY, async (row) => {
      signal.throwIfAborted();
      if (skipped.has(row.number)) return;
      // The row's own write gets the same error and reports it with its row.
      const value = await findReset(valuesOf(row).values).catch(ignoring('not_found', 'forbidden', 'refused'));
      if (value !== undefined) found.push({ line: row.line, value });
    });
  }
  if (found.length === 0) return {};
  return decideReset(found.sort((a, b) => a.line - b.line));
}
