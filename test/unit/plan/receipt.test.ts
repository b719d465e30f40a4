/** The outcomes of steps in a receipt, from the journal. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Journal } from '../../../src/bulk/job/journal.js';
import type { Outcome } from '../../../src/bulk/job/states.js';
import { outcomeOf } from '../../../src/plan/apply/receipt.js';
import { temporaryFolder } from '../../support/run.js';

test.each<[Outcome | undefined, string]>([
  [{ state: 'created', id: 'a' }, 'done'],
  [{ state: 'updated' }, 'done'],
  [{ state: 'exists', id: 'a' }, 'exists'],
  [{ state: 'unknown', error: 'no response' }, 'unknown'],
  [{ state: 'conflict', error: 'it was changed' }, 'stale'],
  [{ state: 'rejected', error: 'refused' }, 'failed'],
  [{ state: 'rejected', error: 'a step before it failed', skipped: true }, 'skipped'],
  [undefined, 'left'],
])('%j is %s', async (outcome, expected) => {
  const journal = await Journal.open(join(temporaryFolder(), 'journal'), 1);
  if (outcome !== undefined) journal.settled(1, outcome);
  await journal.flush();
  const { id = null, error = null } = outcome ?? {};
  expect(outcomeOf(journal, 1)).toEqual({ outcome: expected, resultId: id, error });
  await journal.close();
});
