/** A row whose writes change nothing more when they are sent again: by id, one or several, with a file before them. */

import { namesOf, textAt } from './outcome-names.js';
import { Attempts, MOST_UNREADABLE } from './row-attempts.js';
import type { SettleContext } from './settle-context.js';
import type { Outcome } from './states.js';
import type { RowWrite } from './verb.js';

/** A file that goes before the write; sent again it is stored twice at worst. */
async function uploaded(write: RowWrite, attempts: Attempts): Promise<RowWrite | Outcome> {
  const { upload } = write;
  if (upload === undefined) return write;
  for (;;) {
    const { attempt, began } = await attempts.send(upload);
    if (attempt.is === 'done' && textAt(attempt.value, 'id') !== undefined) {
      return {
        ...write,
        input: { ...write.input, body: { ...write.input.body, fileId: textAt(attempt.value, 'id') } },
      };
    }
    if (attempt.is === 'done') return { state: 'rejected', error: 'the service took the file but did not say its id' };
    if (attempt.is === 'refused' || attempt.is === 'unreadable')
      return { state: 'rejected', error: attempt.error.message };
    if (attempts.isHopeless) return { state: 'rejected', error: attempt.error.message };
    if (!(await attempts.again(attempt, began))) return { state: 'planned' };
  }
}

const MAY_BE_DONE = 'An earlier attempt may have done it';

/**
 * Writes that change nothing more when they are sent again: by id. A refusal after an attempt without an answer proves
 * nothing, because the service may refuse to do again what that attempt did: the row is unknown then, not rejected.
 */
export async function settleRepeatable(
  writes: readonly RowWrite[],
  earlier: boolean,
  settling: SettleContext,
): Promise<Outcome> {
  let last: Pick<Outcome, 'id' | 'code'> = {};
  const errors: string[] = [];
  let mayBeDone = false;
  for (const planned of writes) {
    const attempts = new Attempts(settling);
    const write = await uploaded(planned, attempts);
    if ('state' in write) {
      if (write.state !== 'rejected') return write;
      errors.push(write.error ?? '');
      continue;
    }
    let uncertain = earlier;
    let unreadable = 0;
    for (;;) {
      const { attempt, began } = await attempts.send(write);
      last = namesOf(write, attempt.is === 'done' ? attempt.value : undefined);
      if (attempt.is === 'done') {
        for (const warning of (await write.inspect?.(attempt.value)) ?? []) settling.warn(warning);
        break;
      }
      if (attempt.is === 'refused') {
        // "Not found" to the second attempt of a removal is the success of the first.
        const removed = uncertain && attempt.status === 404 && write.endpoint.destroys === true;
        if (!removed) errors.push(uncertain ? `${attempt.error.message}. ${MAY_BE_DONE}` : attempt.error.message);
        mayBeDone ||= uncertain && !removed;
        break;
      }
      if (attempt.is === 'unreadable') {
        uncertain = true;
        if (unreadable++ < MOST_UNREADABLE) continue;
        errors.push(`It was probably done: ${attempt.error.message}`);
        mayBeDone = true;
        break;
      }
      if (attempt.is === 'unknown') uncertain = true;
      if (attempts.isHopeless) {
        errors.push(attempt.error.message);
        mayBeDone ||= uncertain;
        break;
      }
      if (!(await attempts.again(attempt, began))) return { state: uncertain ? 'sending' : 'planned' };
    }
  }
  if (errors.length === 0) return { ...last, state: 'updated' };
  const some = errors.length < writes.length ? `${writes.length - errors.length} of ${writes.length} done; ` : '';
  return { ...last, state: mayBeDone ? 'unknown' : 'rejected', error: some + errors.join('; ') };
}
