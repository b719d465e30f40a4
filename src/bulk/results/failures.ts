/** Describes and retries failed rows. */
import type { EduError, Problem } from '../../core/errors.js';
import { ProblemList } from '../input/problem-list.js';
import type { Manifest } from '../job/job-manifest.js';
import type { Journal } from '../job/journal.js';
import { errorText, isFailed } from '../job/states.js';

const MAX_SHOWN = 20;

/** The distinct errors of failed rows, each with its first rows and the number of others. */
export function failuresIn(journal: Journal, { rows }: Manifest): readonly Problem[] {
  const problems = new ProblemList('row', MAX_SHOWN);
  for (let row = 1; row <= rows; row++) {
    const state = journal.state(row);
    if (isFailed(state)) problems.add(row, `${state}: ${errorText(journal.outcome(row))}`);
  }
  return problems.problems();
}

/**
 * Which rows are retried: `failed` ones, where rows of unknown outcome are looked up first; the same without a look-up; or
 * only those that the service neither rejected nor has, after an outage.
 */
export type Retry = 'failed' | 'unknown' | 'temporary';

/** Resets the state of rows so that they are sent or looked up again. */
export function retryRows(journal: Journal, manifest: Pick<Manifest, 'rows'>, how: Retry): void {
  for (let row = 1; row <= manifest.rows; row++) {
    const state = journal.state(row);
    if (!isFailed(state) || state === 'invalid') continue;
    // A row that may have been sent is looked up before it is sent again.
    const { key, code, listing, temporary } = journal.outcome(row);
    if (how === 'temporary' && state !== 'unknown' && temporary === undefined) continue;
    const sent = { state: 'sending', code, listing, ...(key !== undefined && { key }) } as const;
    journal.settled(row, state === 'unknown' && how !== 'unknown' ? sent : { state: 'planned' });
  }
}

/** The error of a job or plan that ended before its last row. @param next how to continue, as a sentence */
export function stopError(reason: EduError, next: string, prefix = ''): EduError {
  const { kind, message, hint = 'Log in.' } = reason;
  if (kind === 'interrupted' || kind === 'terminated') return reason.with({ hint: next });
  if (kind === 'unauthenticated') return reason.with({ hint: `${hint}\n${next}` });
  return reason.with({ kind: kind === 'unreachable' ? kind : 'unavailable', message: prefix + message, hint: next });
}
