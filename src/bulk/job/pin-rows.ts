/** Works out the values of a job's rows that depend on their present items, before the first row is sent. */
import type { Problem } from '../../core/errors.js';
import { forEachConcurrently } from '../../core/for-each.js';
import { isOfRow, type PinnedReferences } from '../input/pinned-values.js';
import { openRows, rowsOf, valuesReader } from '../input/row-source.js';
import type { Verb } from '../row-command.js';
import type { Manifest } from './job-store.js';

/** Rows read concurrently. */
const CONCURRENCY = 8;

/**
 * @param folder the folder of the job's input
 * @param skipped numbers of rows that are not sent
 * @returns a problem for each row whose values cannot be worked out
 */
export async function pinRows(
  verb: Verb,
  folder: string,
  manifest: Manifest,
  references: PinnedReferences,
  skipped: ReadonlySet<number>,
  signal: AbortSignal,
): Promise<readonly Problem[]> {
  references.unpin();
  if (verb.pin === undefined) return [];
  const problems: { readonly line: number; readonly message: string }[] = [];
  const input = await openRows(folder, manifest);
  const valuesOf = valuesReader(verb, input, manifest.values, references);
  for await (const rows of rowsOf(input, manifest.rows)) {
    await forEachConcurrently(rows, CONCURRENCY, async (row) => {
      signal.throwIfAborted();
      if (skipped.has(row.number)) return;
      try {
        await references.pin(valuesOf(row).values);
      } catch (error) {
        if (!isOfRow(error)) throw error;
        if (error.kind === 'usage') problems.push({ line: row.line, message: error.message });
      }
    });
  }
  return problems.sort((a, b) => a.line - b.line).map(({ line, message }) => ({ where: `line ${line}`, message }));
}
