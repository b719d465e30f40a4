/**
 * A row that creates something with a natural key: what may have been done is looked up by the key before it is sent
 * again, so that nothing is made twice and nothing of one's own is called existing.
 */
import { type Finding, type Key, lookUp, type Reader } from '../../client/create/find-by-key.js';
import { whereToLook } from '../../client/errors/where-to-look.js';
import { EduError } from '../../core/errors.js';
import type { Outcome } from '../job/states.js';
import { namesOf } from '../results/outcome-ids.js';
import type { RowWrite } from '../row-command.js';
import { settleRepeatable } from './repeatable-row.js';
import { Attempts, MOST_UNREADABLE } from './row-attempts.js';
import { JobEnds, mayPass, type SettleContext } from './settle-context.js';
import { updateOf } from './update-existing.js';

/** A refusal that may mean: the key exists already. */
const mayMeanExists = (status: number): boolean => status === 400 || status === 409 || status === 422;

/**
 * Carries it through.
 * @param earlier an earlier run may have sent it
 */
export async function settleKeyed(
  write: RowWrite,
  key: Key,
  earlier: boolean,
  settling: SettleContext,
): Promise<Outcome> {
  const { client, snapshot, pace, onExisting } = settling;
  const { endpoint, input } = write;
  const attempts = new Attempts(settling);
  const codes = namesOf(write, undefined);
  let uncertain = earlier;

  /** What a look-up found, as the end of the row; undefined when nothing is there. */
  async function ended(finding: Finding): Promise<Outcome | undefined> {
    if (finding.is === 'absent') return undefined;
    pace.success(undefined);
    const which = `${key.noun} with the ${key.field} ${JSON.stringify(key.value)}`;
    const isHidden = finding.is === 'invisible';
    if (isHidden && !write.hasOwnKey) {
      if (uncertain) {
        const error = `a ${which} exists, and the service does not show it: an earlier attempt may have created it`;
        return { ...codes, state: 'unknown', error: `${error}. ${whereToLook(endpoint, key.value)}` };
      }
      const whose = key.field === 'code' ? 'the code belongs to another organization' : 'you may not see it';
      return { ...codes, state: 'conflict', error: `a ${which} exists already: ${whose}` };
    }
    const names = isHidden ? codes : namesOf(write, finding.found);
    if (isHidden || finding.is === 'ours') {
      if (uncertain) return { ...names, state: 'created' };
      return onExisting === 'fail'
        ? { ...names, state: 'rejected', error: `a ${which} exists already` }
        : { ...names, state: 'exists' };
    }
    const differences = finding.differences.join('; ');
    if (onExisting !== 'update')
      return { ...names, state: 'conflict', error: `a ${which} exists already, and ${differences}` };
    const update = updateOf(write, finding.found);
    if (update === undefined) return { ...names, state: 'conflict', error: `a ${which} exists already, without an id` };
    return { ...names, ...(await settleRepeatable([{ ...write, ...update }], false, settling)) };
  }

  /** Looks up; undefined when that is not possible now and the row is to be left for another run. */
  async function find(
    reader: Reader,
  ): Promise<Finding | { readonly is: 'never'; readonly error: EduError } | undefined> {
    for (;;) {
      const began = settling.now();
      try {
        // The pace says when it is tried again, and how often.
        return await lookUp(reader, endpoint, input, { retries: 0 });
      } catch (error) {
        if (!(error instanceof EduError)) throw error;
        if (error.kind === 'unauthenticated') throw new JobEnds(error);
        if (!mayPass(error)) return { is: 'never', error };
        if (!(await attempts.again({ error }, began))) return undefined;
      }
    }
  }

  /** Looks up and says how the row ends; `absent` when nothing is there. */
  async function reconcile(given?: Reader): Promise<Outcome | 'absent'> {
    // What refused a first attempt was there before it, so lists that were read already show it.
    const reader = given ?? (uncertain ? client : { call: client.call, pages: snapshot.pages });
    const finding = await find(reader);
    if (finding === undefined) return { state: uncertain ? 'sending' : 'planned' };
    if (finding.is !== 'never') return (await ended(finding)) ?? 'absent';
    const error = `${finding.error.message}. ${whereToLook(endpoint, key.value)}`;
    return uncertain ? { ...codes, state: 'unknown', error } : { ...codes, state: 'rejected', error };
  }

  // An earlier run may have sent it; and where the service takes doubles, it must not be asked to make one.
  if (earlier || !key.unique) {
    const found = await reconcile(earlier ? client : snapshot);
    if (found !== 'absent') return found;
    // An earlier run's request may still be on its way; a unique key then refuses this one.
    uncertain &&= key.unique;
  }
  let unreadable = 0;
  for (;;) {
    const { attempt, began } = await attempts.send(write);
    if (attempt.is === 'done') {
      for (const warning of (await write.inspect?.(attempt.value)) ?? []) settling.warn(warning);
      const names = namesOf(write, attempt.value);
      if (names.id !== undefined) return { ...names, state: 'created' };
      // Done, and not shown: what it is called is worth a look, and nothing depends on it.
      uncertain = true;
      const shown = await reconcile();
      return { ...names, ...(shown === 'absent' || shown.id === undefined ? {} : { id: shown.id }), state: 'created' };
    }
    if (attempt.is === 'unreadable') {
      uncertain = true;
      const found = await reconcile();
      if (found !== 'absent') return found;
      // Somebody else may have answered, such as a login page. A unique key can be sent again whatever happened.
      if (key.unique && unreadable++ < MOST_UNREADABLE) continue;
      return { ...codes, state: 'unknown', error: attempt.error.message };
    }
    if (attempt.is === 'refused') {
      const found = mayMeanExists(attempt.status) ? await reconcile() : 'absent';
      return found === 'absent' ? { ...codes, state: 'rejected', error: attempt.error.message } : found;
    }
    if (attempt.is === 'unknown') {
      uncertain = true;
      // Not looked up at once: the service may still be busy with it.
      const goesOn = await attempts.again(attempt, began);
      if (!goesOn) return { ...codes, state: 'sending' };
      const found = await reconcile();
      if (found !== 'absent') return found;
      if (attempt.running && !key.unique) {
        return { ...codes, state: 'unknown', error: `${attempt.error.message}. ${whereToLook(endpoint, key.value)}` };
      }
      // It may yet arrive from behind a proxy; only one of two with a unique key is taken then, and either is this row's.
      uncertain = key.unique;
      if (attempts.isHopeless) return { ...codes, state: 'rejected', error: attempt.error.message };
    } else if (!(await attempts.again(attempt, began))) return { state: uncertain ? 'sending' : 'planned' };
  }
}
