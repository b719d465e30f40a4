/** Runs the remaining rows of a job: takes each through its stages and records the outcome, until the last or a stop. */
import { EduError } from '../../core/errors.js';
import { shellLine } from '../../core/shell.js';
import type { Stopped } from '../send/error-limit.js';
import { type CreatedClass, findTwins, isClassCreate, type KnownRow } from '../send/known-row.js';
import type { SendContext } from '../send/row-attempts.js';
import { Throttle, type ThrottleOptions } from '../send/throttle.js';
import type { Journal } from './journal.js';
import {
  canNoteAhead,
  type Left,
  type QueuedRow,
  queuedRows,
  type ReadsOptions,
  type RowQueueOptions,
  RowStages,
} from './row-stages.js';
import { errorText, isDone, type Outcome } from './states.js';

export interface RunOptions
  extends RowQueueOptions,
    Pick<ReadsOptions, 'settled'>,
    Omit<SendContext, 'throttle'>,
    Omit<ThrottleOptions, 'maxConcurrency' | 'hasResponded'> {
  readonly journal: Journal;
  readonly concurrency: number;
  /** Returns why an outcome ends the job; undefined if it does not. */
  readonly endsWith: (outcome: Outcome) => Stopped | undefined;
  readonly signal: AbortSignal;
  readonly onRow: (outcome: Outcome, learnedRate: number | undefined) => void;
}

export interface RunEnd {
  /** The error that ended the job before its last row. */
  readonly reason?: EduError;
  /** Set if failed rows ended the job. */
  readonly stopped: Stopped | undefined;
  /** Requests per second, learned from responses 429; undefined if there was none. */
  readonly learnedRate: number | undefined;
  /** Number of responses 429. */
  readonly refusals: number;
  /** Number of rows whose item was created before and still exists, or no longer does. */
  readonly found: number;
  readonly gone: number;
  /** Number of rows whose item `jobs undo` has cancelled. */
  readonly cancelled: number;
}

/**
 * Rows at work for each request that may be under way, those that wait to be sent again among them; and rows that are noted
 * together meanwhile, so that they share one sync to disk.
 */
const ROWS_PER_SLOT = 4;

class Run {
  readonly #options: RunOptions;
  readonly #throttle: Throttle;
  readonly #stages: RowStages;
  readonly #rows: AsyncGenerator<QueuedRow>;
  /** True if rows may be noted before they have a slot, which the first plan shows. */
  #notesAhead = false;
  /** True if a row was left for another run. */
  #isAnyLeft = false;
  #found = 0;
  #gone = 0;
  #cancelled = 0;
  readonly #classes: CreatedClass[] = [];
  #stopped: Stopped | undefined;

  constructor(options: RunOptions) {
    const { client, concurrency } = options;
    this.#options = options;
    this.#throttle = new Throttle({
      ...options,
      maxConcurrency: concurrency,
      hasResponded: () => client.hasResponded,
    });
    this.#stages = new RowStages(options, { ...options, throttle: this.#throttle });
    this.#rows = this.#noted();
  }

  async all(): Promise<RunEnd> {
    const { signal, journal, concurrency } = this.#options;
    const stop = (): void => this.#throttle.stop();
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      await Promise.all(Array.from({ length: concurrency * ROWS_PER_SLOT }, () => this.#work()));
    } catch (error) {
      stop();
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
      await this.#rows.return(undefined);
    }
    if (!this.#throttle.isStopped) await this.#recordTwins();
    await journal.flush();
    const { rate, gaveUp, isStopped } = this.#throttle;
    const interrupted = signal.aborted && signal.reason instanceof EduError ? signal.reason : undefined;
    const reason = interrupted ?? (this.#isAnyLeft || isStopped ? gaveUp : undefined);
    const counts = { found: this.#found, gone: this.#gone, cancelled: this.#cancelled };
    const { learned: learnedRate, refusals } = rate;
    return { stopped: this.#stopped, ...counts, learnedRate, refusals, ...(reason && { reason }) };
  }

  /** Lists created classes again, because a program on another machine may have created equal ones meanwhile. */
  async #recordTwins(): Promise<void> {
    const { client, journal, warn } = this.#options;
    const found = await findTwins(client, this.#classes).catch((error: unknown) => {
      if (!(error instanceof EduError)) throw error;
      // The rows are done all the same.
      warn(`Cannot check whether another program created equal classes at the same time: ${error.message}.`);
      return [];
    });
    for (const { row, id, twins } of found) {
      const both = `class ${id} was created, and the equal class ${twins.join(', ')} at the same time by another program`;
      const error = `${both}. Delete one of them: ${shellLine('edu', 'classes', 'delete', id)}`;
      journal.settled(row, { state: 'conflict', id, error });
    }
  }

  /** The rows; those that may be are noted in groups. */
  async *#noted(): AsyncGenerator<QueuedRow> {
    for await (const rows of queuedRows(this.#options)) {
      while (rows.length > 0) {
        const group = rows.splice(0, this.#notesAhead ? ROWS_PER_SLOT * this.#options.concurrency : 1);
        const isNew = ({ known, claim }: QueuedRow): boolean => known === undefined && claim === undefined;
        if (this.#notesAhead) await this.#stages.note(group.filter(isNew));
        try {
          for (let row = group.shift(); row !== undefined; row = group.shift()) yield row;
        } finally {
          for (const row of group) this.#record(row, 'left');
        }
      }
    }
  }

  /** Takes rows one after the other. */
  async #work(): Promise<void> {
    while (!this.#throttle.isStopped) {
      const { done, value: row } = await this.#rows.next();
      if (done) return;
      try {
        this.#record(row, (await this.#throttle.enter()) ? await this.#outcome(row) : 'left');
      } catch (error) {
        this.#throttle.stop();
        throw error;
      } finally {
        // After the outcome or the error has stopped the job: the next row would be sent otherwise.
        this.#throttle.leave();
      }
    }
  }

  /** The outcome of a row that has a slot. */
  async #outcome(row: QueuedRow): Promise<Outcome | Left> {
    const looked = await this.#stages.look(row);
    if (looked === 'left' || 'state' in looked) return looked;
    const [write] = looked.plan;
    this.#notesAhead ||= canNoteAhead(looked.plan);
    const outcome = await this.#stages.send(row, looked);
    if (outcome.state === 'created' && outcome.id !== undefined && write !== undefined && isClassCreate(write))
      this.#classes.push({ row: row.number, write, id: outcome.id });
    if (outcome.state === 'created' && looked.found !== 'new') this.#gone++;
    return outcome.state === 'exists' && row.known !== undefined
      ? { ...row.known.outcome, ...outcome, job: row.known.job }
      : outcome;
  }

  #record(row: QueuedRow, outcome: Outcome | Left): void {
    const { journal } = this.#options;
    if (outcome === 'left') {
      this.#isAnyLeft = true;
      // It was not sent after all, so that it needs no look-up.
      if (row.isNoted && !row.earlier) journal.settled(row.number, { state: 'planned' });
      return;
    }
    const isKept = row.known?.isOwn === true && row.known.outcome.undone === undefined;
    if (isKept && !isDone(outcome.state) && isDone(journal.state(row.number))) {
      // It was not sent, because its look-up failed: the record of what this job created stays.
      if (outcome.state === 'planned') this.#isAnyLeft = true;
      else
        this.#options.warn(`Cannot check whether the item of row ${row.number} still exists: ${errorText(outcome)}.`);
      return;
    }
    if (outcome.state === 'exists' && outcome.undone === 'cancelled') this.#cancelled++;
    if (outcome.state === 'exists' && row.known !== undefined) {
      if (this.#isUnchanged(row, row.known, outcome)) return;
      this.#found++;
    }
    this.#isAnyLeft ||= outcome.state === 'sending' || outcome.state === 'planned';
    if (outcome.state === 'sending') return;
    journal.settled(row.number, outcome);
    if (outcome.state === 'planned') return;
    this.#options.onRow(outcome, this.#throttle.rate.learned);
    this.#stopped ??= this.#options.endsWith(outcome);
    if (this.#stopped !== undefined) this.#throttle.stop();
  }

  /** True if this job created the item: the outcome then stays as it is while the item exists, but for a missing ID. */
  #isUnchanged({ number }: QueuedRow, { isOwn, outcome: noted }: KnownRow, { id }: Outcome): boolean {
    if (!isOwn || (id !== undefined && (noted.id ?? id) !== id)) return false;
    const { journal } = this.#options;
    const isNew = noted.id === undefined && id !== undefined;
    if (isNew || !isDone(journal.state(number))) journal.settled(number, { ...noted, ...(isNew && { id }) });
    return true;
  }
}

/** Runs the rows of a job that remain. */
export const runRows = (options: RunOptions): Promise<RunEnd> => new Run(options).all();
