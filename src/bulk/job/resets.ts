/** Finds rows of a new job that would reset a field, and gets the user's decision before the first row is sent. */

import { EduError, type ErrorKind } from '../../core/errors.js';
import type { References } from '../input/resolve-references.js';
import { openRows, rowsOf, valuesReader } from '../input/row-source.js';
import type { Values } from '../row-command.js';
import type { BulkRequest, ResetRow } from './bulk-request.js';
import type { Manifest } from './job-store.js';

const ROW_FAULTS: ReadonlySet<ErrorKind> = new Set(['not_found', 'forbidden', 'refused']);
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
    const left = rows.values();
    const worker = async (): Promise<void> => {
      for (const row of left) {
        signal.throwIfAborted();
        if (skipped.has(row.number)) continue;
        const value = await findReset(valuesOf(row).values).catch((error: unknown) => {
          // The row's own write gets the same error and reports it with its row.
          if (error instanceof EduError && ROW_FAULTS.has(error.kind)) return undefined;
          throw error;
        });
        if (value !== undefined) found.push({ line: row.line, value });
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  }
  if (found.length === 0) return {};
  return decideReset(found.sort((a, b) => a.line - b.line));
}
