/** Creates the parts of a run that follow from its client and its journal, for jobs and for plans. */
import type { Client } from '../../client/request/client.js';
import { LONG_MAX_WAIT_MS } from '../../client/request/client-state.js';
import { systemClock } from '../../client/request/clock.js';
import { RETRIES } from '../../client/request/retry.js';
import type { BulkHost } from '../host.js';
import { snapshotOf } from '../send/listed-before.js';
import { CreatedMatcher, type CreatedMatcherOptions } from '../send/match-created.js';

export function runParts(
  client: Client,
  rows: Pick<CreatedMatcherOptions, 'journal' | 'rows' | 'isPart' | 'takenIds'>,
  context: BulkHost,
) {
  const snapshot = snapshotOf(client);
  const { retries, maxWait } = context.effective();
  return {
    client,
    snapshot,
    journal: rows.journal,
    matcher: new CreatedMatcher({
      ...rows,
      client,
      snapshot,
    }),
    retries: retries?.value ?? RETRIES,
    maxRetries: retries?.value ?? Number.POSITIVE_INFINITY,
    maxWaitMs: maxWait?.value ?? LONG_MAX_WAIT_MS,
    signal: context.signal,
    now: () => systemClock.now(),
    /** From 0 to below 1. */
    random: () => Buffer.from(context.randomBytes(4)).readUInt32LE() / 2 ** 32,
  };
}
