/** A row that creates something that nothing tells apart from another: sent again only when it can't have been done. */
import { whereToLook } from '../client/where-to-look.js';
import { namesOf } from './outcome-names.js';
import { Attempts } from './row-attempts.js';
import type { SettleContext } from './settle-context.js';
import type { Outcome } from './states.js';
import type { RowWrite } from './verb.js';

/**
 * Carries it through.
 * @param earlier an earlier run may have sent it
 */
export async function settleUnkeyed(write: RowWrite, earlier: boolean, settling: SettleContext): Promise<Outcome> {
  const look = whereToLook(write.endpoint);
  if (earlier) return { state: 'unknown', error: `It may have been sent before the job was interrupted. ${look}` };
  const attempts = new Attempts(settling);
  for (;;) {
    const { attempt, began } = await attempts.send(write);
    const names = namesOf(write, attempt.is === 'done' ? attempt.value : undefined);
    if (attempt.is === 'done') return { ...names, state: 'created' };
    if (attempt.is === 'refused') return { ...names, state: 'rejected', error: attempt.error.message };
    if (attempt.is !== 'undone') {
      if (attempt.is === 'unknown') await attempts.again(attempt, began);
      return { ...names, state: 'unknown', error: `It may have been done: ${attempt.error.message}. ${look}` };
    }
    if (!(await attempts.again(attempt, began))) return { state: 'planned' };
  }
}
