/** Finds rows of a new job that would reset a field, and gets the user's decision before the first row is sent. */
import { ignoring } from '../../core/errors.js';
import type { Values } from '../row-command.js';
import type { BulkRequest, ResetRow } from './bulk-request.js';
import { type DraftRows, eachRow } from './each-row.js';

// The row's own write gets the same error and reports it with its row.
const ignoringRow = ignoring('not_found', 'forbidden', 'refused');

/**
 * Finds the rows and asks the user.
 * @returns values for every row; none if there is nothing to decide
 * @throws EduError `usage` without a decision
 */
export async function decideResets({ findReset, decideReset }: BulkRequest, draft: DraftRows): Promise<Values> {
  if (findReset === undefined || decideReset === undefined) return {};
  const found: ResetRow[] = [];
  await eachRow(draft, async ({ line }, values) => {
    const value = await findReset(values).catch(ignoringRow);
    if (value !== undefined) found.push({ line, value });
  });
  if (found.length === 0) return {};
  return decideReset(found.sort((a, b) => a.line - b.line));
}
