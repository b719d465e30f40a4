/** Rows that failed: named for people, and opened again for another try. */
import type { Problem } from '../errors.js';
import type { Journal } from './journal.js';
import { isFailed, type Outcome, type Trace } from './states.js';
import type { Manifest } from './store.js';

/** Rows that failed, as an error shows them. */
const MOST_SHOWN = 20;

/** The first of them, with why. */
export function failuresIn(journal: Journal, { rows }: Manifest): Problem[] {
  const shown: Problem[] = [];
  for (let row = 1; row <= rows && shown.length < MOST_SHOWN; row++) {
    const state = journal.state(row);
    if (isFailed(state)) shown.push({ where: `row ${row}`, message: `${state}: ${journal.outcome(row).error ?? ''}` });
  }
  return shown;
}

const traceIn = ({ key, listing }: Outcome): Partial<Trace> => ({
  ...(key === undefined ? {} : { key }),
  ...(listing === undefined ? {} : { listing }),
});

/**
 * Opens them again.
 * @param how whether rows of unknown outcome are looked up (`failed`), or sent again as they are (`unknown`)
 */
export function retryRows(journal: Journal, manifest: Manifest, how: 'failed' | 'unknown'): void {
  for (let row = 1; row <= manifest.rows; row++) {
    const state = journal.state(row);
    if (!isFailed(state)) continue;
    // A row that may have been done is looked up before it is sent again.
    const isLookedUp = state === 'unknown' && how === 'failed';
    journal.settled(row, isLookedUp ? { ...traceIn(journal.outcome(row)), state: 'sending' } : { state: 'planned' });
  }
}
