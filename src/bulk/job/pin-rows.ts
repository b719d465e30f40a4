/** Works out the values of a job's rows that depend on their present items, before the first row is sent. */
import type { Problem } from '../../core/errors.js';
import { isOfRow, type PinnedReferences } from '../input/pinned-values.js';
import { type DraftRows, eachRow } from './each-row.js';

/** @returns a problem for each row whose values cannot be worked out */
export async function pinRows(
  draft: DraftRows & { readonly references: PinnedReferences },
): Promise<readonly Problem[]> {
  const { verb, references } = draft;
  references.unpin();
  if (verb.pin === undefined) return [];
  const problems: { readonly line: number; readonly message: string }[] = [];
  await eachRow(draft, async ({ line }, values) => {
    try {
      await references.pin(values);
    } catch (error) {
      if (!isOfRow(error)) throw error;
      if (error.kind === 'usage') problems.push({ line, message: error.message });
    }
  });
  return problems.sort((a, b) => a.line - b.line).map(({ line, message }) => ({ where: `line ${line}`, message }));
}
