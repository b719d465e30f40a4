/**
 * The remaining rows of a job in input order. Rows are read and recorded in the journal ahead of time, so that many
 * share one sync to disk.
 */
import type { InputRow } from '../../core/table/rows.js';
import type { Values, Verb } from '../row-command.js';
import type { KnownRow } from '../send/known-row.js';
import type { Journal } from './journal.js';
import { type CodedRow, withRecordedCode } from './license-codes.js';
import { isIn, type Shard } from './shard.js';
import { isDone, isFailed, type Trace } from './states.js';

export interface RowQueueOptions {
  readonly verb: Verb;
  readonly journal: Journal;
  readonly rows: AsyncIterable<readonly InputRow[]>;
  /** The values of a row, with references resolved and its code added. */
  readonly valuesOf: (row: InputRow, used?: number) => CodedRow;
  /** Rows whose items were created before. */
  readonly known: { readonly of: (row: number) => KnownRow | undefined };
  readonly shard: Shard | undefined;
  readonly concurrency: number;
  /** Max rows to send in this run. */
  readonly limit: number | undefined;
  readonly isStopped: () => boolean;
}

/** A row that is ready to be sent. */
export interface QueuedRow extends CodedRow {
  readonly number: number;
  readonly known: KnownRow | undefined;
  /** Values with another code, if the service rejects the first one. */
  readonly recode: (used: number) => CodedRow;
  /** Whether an earlier run may have sent it. */
  readonly earlier: boolean;
  /** Resolved when the journal entry is on disk; undefined if there is none yet. */
  noted: Promise<void> | undefined;
}

/** Rows recorded ahead, per concurrent request. */
const AHEAD = 8;

const keyText = (verb: Verb, values: Values): string | undefined => {
  const parts = verb.key.map((name) => values[name]);
  if (verb.codeOf !== undefined) return String(values.code);
  return parts.length === 0 ? undefined : parts.join(' ');
};

export class RowQueue {
  /** Record rows ahead of time: allowed if a recorded row that was not sent costs only a look-up later. */
  notesAhead = false;
  readonly #options: RowQueueOptions;
  readonly #batches: AsyncIterator<readonly InputRow[]>;
  #batch: readonly InputRow[] = [];
  /** Position in the batch. */
  #next = 0;
  /** Number of rows that may still be sent in this run. */
  #room: number;
  readonly #ready: QueuedRow[] = [];
  #isEnded = false;
  #failure: { readonly error: unknown } | undefined;
  #filling: Promise<void> | undefined;

  constructor(options: RowQueueOptions) {
    this.#options = options;
    this.#batches = options.rows[Symbol.asyncIterator]();
    this.#room = options.limit ?? Number.POSITIVE_INFINITY;
  }

  /** A row of the batch as it is to be sent; undefined if it is done, failed, or another shard's. */
  #queued(row: InputRow): QueuedRow | undefined {
    const { journal, shard, valuesOf } = this.#options;
    if (!isIn(shard, row.number)) return undefined;
    const state = journal.state(row.number);
    const known = this.#options.known.of(row.number);
    if ((isDone(state) && known === undefined) || isFailed(state)) return undefined;
    const coded = valuesOf(row);
    if (known === undefined && coded.claim === undefined && this.#room-- <= 0) {
      this.#isEnded = true;
      return undefined;
    }
    const recorded = known?.outcome ?? (state === 'sending' ? journal.outcome(row.number) : undefined);
    return {
      ...withRecordedCode(coded, this.#options.verb, recorded),
      number: row.number,
      recode: (used) => valuesOf(row, used),
      known,
      earlier: state === 'sending' && known === undefined,
      noted: undefined,
    };
  }

  /** Records that a row is about to be sent. @returns undefined if its entry is on disk already */
  note(item: QueuedRow, trace?: Trace): Promise<void> | undefined {
    const { verb, journal } = this.#options;
    const key = trace?.key ?? keyText(verb, item.values);
    item.noted ??= journal.sending(item.number, key, item.earlier ? 2 : 1, trace?.listing);
    return journal.isSynced(item.number) ? undefined : item.noted;
  }

  async #fill(): Promise<void> {
    const { concurrency, isStopped } = this.#options;
    try {
      const enough = this.notesAhead ? AHEAD * concurrency : 1;
      while (!this.#isEnded && this.#ready.length < enough) {
        const row = this.#batch[this.#next++];
        if (row === undefined) {
          const { done, value } = await this.#batches.next();
          this.#batch = done ? [] : value;
          this.#next = 0;
          this.#isEnded = done === true;
          continue;
        }
        const item = this.#queued(row);
        if (item === undefined) continue;
        if (this.notesAhead && !isStopped() && item.known === undefined && item.claim === undefined) this.note(item);
        this.#ready.push(item);
      }
    } catch (error) {
      this.#failure = { error };
      this.#isEnded = true;
    }
  }

  #refill(): Promise<void> {
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = undefined;
    });
    return this.#filling;
  }

  /** @returns undefined if no row has been read yet, or none remains */
  takeReady(): QueuedRow | undefined {
    const item = this.#ready.shift();
    const low = this.notesAhead ? (AHEAD * this.#options.concurrency) / 2 : 0;
    if (this.#ready.length <= low) void this.#refill();
    return item;
  }

  /** Waits for the next row. @returns undefined after the last one */
  async take(): Promise<QueuedRow | undefined> {
    for (;;) {
      await this.#refill();
      const item = this.takeReady();
      if (item !== undefined) return item;
      if (this.#failure !== undefined) throw this.#failure.error;
      if (this.#isEnded) return undefined;
    }
  }

  putBack(item: QueuedRow): void {
    this.#ready.push(item);
  }

  /** Records that a row was not sent after all, so that it needs no look-up. */
  release({ number, noted, earlier }: QueuedRow): void {
    if (noted !== undefined && !earlier) this.#options.journal.settled(number, { state: 'planned' });
  }

  /** Releases the rows that were never sent. */
  async close(): Promise<void> {
    await this.#filling;
    await this.#batches.return?.();
    for (const item of this.#ready) this.release(item);
  }
}
