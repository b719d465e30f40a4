/**
 * Runs what is left of a job: rows are read, noted in the journal, sent, and noted again. It stops when it is told to,
 * when the service can't be reached, and after too many errors; what is under way then is finished.
 */
import type { Client } from '../../client/request/client.js';
import { EduError } from '../../core/errors.js';
import type { InputRow } from '../input/rows.js';
import type { RowWrite, Values, Verb } from '../row-command.js';
import { snapshotOf } from '../send/cached-reader.js';
import type { Claims } from '../send/match-created.js';
import { JobAborted, mayPass, type OnExisting } from '../send/row-attempts.js';
import { sendRow } from '../send/send-row.js';
import { Throttle } from '../send/throttle.js';
import type { Journal } from './journal.js';
import type { CodedRow } from './license-codes.js';
import { isIn, type Shard } from './shard.js';
import { isDone, isFailed, type Outcome, type Trace } from './states.js';

export interface RunOptions {
  readonly verb: Verb;
  readonly client: Client;
  readonly journal: Journal;
  readonly claims: Claims;
  readonly rows: AsyncIterable<readonly InputRow[]>;
  /** The values of a row, references and code filled in. */
  readonly valuesOf: (row: InputRow) => CodedRow;
  readonly shard: Shard | undefined;
  readonly concurrency: number;
  /** Requests per second at most. */
  readonly maxRate: number | undefined;
  readonly retries: number;
  readonly onExisting: OnExisting;
  /** Rows to send in this run at most. */
  readonly limit: number | undefined;
  /** Stop after so many rows that failed in this run. */
  readonly maxErrors: number | undefined;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly random: () => number;
  readonly warn: (text: string) => void;
  /** Called with each row that was settled. */
  readonly onRow: (outcome: Outcome, learnedRate: number | undefined) => void;
}

export interface RunEnd {
  /** Why the job ended before its last row. */
  readonly reason?: EduError;
  /** It was stopped by --max-errors. */
  readonly tooManyErrors: boolean;
  /** Requests per second, learned from refusals; undefined when the service has set no limit. */
  readonly learnedRate: number | undefined;
  /** Requests that were answered with 429. */
  readonly refusals: number;
}

/** Rows that are noted before their turn, for each that is sent at a time. */
const AHEAD = 8;

/** A row that is ready to be sent. */
interface Item extends CodedRow {
  readonly number: number;
  /** An earlier run may have sent it. */
  readonly earlier: boolean;
  /** Resolved when the journal has it; undefined when that is still to be done. */
  noted: Promise<void> | undefined;
}

/** Creates without a key: their rows are noted with what is needed to find what they made. */
const isOneUnkeyed = (plan: readonly RowWrite[]): plan is readonly [RowWrite] =>
  plan.length === 1 && plan[0]?.endpoint.repeat === 'unkeyed';

const keyText = (verb: Verb, values: Values): string | undefined => {
  const parts = verb.key.map((name) => values[name]);
  if (verb.codeOf !== undefined) return String(values.code);
  return parts.length === 0 ? undefined : parts.join(' ');
};

export async function runRows(options: RunOptions): Promise<RunEnd> {
  const { verb, client, journal, shard, concurrency, retries, signal, now } = options;
  const throttle = new Throttle({
    maxConcurrency: concurrency,
    maxRate: options.maxRate,
    retries,
    now,
    random: options.random,
  });
  const sending = { ...options, snapshot: snapshotOf(client), throttle };
  let end: EduError | undefined;
  let failed = 0;
  let tooManyErrors = false;
  /** Rows are noted before their turn when noting one that is then not sent costs no more than a look-up. */
  let ahead = false;
  const ready: Item[] = [];
  /** A row was left for another run. */
  let left = false;

  const stop = (): void => throttle.stop();
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });

  function note(item: Item, trace?: Trace): Promise<void> {
    const key = trace?.key ?? keyText(verb, item.values);
    item.noted ??= journal.sending(item.number, key, item.earlier ? 2 : 1, trace?.listing);
    return item.noted;
  }

  async function* todo(): AsyncGenerator<Item> {
    let room = options.limit ?? Number.POSITIVE_INFINITY;
    for await (const batch of options.rows) {
      for (const row of batch) {
        if (!isIn(shard, row.number)) continue;
        const state = journal.state(row.number);
        if (isDone(state) || isFailed(state)) continue;
        if (room-- <= 0) return;
        yield { number: row.number, ...options.valuesOf(row), earlier: state === 'sending', noted: undefined };
      }
    }
  }
  const source = todo();
  let isOver = false;

  let failure: { readonly error: unknown } | undefined;
  let filling: Promise<void> | undefined;

  /** Reads on, in the input's order, until enough rows are ready: many at a time, so that they share one sync. */
  async function fill(): Promise<void> {
    try {
      const enough = ahead ? AHEAD * concurrency : 1;
      while (!isOver && ready.length < enough) {
        const { done, value } = await source.next();
        if (done) {
          isOver = true;
          break;
        }
        // A journal that can't be written fails the row that waits for it.
        if (ahead && !throttle.isStopped) note(value).catch(() => {});
        ready.push(value);
      }
    } catch (error) {
      failure = { error };
      isOver = true;
    }
  }

  function refill(): Promise<void> {
    filling ??= fill().finally(() => {
      filling = undefined;
    });
    return filling;
  }

  function takeReady(): Item | undefined {
    const item = ready.shift();
    if (ready.length <= (ahead ? (AHEAD * concurrency) / 2 : 0)) void refill();
    return item;
  }

  async function take(): Promise<Item | undefined> {
    for (;;) {
      await refill();
      const item = takeReady();
      if (item !== undefined) return item;
      if (failure !== undefined) throw failure.error;
      if (isOver) return undefined;
    }
  }

  /** Plans a row; reads that fail for a while are tried again. Undefined: left for another run. */
  async function planned(item: Item): Promise<readonly RowWrite[] | Outcome | undefined> {
    for (let attempt = 1; ; attempt++) {
      const began = now();
      try {
        const plan = await verb.plan(item.values);
        return item.hasOwnKey ? plan.map((write) => ({ ...write, hasOwnKey: true })) : plan;
      } catch (error) {
        if (!(error instanceof EduError)) throw error;
        if (error.kind === 'interrupted' || error.kind === 'terminated') return undefined;
        if (error.kind === 'unauthenticated') throw new JobAborted(error);
        if (!mayPass(error)) return { state: 'rejected', error: problemText(error) };
        const later = error.kind === 'unavailable';
        if (!(await throttle.backOff({ error, later, began, attempt }))) return undefined;
      }
    }
  }

  async function carry(item: Item): Promise<void> {
    const plan = await planned(item);
    if (plan === undefined) {
      left = true;
      if (item.noted !== undefined && !item.earlier) journal.settled(item.number, { state: 'planned' });
      return;
    }
    let outcome: Outcome;
    if ('state' in plan) outcome = plan;
    else {
      for (const warning of plan.flatMap(({ warnings }) => warnings ?? [])) options.warn(warning);
      const trace = isOneUnkeyed(plan) ? await options.claims.before(plan[0], item.number, item.earlier) : undefined;
      await note(item, trace);
      if (!ahead) ahead = plan.every(({ endpoint, upload }) => endpoint.repeat !== 'unkeyed' && upload === undefined);
      outcome = await sendRow(plan, item.earlier, trace, sending);
    }
    left ||= outcome.state === 'sending' || outcome.state === 'planned';
    if (outcome.state === 'sending') return;
    // What can be looked up may be noted a moment later, together with others.
    journal.settled(item.number, outcome, ahead);
    if (outcome.state === 'planned') return;
    options.onRow(outcome, throttle.learnedRate);
    if (isFailed(outcome.state) && options.maxErrors !== undefined && ++failed >= options.maxErrors) {
      tooManyErrors = true;
      throttle.stop();
    }
  }

  async function worker(): Promise<void> {
    while (throttle.tryEnter() || (await throttle.enter())) {
      try {
        const item = takeReady() ?? (await take());
        if (item === undefined) return;
        if (throttle.isStopped) {
          ready.push(item);
          return;
        }
        await carry(item);
      } finally {
        throttle.leave();
      }
    }
  }

  try {
    await Promise.all(
      Array.from({ length: concurrency }, () =>
        worker().catch((error) => {
          throttle.stop();
          if (error instanceof JobAborted) end ??= error.reason;
          else throw error;
        }),
      ),
    );
  } finally {
    signal.removeEventListener('abort', stop);
    // Noted ahead and never sent: nothing has to be looked up for them.
    await filling;
    for (const item of ready) {
      if (item.noted !== undefined && !item.earlier) journal.settled(item.number, { state: 'planned' });
    }
  }
  await journal.flush();
  const interrupted = signal.aborted && signal.reason instanceof EduError ? signal.reason : undefined;
  const reason = end ?? interrupted ?? (left || throttle.isStopped ? throttle.gaveUp : undefined);
  const { learnedRate, refusals } = throttle;
  return { tooManyErrors, learnedRate, refusals, ...(reason === undefined ? {} : { reason }) };
}

/** An error's message with what is wrong in detail. */
const problemText = ({ message, details }: EduError): string =>
  details.length < 2
    ? message
    : `${message} ${details.map(({ where, message: text }) => `${where ?? ''} ${text}`).join('; ')}`;
