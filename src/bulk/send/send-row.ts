/**
 * One row to its end: what is sent, looked up, sent again, and what it came to, by what its endpoint is. It knows no
 * journal and no files.
 */
import { keyOf } from '../../client/create/find-by-key.js';
import type { Outcome, Trace } from '../job/states.js';
import type { RowWrite } from '../row-command.js';
import { settleKeyed } from './keyed-row.js';
import { settleRepeatable } from './repeatable-row.js';
import type { SettleContext } from './settle-context.js';
import { settleUnkeyed } from './unkeyed-row.js';

/**
 * Carries a row through. The caller holds a place of the pace.
 * @param earlier an earlier run may have sent it
 * @param trace what was noted with a create without a key
 */
export function settle(
  writes: readonly RowWrite[],
  earlier: boolean,
  trace: Trace | undefined,
  settling: SettleContext,
): Promise<Outcome> {
  const [only, ...others] = writes;
  if (only !== undefined && others.length === 0) {
    const key = keyOf(only.endpoint, only.input);
    if (key !== undefined) return settleKeyed(only, key, earlier, settling);
    // A keyed create without its key is as good as an unkeyed one.
    if (only.endpoint.repeat !== 'safe') return settleUnkeyed(only, earlier, trace, settling);
  }
  return settleRepeatable(writes, earlier, settling);
}
