/** Runs the remaining rows of a job: records, sends and settles each, until all are done or the job stops. */
import type { Reader } from '../../client/create/find-by-key.js';
import type { Client } from '../../client/request/client.js';
import { EduError } from '../../core/errors.js';
import { whenKnown } from '../../core/when-known.js';
import { markOwnKey, type RowWrite, type Values } from '../row-command.js';
import { type Claim, claimChecker } from '../send/check-claim.js';
import { equalsFinder } from '../send/equal-listed.js';
import type { Stopped } from '../send/error-limit.js';
import { equalClass, isClassCreate, type KnownRow, presence } from '../send/known-row.js';
import type { CreatedMatcher } from '../send/match-created.js';
import { JobAborted, mayPass, type OnExisting, type SendContext } from '../send/row-attempts.js';
import { sendRow } from '../send/send-row.js';
import { Throttle } from '../send/throttle.js';
import { type CodedRow, MAX_RECODES } from './license-codes.js';
import { type QueuedRow, RowQueue, type RowQueueOptions } from './row-queue.js';
import type { Outcome } from './states.js';

export interface RunOptions extends Omit<RowQueueOptions, 'isStopped'> {
  readonly client: Client;
  /** Reads each list once. */
  readonly snapshot: Reader;
  readonly matcher: CreatedMatcher;
  /** The outcome of a row that needs no request; may read from the service. */
  readonly settled?: (values: Values) => Promise<Outcome | undefined>;
  /** Rows whose items were created before. */
  readonly known: { readonly count: number; readonly of: (row: number) => KnownRow | undefined };
  /** Max requests per second. */
  readonly maxRate: number | undefined;
  readonly retries: number;
  /** Max duration of an outage before the job stops. */
  readonly maxWaitMs: number;
  readonly onExisting: OnExisting;
  /** Returns why an outcome ends the job; undefined if it does not. */
  readonly endsWith: (outcome: Outcome) => Stopped | undefined;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly random: () => number;
  readonly warn: (text: string) => void;
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

/** What was read for a row, or why it was not. */
type Reading<T> = { readonly value: T } | Outcome | undefined;

/** A create without a key, whose journal entry has a trace by which its item can be found. */
const isOneUnkeyed = (plan: readonly RowWrite[]): plan is readonly [RowWrite] =>
  plan.length === 1 && plan[0]?.endpoint.repeat === 'unkeyed';

export async function runRows(options: RunOptions): Promise<RunEnd> {
  const { verb, client, snapshot, journal, concurrency, retries, signal, now } = options;
  const throttle = new Throttle({
    maxConcurrency: concurrency,
    maxRate: options.maxRate,
    retries,
    maxWaitMs: options.maxWaitMs,
    now,
    random: options.random,
    hasResponded: () => client.hasResponded,
  });
  const { matcher, onExisting, warn } = options;
  const sending: SendContext = { client, snapshot, matcher, throttle, onExisting, retries, now, warn };
  const lookAt = presence(client, snapshot, options.known.count);
  const findEquals = equalsFinder(snapshot, { retries: 0 });
  const checkClaim = claimChecker(client, snapshot);
  let found = 0;
  let gone = 0;
  let cancelled = 0;
  let end: EduError | undefined;
  let stopped: Stopped | undefined;
  const queue = new RowQueue({ ...options, isStopped: () => throttle.isStopped });
  /** Whether a row was left for another run. */
  let left = false;

  const stop = (): void => throttle.stop();
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });

  /** The writes of a row; a promise only if planning them reads. */
  function planned({ values, hasOwnKey }: CodedRow): readonly RowWrite[] | Promise<readonly RowWrite[]> {
    const plan = verb.plan(values);
    return hasOwnKey ? whenKnown(plan, markOwnKey) : plan;
  }

  /**
   * Reads for a row, with retries; a promise only if the work is one.
   * @returns undefined if the row is left for another run
   */
  function reading<T>(work: () => T | Promise<T>): Reading<T> | Promise<Reading<T>> {
    const began = now();
    try {
      const value = work();
      if (!(value instanceof Promise)) return { value };
      return value.then(
        (found) => ({ value: found }),
        (error) => readAgain(work, error, began),
      );
    } catch (error) {
      return readAgain(work, error, began);
    }
  }

  async function readAgain<T>(work: () => T | Promise<T>, failure: unknown, firstBegan: number): Promise<Reading<T>> {
    let error = failure;
    let began = firstBegan;
    for (let attempt = 1; ; attempt++) {
      if (!(error instanceof EduError)) throw error;
      if (error.kind === 'interrupted' || error.kind === 'terminated') return undefined;
      if (error.kind === 'unauthenticated') throw new JobAborted(error);
      if (!mayPass(error)) return { state: 'rejected', error: problemText(error) };
      const later = error.kind === 'unavailable';
      if (!(await throttle.backOff({ error, later, began, attempt }))) return undefined;
      began = now();
      try {
        return { value: await work() };
      } catch (again) {
        error = again;
      }
    }
  }

  /** Sends a row after it was recorded. */
  function send(item: QueuedRow, plan: readonly RowWrite[]): Promise<Outcome> {
    for (const { warnings = [] } of plan) for (const warning of warnings) warn(warning);
    if (isOneUnkeyed(plan)) return sendTraced(item, plan);
    if (!queue.notesAhead)
      queue.notesAhead = plan.every(({ endpoint, upload }) => endpoint.repeat !== 'unkeyed' && upload === undefined);
    const noting = plan[0]?.beforeSend === undefined ? queue.note(item) : undefined;
    // Most rows were recorded ahead, so waiting would cost each of them a promise.
    return noting === undefined
      ? sendRow(plan, item.earlier, undefined, sending)
      : noting.then(() => sendRow(plan, item.earlier, undefined, sending));
  }

  async function sendTraced(item: QueuedRow, plan: readonly [RowWrite]): Promise<Outcome> {
    const trace = await matcher.before(plan[0], item.number, item.earlier);
    await queue.note(item, trace);
    return sendRow(plan, item.earlier, trace, sending);
  }

  /** The item that an earlier job created, or an equal one that the service lists; undefined if the row is to be sent. */
  async function findExisting(item: QueuedRow, plan: readonly RowWrite[]): Promise<Outcome | 'keyed' | undefined> {
    const [write] = plan;
    if (write === undefined) return undefined;
    // A row with a trace is matched with the items that were added since.
    if (item.earlier && (!isClassCreate(write) || journal.outcome(item.number).key !== undefined)) return undefined;
    const { known } = item;
    const present = known === undefined ? undefined : await lookAt(write, known);
    if (present?.is === 'keyed') return 'keyed';
    if (present === undefined || present.is === 'gone') {
      const id = await equalClass(findEquals, write);
      return id === undefined ? undefined : { state: 'exists', id };
    }
    const { id, code, undone } = present.outcome;
    if (undone === 'cancelled') cancelled++;
    return { state: 'exists', id, code, job: present.job };
  }

  /** Tries other codes if the service rejects one that it had before and no longer shows. */
  async function recoded(item: QueuedRow, refused: Outcome): Promise<Outcome> {
    let outcome = refused;
    for (let used = 1; used <= MAX_RECODES && outcome.state === 'rejected'; used++) {
      const coded = item.recode(used);
      const again: QueuedRow = { ...item, ...coded, known: undefined, noted: undefined };
      const plan = await planned(coded);
      outcome = await send(again, plan);
    }
    return outcome;
  }

  /** The outcome of a row, undefined if the row is left for another run; a promise only if it takes time. */
  type Sent = Outcome | undefined | Promise<Outcome | undefined>;

  function outcomeOf(item: QueuedRow): Sent {
    const { settled } = options;
    return settled === undefined ? planAndSend(item) : settleOrSend(item, settled);
  }

  async function settleOrSend(item: QueuedRow, settled: NonNullable<RunOptions['settled']>) {
    const found = await reading(() => settled(item.values));
    if (found === undefined || 'state' in found) return found;
    return found.value ?? planAndSend(item);
  }

  function planAndSend(item: QueuedRow): Sent {
    return whenKnown<Reading<readonly RowWrite[]>, Outcome | undefined>(
      reading(() => planned(item)),
      (plan) => {
        if (plan === undefined || 'state' in plan) return plan;
        if (item.claim !== undefined) return checkOrSend(item, item.claim, plan.value);
        const isNew = item.known === undefined && !plan.value.some(isClassCreate);
        return isNew ? send(item, plan.value) : findOrSend(item, plan.value);
      },
    );
  }

  /** Sends a row that a results file marks as created, unless the service has its item. */
  async function checkOrSend(item: QueuedRow, claim: Claim, plan: readonly RowWrite[]): Promise<Outcome | undefined> {
    const [write] = plan;
    if (write === undefined) return findOrSend(item, plan);
    const checked = await reading(() => checkClaim(write, claim, item.known?.outcome.id));
    if (checked === undefined || 'state' in checked) return checked;
    if (typeof checked.value === 'object') return checked.value;
    const outcome = await findOrSend(item, plan);
    if (checked.value === 'gone' && item.known === undefined && outcome?.state === 'created') gone++;
    return outcome;
  }

  /** Sends a row unless its item exists. */
  async function findOrSend(item: QueuedRow, plan: readonly RowWrite[]): Promise<Outcome | undefined> {
    const { known } = item;
    const before = await reading(() => findExisting(item, plan));
    if (before === undefined || 'state' in before) return before;
    if (typeof before.value === 'object') return before.value;
    if (known === undefined && item.claim === undefined) return send(item, plan);
    const beforeSend = (): Promise<void> | undefined => queue.note(item);
    const isKeyed = before.value === 'keyed';
    const outcome = await send(item, isKeyed ? plan.map((write) => ({ ...write, beforeSend })) : plan);
    if (outcome.state === 'created' && known !== undefined) gone++;
    if (outcome.state === 'rejected' && item.hasOwnKey) {
      const again = await recoded(item, outcome);
      if (again.state === 'created' && known !== undefined) gone++;
      return again;
    }
    if (outcome.state !== 'exists' || known === undefined) return outcome;
    return { ...known.outcome, ...outcome, job: known.job };
  }

  /** Records a row's outcome. @param outcome undefined if the row is left for another run */
  function record(item: QueuedRow, outcome: Outcome | undefined): void {
    if (outcome === undefined) {
      left = true;
      queue.release(item);
      return;
    }
    if (outcome.state === 'exists' && item.known !== undefined) {
      // The outcome of a row that this job created stays as it is while its item exists.
      const { isOwn, outcome: noted } = item.known;
      if (isOwn && (outcome.id === undefined || (noted.id ?? outcome.id) === outcome.id)) {
        if (noted.id === undefined && outcome.id !== undefined)
          journal.settled(item.number, { ...noted, id: outcome.id }, queue.notesAhead);
        return;
      }
      found++;
    }
    left ||= outcome.state === 'sending' || outcome.state === 'planned';
    if (outcome.state === 'sending') return;
    // Rows that can be looked up may share a later write with others.
    journal.settled(item.number, outcome, queue.notesAhead);
    if (outcome.state === 'planned') return;
    options.onRow(outcome, throttle.learnedRate);
    stopped ??= options.endsWith(outcome);
    if (stopped !== undefined) throttle.stop();
  }

  async function worker(): Promise<void> {
    // A row is taken before a slot, because a slot of a learned rate that no row uses delays the rows that remain.
    let item = queue.takeReady() ?? (await queue.take());
    while (item !== undefined) {
      if (!throttle.tryEnter() && !(await throttle.enter())) {
        queue.putBack(item);
        return;
      }
      try {
        do {
          record(item, await outcomeOf(item));
          item = queue.takeReady() ?? (await queue.take());
        } while (item !== undefined && throttle.tryKeep());
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
    await queue.close();
  }
  await journal.flush();
  const interrupted = signal.aborted && signal.reason instanceof EduError ? signal.reason : undefined;
  const reason = end ?? interrupted ?? (left || throttle.isStopped ? throttle.gaveUp : undefined);
  const { learnedRate, refusals } = throttle;
  return { stopped, found, gone, cancelled, learnedRate, refusals, ...(reason === undefined ? {} : { reason }) };
}

/** The message of an error, with its details if there are several. */
const problemText = ({ message, details }: EduError): string =>
  details.length < 2
    ? message
    : `${message} ${details.map(({ where, message: text }) => `${where ?? ''} ${text}`).join('; ')}`;
