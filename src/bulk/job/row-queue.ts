/** The remaining rows of a job, in input order. */

import { isIn, type Shard } from '../../core/shard.js';
import type { InputRow } from '../../core/table/rows.js';
import type { Verb } from '../row-command.js';
import type { KnownRow } from '../send/known-row.js';
import type { Journal } from './journal.js';
import type { CodedRow, CodeOptions } from './license-codes.js';
import { isDone, isFailed } from './states.js';

export interface RowQueueOptions {
  readonly verb: Verb;
  readonly journal: Pick<Journal, 'state' | 'outcome'>;
  readonly rows: AsyncIterable<readonly InputRow[]>;
  /** The values of a row, with references resolved and its code added. */
  readonly valuesOf: (row: InputRow, options?: CodeOptions) => CodedRow;
  /** Rows whose items were created before. */
  readonly known: { readonly of: (row: number) => KnownRow | undefined };
  readonly shard: Shard | undefined;
  /** Max rows to send in this run. */
  readonly limit: number | undefined;
}

/** A row that is to be looked at or sent. */
export interface QueuedRow extends CodedRow {
  readonly number: number;
  readonly known: KnownRow | undefined;
  /** Values with another code, if the service rejects the first one. */
  readonly recode: (used: number) => CodedRow;
  /** True if an earlier run may have sent it. */
  readonly earlier: boolean;
}

/** The rows that are neither done, nor failed, nor another shard's. Rows that only need a look do not count for the limit. */
export async function* queuedRows(options: RowQueueOptions): AsyncGenerator<QueuedRow> {
  const { journal, rows, valuesOf, known: knownRows, shard, limit = Number.POSITIVE_INFINITY } = options;
  let room = limit;
  for await (const batch of rows) {
    for (const row of batch) {
      const { number } = row;
      if (!isIn(shard, number)) continue;
      const state = journal.state(number);
      const known = knownRows.of(number);
      if ((isDone(state) && known === undefined) || isFailed(state)) continue;
      const isSent = state === 'sending';
      const recorded = known?.outcome ?? (isSent ? journal.outcome(number) : undefined);
      const coded = valuesOf(row, { recorded });
      if (known === undefined && coded.claim === undefined && room-- <= 0) return;
      yield {
        ...coded,
        number,
        recode: (used) => valuesOf(row, { used }),
        known,
        earlier: isSent && known === undefined,
      };
    }
  }
}
