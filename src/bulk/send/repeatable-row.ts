/** A row whose writes change nothing more when they are sent again: by id, one or several, with a file before them. */
import { whereToLook } from '../../client/errors/where-to-look.js';
import type { Endpoint } from '../../contract/vocabulary.js';
import type { Outcome } from '../job/states.js';
import { namesOf, textAt } from '../results/outcome-ids.js';
import type { Call, RowWrite } from '../row-command.js';
import { Attempts, MOST_UNREADABLE } from './row-attempts.js';
import type { SettleContext } from './settle-context.js';
import { SEND_AGAIN } from './unkeyed-row.js';

/** The end of a row whose file may be there already. @param what happened, a sentence without its stop */
const maybeUploaded = (upload: Call, what: string): Outcome => ({
  state: 'unknown',
  error: `${what}. ${whereToLook(upload.endpoint)} ${SEND_AGAIN}`,
});

/** Sends the file that goes before the write. Files have no key: one that may be there is not sent again by itself. */
async function uploaded(write: RowWrite, earlier: boolean, attempts: Attempts): Promise<RowWrite | Outcome> {
  const { upload } = write;
  if (upload === undefined) return write;
  if (earlier) return maybeUploaded(upload, 'Its file may have been sent before the job was interrupted');
  for (;;) {
    const { attempt, began } = await attempts.send(upload);
    const fileId = attempt.is === 'done' ? textAt(attempt.value, 'id') : undefined;
    if (fileId !== undefined) return { ...write, input: { ...write.input, body: { ...write.input.body, fileId } } };
    if (attempt.is === 'done') return maybeUploaded(upload, 'The service took the file but did not say its id');
    if (attempt.is === 'refused') return { state: 'rejected', error: attempt.error.message };
    if (attempt.is !== 'undone') {
      if (attempt.is === 'unknown') await attempts.again(attempt, began);
      return maybeUploaded(upload, `Its file may have been stored: ${attempt.error.message}`);
    }
    if (attempts.isHopeless) return { state: 'rejected', error: attempt.error.message };
    if (!(await attempts.again(attempt, began))) return { state: 'planned' };
  }
}

const MAY_BE_DONE = 'An earlier attempt may have done it';

/**
 * Whether the service may refuse to do again what it has done: to assign a second time, to cancel what is cancelled. An
 * update is as good the second time as the first, and what is gone is not found.
 */
const isDoneOnce = ({ method, path, destroys }: Endpoint): boolean =>
  destroys ? method !== 'DELETE' : !path.endsWith('{id}');

/**
 * Writes that change nothing more when they are sent again: by id. Where the service may refuse to do again what an
 * attempt without an answer did, its refusal proves nothing: the row is unknown then, not rejected.
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
    const write = await uploaded(planned, earlier, attempts);
    if ('state' in write) {
      if (write.error === undefined) return write;
      last = namesOf(planned, undefined);
      errors.push(write.error);
      mayBeDone ||= write.state === 'unknown';
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
        if (uncertain && attempt.status === 404 && write.endpoint.destroys === true) break;
        const doubt = uncertain && isDoneOnce(write.endpoint);
        errors.push(doubt ? `${attempt.error.message}. ${MAY_BE_DONE}` : attempt.error.message);
        mayBeDone ||= doubt;
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
