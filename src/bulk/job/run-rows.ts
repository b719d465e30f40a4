/** Runs the remaining rows of a job: reads, notes, sends and records each, until all are done or the job stops. */
import type { Reader } from '../../client/create/find-by-key.js';
import type { Client } from '../../client/request/client.js';
import { EduError } from '../../core/errors.js';
import type { RowWrite, Values } from '../row-command.js';
import { equalsFinder } from '../send/equal-listed.js';
import type { Stopped } from '../send/error-limit.js';
import { equalClass, type KnownRow, presence } from '../send/known-row.js';
import type { Claims } from '../send/match-created.js';
import { JobAborted, mayPass, type OnExisting, type SendContext } from '../send/row-attempts.js';
import { sendRow } from '../send/send-row.js';
import { Throttle } from '../send/throttle.js';
import type { CodedRow } from './license-codes.js';
import { type QueuedRow, RowQueue, type RowQueueOptions } from './row-queue.js';
import type { Outcome } from './states.js';

export interface RunOptions extends Omit<RowQueueOptions, 'isStopped'> {
  readonly client: Client;
  /** Reads every list once. */
  readonly snapshot: Reader;
  readonly claims: Claims;
  /** Settles a row that needs no request, or none any more; it may read. */
  readonly settled?: (values: Values) => Promise<Outcome | undefined>;
  /** Rows that were made before. */
  readonly known: { readonly count: number; readonly of: (row: number) => KnownRow | undefined };
  /** Requests per second at most. */
  readonly maxRate: number | undefined;
  readonly retries: number;
  /** How long an outage may last before the job gives up. */
  readonly maxWaitMs: number;
  readonly onExisting: OnExisting;
  /** Why a row that was settled ends the job; undefined when it does not. */
  readonly endsWith: (outcome: Outcome) => Stopped | undefined;
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
  /** Failed rows have ended it. */
  readonly stopped: Stopped | undefined;
  /** Requests per second, learned from refusals; undefined when the service has set no limit. */
  readonly learnedRate: number | undefined;
  /** Requests that were answered with 429. */
  readonly refusals: number;
  /** Rows that were made before, and what was made is there; and those of which it is gone. */
  readonly found: number;
  readonly gone: number;
}

/** Codes that are tried when the service refuses those that it had before. */
const MAX_RECODES = 3;

/** Creates without a key: their rows are noted with what is needed to find what they made. */
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
  });
  const { claims, onExisting, warn } = options;
  const sending: SendContext = { client, snapshot, claims, throttle, onExisting, retries, now, warn };
  const lookAt = presence(client, snapshot, options.known.count);
  const findEquals = equalsFinder(snapshot, { retries: 0 });
  let found = 0;
  let gone = 0;
  let end: EduError | undefined;
  let stopped: Stopped | undefined;
  const queue = new RowQueue({ ...options, isStopped: () => throttle.isStopped });
  /** A row was left for another run. */
  let left = false;

  const stop = (): void => throttle.stop();
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });

  async function planned({ values, hasOwnKey }: CodedRow): Promise<readonly RowWrite[]> {
    const plan = await verb.plan(values);
    return hasOwnKey ? plan.map((write) => ({ ...write, hasOwnKey })) : plan;
  }

  /** Reads for a row; what fails for a while is tried again. Undefined: left for another run. */
  async function reading<T>(work: () => Promise<T>): Promise<{ readonly value: T } | Outcome | undefined> {
    for (let attempt = 1; ; attempt++) {
      const began = now();
      try {
        return { value: await work() };
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

  /** Sends a row that was not found to be made before. */
  async function send(item: QueuedRow, plan: readonly RowWrite[]): Promise<Outcome> {
    for (const warning of plan.flatMap(({ warnings }) => warnings ?? [])) warn(warning);
    const trace = isOneUnkeyed(plan) ? await claims.before(plan[0], item.number, item.earlier) : undefined;
    if (plan[0]?.beforeSend === undefined) await queue.note(item, trace);
    if (!queue.notesAhead)
      queue.notesAhead = plan.every(({ endpoint, upload }) => endpoint.repeat !== 'unkeyed' && upload === undefined);
    return sendRow(plan, item.earlier, trace, sending);
  }

  /** What an earlier job has made, or the service shows as the same; undefined when the row is to be sent. */
  async function madeBefore(item: QueuedRow, plan: readonly RowWrite[]): Promise<Outcome | 'keyed' | undefined> {
    const [write] = plan;
    if (write === undefined || item.earlier) return undefined;
    const { known } = item;
    const is = known === undefined ? 'gone' : await lookAt(write, known);
    if (is === 'keyed') return is;
    if (known === undefined || is === 'gone') {
      const id = await equalClass(findEquals, write);
      return id === undefined ? undefined : { state: 'exists', id };
    }
    const { id, code } = known.outcome;
    const names = { ...(id === undefined ? {} : { id }), ...(code === undefined ? {} : { code }) };
    return { state: 'exists', ...names, job: known.job };
  }

  /** Another code, where the service refuses one that it had and no longer shows. */
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

  /** Carries a row through. @returns undefined when it is left for another run */
  async function outcomeOf(item: QueuedRow): Promise<Outcome | undefined> {
    const settled = await reading(async () => options.settled?.(item.values));
    if (settled === undefined || 'state' in settled) return settled;
    if (settled.value !== undefined) return settled.value;
    const plan = await reading(() => planned(item));
    if (plan === undefined || 'state' in plan) return plan;
    const before = await reading(() => madeBefore(item, plan.value));
    if (before === undefined || 'state' in before) return before;
    if (typeof before.value === 'object') return before.value;
    const { known } = item;
    if (known === undefined) return send(item, plan.value);
    const isKeyed = before.value === 'keyed';
    const beforeSend = (): Promise<void> => queue.note(item);
    const outcome = await send(item, isKeyed ? plan.value.map((write) => ({ ...write, beforeSend })) : plan.value);
    if (outcome.state === 'created') gone++;
    if (outcome.state === 'rejected' && item.hasOwnKey) {
      const again = await recoded(item, outcome);
      if (again.state === 'created') gone++;
      return again;
    }
    if (outcome.state !== 'exists') return outcome;
    return { ...known.outcome, ...outcome, job: known.job };
  }

  async function carry(item: QueuedRow): Promise<void> {
    const outcome = await outcomeOf(item);
    if (outcome === undefined) {
      left = true;
      queue.release(item);
      return;
    }
    if (outcome.state === 'exists' && item.known !== undefined) {
      // What the job has made itself stays as it was noted then, while it is there.
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
    // What can be looked up may be noted a moment later, together with others.
    journal.settled(item.number, outcome, queue.notesAhead);
    if (outcome.state === 'planned') return;
    options.onRow(outcome, throttle.learnedRate);
    stopped ??= options.endsWith(outcome);
    if (stopped !== undefined) throttle.stop();
  }

  async function worker(): Promise<void> {
    while (throttle.tryEnter() || (await throttle.enter())) {
      try {
        const item = queue.takeReady() ?? (await queue.take());
        if (item === undefined) return;
        if (throttle.isStopped) {
          queue.putBack(item);
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
    await queue.close();
  }
  await journal.flush();
  const interrupted = signal.aborted && signal.reason instanceof EduError ? signal.reason : undefined;
  const reason = end ?? interrupted ?? (left || throttle.isStopped ? throttle.gaveUp : undefined);
  const { learnedRate, refusals } = throttle;
  return { stopped, found, gone, learnedRate, refusals, ...(reason === undefined ? {} : { reason }) };
}

/** An error's message with what is wrong in detail. */
const problemText = ({ message, details }: EduError): string =>
  details.length < 2
    ? message
    : `${message} ${details.map(({ where, message: text }) => `${where ?? ''} ${text}`).join('; ')}`;
