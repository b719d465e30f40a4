/** Finds what the rows of a new job do that the user must confirm, such as licences that end earlier than before. */
import { ignoring } from '../../core/errors.js';
import type { RiskyRow } from './bulk-request.js';
import { type DraftRows, eachRow } from './each-row.js';

// The row's own write gets the same error and reports it with its row.
const ignoringRow = ignoring('usage', 'not_found', 'forbidden', 'refused');

/** The rows with a consequence to confirm, in the order of their lines. */
export async function findRisks(draft: DraftRows): Promise<readonly RiskyRow[]> {
  const { risky = [], plan } = draft.verb;
  const found: RiskyRow[] = [];
  if (risky.length === 0) return found;
  await eachRow(draft, async ({ line }, values) => {
    if (!risky.some((name) => values[name] !== undefined)) return;
    const writes = await (async () => plan(values))().catch(ignoringRow);
    for (const { risk, jobRisk = risk } of writes ?? []) if (jobRisk !== undefined) found.push({ line, risk: jobRisk });
  });
  return found.sort((a, b) => a.line - b.line);
}
