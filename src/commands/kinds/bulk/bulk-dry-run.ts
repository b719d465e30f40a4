/** `--dry-run` with `--from` or `--count`: predicts the outcome of each row with reads only, and shows its requests. */
import type { PinnedReferences } from '../../../bulk/input/pinned-values.js';
import { openRows, rowsOf, valuesReader } from '../../../bulk/input/row-source.js';
import { ownRow } from '../../../bulk/job/adopt-rows.js';
import { equalsWarnings } from '../../../bulk/job/check-equals.js';
import { type EarlierRow, earlierRows } from '../../../bulk/job/earlier.js';
import { rowsIn, wordFor } from '../../../bulk/job/job-manifest.js';
import { type JobFolder, journalFile, lockFile, removeFolder } from '../../../bulk/job/job-store.js';
import { Journal } from '../../../bulk/job/journal.js';
import { withCodes, withRecordedCode } from '../../../bulk/job/license-codes.js';
import { pinRows } from '../../../bulk/job/pin-rows.js';
import { RowReads } from '../../../bulk/job/row-stages.js';
import { readRows } from '../../../bulk/job/rows-file.js';
import { isIn } from '../../../bulk/job/shard.js';
import { isDone, isFailed, type State } from '../../../bulk/job/states.js';
import { summaryOf } from '../../../bulk/results/summary.js';
import { isUnkeyed, type Verb } from '../../../bulk/row-command.js';
import { snapshotOf } from '../../../bulk/send/cached-reader.js';
import { codeProbe, type KnownRow } from '../../../bulk/send/known-row.js';
import type { OnExisting } from '../../../bulk/send/row-attempts.js';
import type { Context } from '../../../cli/context.js';
import { lockOwner } from '../../../core/fs/lock.js';
import { type Kind, none, type PlannedRow, type Planning, planRow, type RowPlan } from './plan-row.js';
import { planWriter } from './plan-writer.js';
import { notify } from './report.js';

export interface BulkDryRun {
  readonly verb: Verb;
  readonly job: JobFolder;
  readonly references: PinnedReferences;
  /** The folder was created for this dry run only. */
  readonly isDraft: boolean;
  readonly onExisting: OnExisting;
  readonly concurrency: number;
  /** Maximum number of rows to plan, not counting those that are done. */
  readonly limit: number | undefined;
}

const WORDS: readonly (readonly [Kind, string])[] = [
  ['create', 'would be created'],
  ['update', 'would be changed'],
  ['same', 'unchanged'],
  ['exist', 'existed already'],
  ['conflict', 'in conflict with existing items'],
  ['doubt', 'possibly sent, to be looked up first'],
  ['fail', 'would fail'],
  ['done', 'done before'],
];

const MAX_EXIST_MESSAGES = 20;

/** What this machine knows about the rows of a job before the dry run. */
class RowHistory {
  readonly #verb: Verb;
  readonly #job: JobFolder;
  readonly #journal: Journal | undefined;
  readonly #earlier: ReadonlyMap<number, EarlierRow>;
  /** A finished job that runs again checks created items, and repeats changes. */
  readonly #isOver: boolean;

  constructor(
    { verb, job }: BulkDryRun,
    journal: Journal | undefined,
    earlier: ReadonlyMap<number, EarlierRow>,
    isOver: boolean,
  ) {
    this.#verb = verb;
    this.#job = job;
    this.#journal = journal;
    this.#earlier = earlier;
    this.#isOver = isOver;
  }

  /** The plan of a row that a run would not send again; undefined if it would. */
  ended(row: number, known: KnownRow | undefined): RowPlan | undefined {
    const state = stateOf(this.#journal, row);
    // While other rows are left, a run does not retry those that failed.
    if (state === 'invalid' || (isFailed(state) && !this.#isOver))
      return { row, kind: 'fail', why: this.#journal?.outcome(row).error ?? '', requests: none };
    if (!isDone(state) || known !== undefined || (this.#isOver && !this.#verb.creates)) return undefined;
    return { row, kind: state === 'unchanged' ? 'same' : 'done', requests: none };
  }

  known(row: number): KnownRow | undefined {
    const { creates } = this.#verb;
    const word = wordFor(this.#job.manifest);
    const journal = this.#journal;
    const state = stateOf(journal, row);
    const other = this.#earlier.get(row);
    if (journal !== undefined && creates && isDone(state) && (this.#isOver || journal.isDeleted(row)))
      return ownRow(journal.outcome(row), word, other);
    if (other !== undefined) return { ...other, isOwn: false };
    const mayBeSent = creates && ['sending', 'unknown'].includes(state);
    return mayBeSent && journal !== undefined ? ownRow(journal.outcome(row), word, undefined) : undefined;
  }
}

const stateOf = (journal: Journal | undefined, row: number): State => journal?.state(row) ?? 'planned';

/** The rows that a run would take, each with its code and what is known about it. */
async function* plannedRows(
  { verb, job, references, limit = Number.POSITIVE_INFINITY }: BulkDryRun,
  digests: Buffer,
  history: RowHistory,
  journal: Journal | undefined,
  context: Context,
): AsyncGenerator<PlannedRow | RowPlan> {
  const { manifest, folder } = job;
  const input = await openRows(folder, manifest);
  const valuesOf = valuesReader(verb, input, manifest.values, references);
  const coded = withCodes(verb, digests, context);
  let room = limit;
  for await (const rows of rowsOf(input, manifest.rows)) {
    for (const row of rows) {
      context.signal.throwIfAborted();
      const { number } = row;
      if (!isIn(manifest.shard ?? undefined, number)) continue;
      const known = history.known(number);
      const ended = history.ended(number, known);
      if (ended !== undefined) {
        yield ended;
        continue;
      }
      const source = coded(number, valuesOf(row));
      const isKnownRow = (known !== undefined && isDone(known.outcome.state)) || source.claim !== undefined;
      if (!isKnownRow && room-- <= 0) break;
      const isOpen = stateOf(journal, number) === 'sending';
      const recorded = known?.outcome ?? (isOpen ? journal?.outcome(number) : undefined);
      yield { ...withRecordedCode(source, verb, recorded), number, known, earlier: false };
    }
  }
}

/** Counts and prints the plans of rows, in their order. */
async function planReport({ job: { manifest }, limit = Number.POSITIVE_INFINITY }: BulkDryRun, context: Context) {
  const counts: Record<Kind, number> = {
    create: 0,
    update: 0,
    same: 0,
    exist: 0,
    conflict: 0,
    doubt: 0,
    fail: 0,
    done: 0,
  };
  const out = await planWriter(context);
  let existMessages = 0;
  return {
    async row(plan: RowPlan): Promise<void> {
      counts[plan.kind]++;
      for (const { warnings = [] } of plan.writes ?? [])
        for (const warning of warnings) await context.warn(warning, true);
      if (plan.why !== undefined && (plan.kind !== 'exist' || existMessages++ < MAX_EXIST_MESSAGES))
        await notify(`row ${plan.row}: ${plan.why}`, context);
      await out.row(plan);
    },
    async end(assumedCodes: number): Promise<void> {
      if (assumedCodes > 0)
        await notify(
          `${assumedCodes} codes are not in your licences; another organization may have some of them.`,
          context,
        );
      const total = rowsIn(manifest);
      await out.end({ command: manifest.path, rows: total, ...counts });
      const parts = WORDS.filter(([kind]) => counts[kind] > 0).map(([kind, word]) => `${counts[kind]} ${word}`);
      const planned = Math.min(total, counts.done + limit);
      await notify(
        `Plan for ${planned === total ? '' : `${planned} of `}${total} rows: ${parts.join(', ') || 'nothing to do'}. Nothing was sent.`,
        context,
      );
    },
  };
}

async function dryRunRows(dryRun: BulkDryRun, journal: Journal | undefined, context: Context): Promise<void> {
  const { verb, job, references, isDraft, onExisting, concurrency, limit = Number.POSITIVE_INFINITY } = dryRun;
  const { manifest, folder } = job;
  const client = await context.client();
  const digests = readRows(job);
  const snapshot = snapshotOf(client);
  const left = journal === undefined ? 1 : summaryOf(manifest, journal.counts(), rowsIn(manifest), 0).left;
  const isOver = !isDraft && left === 0;
  if (isOver && !verb.creates) {
    await pinRows({ ...dryRun, folder, manifest, skipped: new Set(), signal: context.signal });
    references.restartToday();
  }
  const isLeft = (row: number): boolean => !isDone(stateOf(journal, row));
  const isKnown = (): boolean => isOver && isUnkeyed(verb);
  const earlier = verb.creates
    ? await earlierRows(context.env, job, digests, isLeft, isKnown, context.now())
    : new Map<number, EarlierRow>();
  const check = equalsWarnings({ ...dryRun, journal, earlier, snapshot, signal: context.signal });
  for (const warning of await context.during('Comparing with existing items', check)) await context.warn(warning, true);
  const reads = new RowReads(
    {
      verb,
      journal: { outcome: (row) => journal?.outcome(row) ?? { state: 'planned' } },
      knownCount: isOver ? manifest.rows : earlier.size,
    },
    { client, snapshot, now: context.now, throttle: { backOff: ({ error }) => Promise.reject(error) } },
  );
  const codes = codeProbe(snapshot, Math.min(rowsIn(manifest), limit));
  const planning: Planning = { verb, onExisting, client, snapshot, reads, codes };
  const report = await planReport(dryRun, context);
  let waiting: Promise<RowPlan>[] = [];
  const drain = async (): Promise<void> => {
    for (const plan of await Promise.all(waiting)) await report.row(plan);
    waiting = [];
  };
  const history = new RowHistory(dryRun, journal, earlier, isOver);
  for await (const row of plannedRows(dryRun, digests, history, journal, context)) {
    waiting.push('kind' in row ? Promise.resolve(row) : planRow(row, planning));
    if (waiting.length >= concurrency) await drain();
  }
  await drain();
  await report.end(codes.assumedFree());
}

export async function bulkDryRun(dryRun: BulkDryRun, context: Context): Promise<void> {
  const { job, isDraft } = dryRun;
  const isBusy = !isDraft && lockOwner(lockFile(job), context.now()) !== undefined;
  const journal = isBusy ? undefined : await Journal.open(journalFile(job), job.manifest.rows);
  try {
    await dryRunRows(dryRun, journal, context);
  } finally {
    await journal?.close();
    if (isDraft) removeFolder(job.folder);
  }
}
