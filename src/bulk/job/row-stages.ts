/**
 * The remaining rows of a job, and the stages of each: plan, look up, note, send. A stage returns what the next one needs,
 * or the outcome that makes the others unnecessary.
 */
import { isActive, namesOf as namesOfItems } from '../../client/create/find-equal.js';
import { EduError, ignoring, isKind, UNREADABLE } from '../../core/errors.js';
import { isIn, type Shard } from '../../core/shard.js';
import type { InputRow } from '../../core/table/rows.js';
import { isUnkeyed, markOwnKey, namesOf, type RowWrite, type Values, type Verb } from '../row-command.js';
import { claimChecker } from '../send/check-claim.js';
import { isClassCreate, type KnownRow, presence } from '../send/known-row.js';
import { equalsFinder } from '../send/listed-before.js';
import { type ReadContext, readWithRetries, type SendContext } from '../send/row-attempts.js';
import { sendRow } from '../send/send-row.js';
import type { Journal } from './journal.js';
import { type CodedRow, type CodeOptions, MAX_RECODES } from './license-codes.js';
import { isDone, isFailed, type Outcome, type Trace } from './states.js';

export interface RowQueueOptions {
  readonly verb: Verb;
  readonly journal: Pick<Journal, 'state' | 'outcome'>;
  readonly rows: AsyncIterable<readonly InputRow[]>;
  /** The values of a row, with references resolved and its code added. */
  readonly valuesOf: (row: InputRow, options?: CodeOptions) => CodedRow;
  /** Rows whose items were created before. */
  readonly known: { readonly count: number; readonly of: (row: number) => KnownRow | undefined };
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
  /** True if this run has recorded that it is about to be sent. */
  isNoted: boolean;
}

/** True if a row that was created before may need only a look-up: no undo deleted its item. */
const isLook = ({ outcome, others }: KnownRow): boolean => outcome.undone !== 'deleted' || others !== undefined;

/** The rows that are neither done, nor failed, nor another shard's. Rows that only need a look do not count for the limit. */
export async function* queuedRows(options: RowQueueOptions): AsyncGenerator<QueuedRow[]> {
  const { journal, rows, valuesOf, known: knownRows, shard, limit = Number.POSITIVE_INFINITY } = options;
  let room = limit;
  for await (const batch of rows) {
    const queued: QueuedRow[] = [];
    for (const row of batch) {
      const { number } = row;
      if (!isIn(shard, number)) continue;
      const state = journal.state(number);
      const known = knownRows.of(number);
      if ((isDone(state) && known === undefined) || isFailed(state)) continue;
      const isSent = state === 'sending';
      const recorded = known?.outcome ?? (isSent ? journal.outcome(number) : undefined);
      const { values, hasOwnKey, claim } = valuesOf(row, { recorded });
      const mayBeLook = known === undefined ? claim !== undefined : isLook(known);
      if (!mayBeLook && room-- <= 0) {
        yield queued;
        return;
      }
      queued.push({
        number,
        recode: (used) => valuesOf(row, { used }),
        known,
        earlier: isSent && known === undefined,
        isNoted: false,
        values,
        hasOwnKey,
        claim,
      });
    }
    yield queued;
  }
}

export interface ReadsOptions extends Pick<RowQueueOptions, 'verb' | 'known'> {
  readonly journal: Pick<Journal, 'outcome'>;
  /** The outcome of a row that needs no request; may read from the service. */
  readonly settled?: ((values: Values) => Promise<Outcome | undefined>) | undefined;
}

export interface StagesOptions extends ReadsOptions {
  readonly journal: Pick<Journal, 'sending' | 'outcome' | 'flush'>;
}

type ReadsContext = ReadContext & Pick<SendContext, 'client' | 'snapshot' | 'matcher' | 'warn'>;

/** The writes of a row that is to be sent. */
export interface Looked {
  readonly plan: readonly RowWrite[];
  /** `keyed`: it is looked up by its key before it is sent; `gone`: its item was deleted. */
  readonly found: 'keyed' | 'gone' | 'new';
}

/** A row is left for another run. */
export type Left = 'left';

/** A create without a key, whose journal entry has a trace by which its item can be found. */
const isOneUnkeyed = (plan: readonly RowWrite[]): plan is readonly [RowWrite] =>
  plan.length === 1 && plan[0]?.endpoint.repeat === 'unkeyed';

/** True if a row that was noted and not sent costs only a look-up later, so that it may be noted ahead of its turn. */
export const canNoteAhead = (plan: readonly RowWrite[]): boolean =>
  plan.every(({ endpoint, upload }) => endpoint.repeat !== 'unkeyed' && upload === undefined);

/** The message of an error, with its details if there are several. */
const problemText = ({ message, details }: EduError): string =>
  details.length < 2
    ? message
    : `${message} ${details.map(({ where, message: text }) => `${where ?? ''} ${text}`).join('; ')}`;

/** The natural key of a row as the journal records it; undefined if it has none. */
function keyText({ key, codeOf }: Verb, values: Values): string | undefined {
  if (codeOf !== undefined) return String(values.code);
  return key.length === 0 ? undefined : key.map((name) => values[name]).join(' ');
}

/** The stages that only read, of a run and of its dry run. */
export class RowReads {
  readonly #options: ReadsOptions;
  readonly #reading: ReadsContext;
  readonly #presence: ReturnType<typeof presence>;
  readonly #findEquals: ReturnType<typeof equalsFinder>;
  readonly #checkClaim: ReturnType<typeof claimChecker>;
  /** Likenesses of listed items that were warned of; undefined if a list cannot be read. */
  #warned: Set<string> | undefined;

  constructor(options: ReadsOptions, reading: ReadsContext, settle?: () => Promise<boolean>) {
    const { client, snapshot } = reading;
    this.#options = options;
    this.#reading = reading;
    this.#presence = presence(client, snapshot, options.known.count, settle);
    this.#findEquals = equalsFinder(snapshot, { retries: 0 });
    this.#checkClaim = claimChecker(client, snapshot);
    this.#warned = isUnkeyed(options.verb) ? new Set() : undefined;
  }

  /** The writes of a row and what a look-up found, or the outcome of a row that needs no request. Reads with retries. */
  async look(row: QueuedRow): Promise<Looked | Outcome | Left> {
    const read = await readWithRetries(this.#reading, () => this.#looked(row));
    if (read === undefined) return 'left';
    return read instanceof EduError ? { state: 'rejected', error: problemText(read) } : read;
  }

  async #looked(row: QueuedRow): Promise<Looked | Outcome> {
    const { settled, verb } = this.#options;
    const before = settled && (await settled(row.values));
    if (before !== undefined) return before;
    const planned = await verb.plan(row.values);
    if (row.hasOwnKey) markOwnKey(planned);
    const plan = planned.filter(({ unchanged }) => unchanged === undefined);
    const undecided = plan.find((write) => write.undecided !== undefined)?.undecided;
    if (undecided !== undefined) return { state: 'rejected', error: undecided.error.message };
    const [first] = planned;
    if (first !== undefined && plan.length === 0) return { state: 'unchanged', ...namesOf(first, first.unchanged) };
    const [write] = plan;
    const isNew = row.claim === undefined && row.known === undefined;
    const needsLook = write !== undefined && !(isNew && this.#warned === undefined && !isClassCreate(write));
    const found = needsLook ? await this.#found(row, write) : 'new';
    return typeof found === 'object' ? found : { plan, found };
  }

  /** Looks for the item of a row that earlier jobs, a results file, or equal listed classes suggest. */
  async #found(row: QueuedRow, write: RowWrite): Promise<Looked['found'] | Outcome> {
    const { known, claim } = row;
    const checked = claim && (await this.#checkClaim(write, claim, known?.outcome.id));
    if (typeof checked === 'object') return checked;
    // A row with a trace is matched with the items that were added since.
    const isTraced = row.earlier && this.#options.journal.outcome(row.number).key !== undefined;
    const isLookedUp = !row.earlier || (isClassCreate(write) && !isTraced);
    const present = known === undefined || !isLookedUp ? undefined : await this.#presence(write, known);
    if (present?.is === 'keyed') return 'keyed';
    if (present?.is === 'there') {
      const { id, code, undone } = present.outcome;
      return { state: 'exists', id, code, job: present.job, ...(undone === undefined ? {} : { undone }) };
    }
    if (isLookedUp && isClassCreate(write)) {
      // A list that cannot be read completely may contain the class.
      const equals = await this.#findEquals(write).catch(ignoring('forbidden', 'not_found', 'refused'));
      const active = equals?.items.find(isActive);
      if (active !== undefined) return { state: 'exists', id: equals?.showing.idOf(active) };
    }
    if (checked === 'gone' || present?.is === 'gone') return 'gone';
    if (!row.earlier) await this.#warnOfEquals(write);
    return 'new';
  }

  /** Warns of listed items that equal the one of a row, where no key prevents duplicates. */
  async #warnOfEquals(write: RowWrite): Promise<void> {
    if (this.#warned === undefined) return;
    const { matcher, warn } = this.#reading;
    try {
      const equals = await this.#findEquals(write);
      if (equals === undefined || this.#warned.has(equals.showing.likeness)) return;
      const { showing } = equals;
      const items = await matcher.unclaimed(equals);
      if (items.length === 0) return;
      this.#warned.add(showing.likeness);
      const exist = items.length === 1 ? 'exists' : 'exist';
      warn(
        `A row equals ${namesOfItems(showing, items)}, which ${exist} already, and creates another ${showing.noun}. ` +
          `To compare: ${showing.command}`,
      );
    } catch (error) {
      if (!isKind(error, ...UNREADABLE, 'server_error')) throw error;
      this.#warned = undefined;
      warn(`Cannot check whether equal items exist already: ${error.message}.`);
    }
  }
}

/** All stages of a row that is sent. */
export class RowStages extends RowReads {
  readonly #options: StagesOptions;
  readonly #sending: SendContext;

  constructor(options: StagesOptions, sending: SendContext) {
    super(options, sending, () => sending.throttle.settle(true));
    this.#options = options;
    this.#sending = sending;
  }

  /** Records that rows are about to be sent. Resolves when that is on disk; only then may their requests start. */
  note(rows: readonly QueuedRow[], trace?: Trace): Promise<void> {
    const { verb, journal } = this.#options;
    for (const row of rows) {
      void journal.sending(row.number, trace?.key ?? keyText(verb, row.values), trace?.listing);
      row.isNoted = true;
    }
    return journal.flush();
  }

  /** Notes a row unless that was done ahead, and sends it. */
  send(row: QueuedRow, looked: Looked): Promise<Outcome> {
    const outcome = this.#sent(row, looked);
    return looked.found !== 'new' && row.hasOwnKey ? this.#recoded(row, outcome) : outcome;
  }

  async #sent(row: QueuedRow, { plan, found }: Looked): Promise<Outcome> {
    for (const { warnings = [] } of plan) for (const warning of warnings) this.#sending.warn(warning);
    if (isOneUnkeyed(plan)) {
      const trace = await this.#sending.matcher.before(plan[0], row.number, row.earlier);
      await this.note([row], trace);
      return sendRow(plan, row.earlier, trace, this.#sending);
    }
    if (found !== 'keyed' && !row.isNoted) await this.note([row]);
    // A row that is looked up first is noted only if it is sent.
    const writes = found === 'keyed' ? plan.map((write) => ({ ...write, beforeSend: () => this.note([row]) })) : plan;
    return sendRow(writes, row.earlier, undefined, this.#sending);
  }

  /**
   * Tries other codes if the service rejects one that it had before and no longer shows. After any other failure, the
   * licence may exist.
   */
  async #recoded(row: QueuedRow, first: Promise<Outcome>): Promise<Outcome> {
    let outcome = await first;
    for (let used = 1; used <= MAX_RECODES && outcome.refused === true; used++) {
      const again = { ...row, ...row.recode(used), isNoted: false };
      const plan = markOwnKey(await this.#options.verb.plan(again.values));
      outcome = await this.#sent(again, { plan, found: 'new' });
    }
    return outcome;
  }
}
