/**
 * A row that creates something that nothing tells apart from another: sent again only when it can't have been done. When
 * it may have been, what it made is looked for in the service's list, if there is one.
 */
import { namesOf as namesOfItems } from '../../client/create/find-equal.js';
import { whereToLook } from '../../client/errors/where-to-look.js';
import type { Outcome, Trace } from '../job/states.js';
import { namesOf } from '../results/outcome-ids.js';
import type { RowWrite } from '../row-command.js';
import type { Sight } from './match-created.js';
import { Attempts } from './row-attempts.js';
import { JobEnds, mayPass, type SettleContext } from './settle-context.js';

const LOOK_AGAIN = '`edu jobs retry` looks again, and with --unknown sends it again.';
/** What sends a row again that may have been done, and can't be looked for. */
export const SEND_AGAIN = '`edu jobs retry --unknown` sends it again.';

/** What the look at the list leaves to be done, for people. */
function advice(sight: Exclude<Sight, { is: 'ours' }>, write: RowWrite): string {
  if (sight.is === 'unread') return `The look-up failed too: ${sight.error.message}. ${whereToLook(write.endpoint)}`;
  const { showing } = sight;
  const look = `Look with \`${showing.command}\`.`;
  if (sight.is === 'absent') return `No ${showing.noun} equal to it has been added so far. ${look}`;
  const verb = sight.items.length === 1 ? 'is' : 'are';
  return `The ${namesOfItems(showing, sight.items)} ${verb} equal to it, and ${sight.why}. ${look}`;
}

/** Looks, and again while the list can't be read for a moment; undefined when the job ends over it. */
async function seek(
  write: RowWrite,
  trace: Trace,
  attempts: Attempts,
  { claims, now, retries }: SettleContext,
): Promise<Sight | undefined> {
  for (let looks = 1; ; looks++) {
    const began = now();
    const sight = await claims.find(write, trace);
    if (sight.is !== 'unread') return sight;
    const { error } = sight;
    if (error.kind === 'unauthenticated') throw new JobEnds(error);
    if (looks > retries || !mayPass(error)) return sight;
    if (!(await attempts.again({ error }, began))) return undefined;
  }
}

/**
 * Carries it through.
 * @param earlier an earlier run may have sent it
 * @param trace what was noted with it
 */
export async function settleUnkeyed(
  write: RowWrite,
  earlier: boolean,
  trace: Trace | undefined,
  settling: SettleContext,
): Promise<Outcome> {
  const attempts = new Attempts(settling);

  /** The end of a row that may have been done. @param what happened, a sentence without its stop */
  async function lookedFor(what: string): Promise<Outcome> {
    if (trace === undefined)
      return { state: 'unknown', error: `${what}. ${whereToLook(write.endpoint)} ${SEND_AGAIN}` };
    const sight = await seek(write, trace, attempts, settling);
    // A job that ends here looks when it goes on.
    if (sight === undefined) return { state: 'sending' };
    if (sight.is !== 'ours')
      return { ...trace, state: 'unknown', error: `${what}. ${advice(sight, write)} ${LOOK_AGAIN}` };
    settling.pace.success(undefined);
    return { ...namesOf(write, sight.item), state: 'created' };
  }

  if (earlier) return lookedFor('It may have been sent before the job was interrupted');
  for (;;) {
    const { attempt, began } = await settling.claims.send(write, trace, () => attempts.send(write));
    if (attempt.is === 'done') return { ...namesOf(write, attempt.value), state: 'created' };
    if (attempt.is === 'refused') return { state: 'rejected', error: attempt.error.message };
    if (attempt.is === 'undone') {
      if (await attempts.again(attempt, began)) continue;
      return { state: 'planned' };
    }
    // Not looked for at once: the service may still be busy with it.
    const goesOn = attempt.is === 'unreadable' || (await attempts.again(attempt, began));
    if (!goesOn && trace !== undefined) return { state: 'sending' };
    return lookedFor(`It may have been done: ${attempt.error.message}`);
  }
}
