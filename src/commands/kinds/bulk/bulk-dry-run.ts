/** `--dry-run` with `--from` or `--count`: predicts the outcome of each row with reads only, and shows its requests. */
import type { PinnedReferences } from '../../../bulk/input/pinned-values.js';
import { openRows, rowsOf, valuesReader } from '../../../bulk/input/row-source.js';
import { ownRow } from '../../../bulk/job/adopt-rows.js';
import { equalsWarnings } from '../../../bulk/job/check-equals.js';
import { type EarlierRow, earlierRows } from '../../../bulk/job/earlier.js';
import {
  type JobFolder,
  journalFile,
  lockFile,
  readRows,
  removeFolder,
  rowsIn,
  wordFor,
} from '../../../bulk/job/job-store.js';
import { Journal } from '../../../bulk/job/journal.js';
import { withCodes, withRecordedCode } from '../../../bulk/job/license-codes.js';
import { pinRows } from '../../../bulk/job/pin-rows.js';
import type { QueuedRow } from '../../../bulk/job/row-queue.js';
import { RowReads } from '../../../bulk/job/row-stages.js';
import { isIn } from '../../../bulk/job/shard.js';
import { isDone, isFailed, type Outcome, type State } from '../../../bulk/job/states.js';
import { summaryOf } from '../../../bulk/results/summary.js';
import { isUnkeyed, type RowWrite, type Verb } from '../../../bulk/row-command.js';
import { snapshotOf } from '../../../bulk/send/cached-reader.js';
import { codeProbe, isSameRow, type KnownRow } from '../../../bulk/send/known-row.js';
import type { OnExisting } from '../../../bulk/send/row-attempts.js';
import { updateOf } from '../../../bulk/send/update-existing.js';
import type { Context } from '../../../cli/context.js';
import { keyOf, lookUp, type Reader } from '../../../client/create/find-by-key.js';
import type { Client, PreparedRequest } from '../../../client/request/client.js';
import { lockOwner } from '../../../core/fs/lock.js';
import { asHttp, requestsOf } from '../dry-run.js';
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

type Kind = 'create' | 'update' | 'same' | 'exist' | 'conflict' | 'doubt' | 'fail' | 'done';

interface RowPlan {
  readonly row: number;
  readonly kind: Kind;
  readonly why?: string;
  /** Prepared only when they are printed. */
  readonly requests: () => readonly PreparedRequest[];
  /** Those of an item that would be created, whose warnings are shown. */
  readonly writes?: readonly RowWrite[];
}

const none = (): readonly PreparedRequest[] => [];

interface Planning {
  readonly dryRun: BulkDryRun;
  readonly client: Client;
  readonly snapshot: Reader;
  readonly reads: RowReads;
  readonly codes: ReturnType<typeof codeProbe>;
}

function toCreate({ number: row }: PlannedRow, writes: readonly RowWrite[], planning: Planning, why?: string): RowPlan {
  const { dryRun, client } = planning;
  return {
    row,
    kind: writes[0]?.endpoint.repeat === 'safe' && !dryRun.verb.creates ? 'update' : 'create',
    requests: () => writes.flatMap((write) => requestsOf(write, client)),
    writes,
    ...(why === undefined ? {} : { why }),
  };
}

/** A row of which nothing is recorded by the dry run. */
type PlannedRow = Omit<QueuedRow, 'recode'>;

/** What a look-up that makes a request unnecessary says about a row. */
function settledPlan(
  { number: row, known }: PlannedRow,
  { state, id, job, error = '' }: Outcome,
  fails: boolean,
): RowPlan {
  if (state === 'exists') {
    const by = job ?? known?.job;
    const why = by === undefined ? `exists already: ${id}` : `created by the job ${by}`;
    return { row, kind: fails ? 'fail' : 'exist', why, requests: none };
  }
  if (state === 'unchanged') return { row, kind: 'same', requests: none };
  return { row, kind: state === 'conflict' ? 'conflict' : 'fail', why: error, requests: none };
}

/** Predicts the outcome of a row, with the stages of a run as far as they only read. */
async function planRow(row: PlannedRow, planning: Planning): Promise<RowPlan> {
  const { number, known } = row;
  const fails = planning.dryRun.onExisting === 'fail';
  const writes = await planning.reads.plan(row);
  if (writes === 'left') throw new TypeError('A dry run leaves no row for another run.');
  if ('state' in writes) return settledPlan(row, writes, fails);
  const [first] = writes;
  if (first === undefined) return { row: number, kind: 'done', requests: none };
  const isKeyed = keyOf(first.endpoint, first.input) !== undefined;
  if (known !== undefined && !isDone(known.outcome.state) && !isKeyed)
    return { row: number, kind: 'doubt', why: `may have been sent by the job ${known.job}`, requests: none };
  const found = await planning.reads.find(row, writes);
  if (found === 'left') throw new TypeError('A dry run leaves no row for another run.');
  if (typeof found === 'object') return settledPlan(row, found, fails);
  if (found === 'gone') return toCreate(row, writes, planning, 'had been created, and was deleted since');
  return isKeyed ? byKey(row, writes, first, planning) : toCreate(row, writes, planning);
}

/** Predicts the outcome of a row with a natural key by what the service has under it. */
async function byKey(
  row: PlannedRow,
  writes: readonly RowWrite[],
  first: RowWrite,
  planning: Planning,
): Promise<RowPlan> {
  const { number, known, hasOwnKey } = row;
  const { onExisting } = planning.dryRun;
  // What the service has under its key decides about a row that this job may have sent.
  const earlier = known?.isOwn && !isDone(known.outcome.state) ? undefined : known;
  if (known === undefined && row.claim === undefined && !(await planning.codes.mayBeTaken(first)))
    return toCreate(row, writes, planning);
  const finding = await lookUp(planning.snapshot, first.endpoint, first.input);
  if (finding.is === 'absent') return toCreate(row, writes, planning);
  const isSame = finding.is === 'different' && earlier !== undefined && isSameRow(first, finding.differences);
  if (finding.is === 'ours' || hasOwnKey || isSame || (finding.is === 'invisible' && earlier !== undefined)) {
    const why = earlier === undefined ? 'exists already' : `created by the job ${earlier.job}`;
    return { row: number, kind: onExisting === 'fail' ? 'fail' : 'exist', why, requests: none };
  }
  if (finding.is === 'invisible')
    return { row: number, kind: 'conflict', why: 'exists, but belongs to another organization', requests: none };
  const update = onExisting === 'update' ? updateOf(first, finding.found) : undefined;
  if (update !== undefined) return { row: number, kind: 'update', requests: () => requestsOf(update, planning.client) };
  return { row: number, kind: 'conflict', why: finding.differences.map(({ text }) => text).join('; '), requests: none };
}

const WORDS: readonly (readonly [Kind, string])[] = [
  ['create', 'would be created'],
  ['update', 'would be changed'],
  ['same', 'are as they were'],
  ['exist', 'exist already'],
  ['conflict', 'conflict with existing items'],
  ['doubt', 'may have been sent and are looked up first'],
  ['fail', 'would fail'],
  ['done', 'are done already'],
];

/** UTF-16 units of requests that are written at a time, unless a person watches. */
const BLOCK = 64 * 1024;

async function planWriter(context: Context) {
  const { stdout } = context.io;
  const printer = await context.printer();
  const { machine, oneDocument, idsOnly } = printer.traits;
  const { safeJson } = await import('../../../output/sanitize.js');
  let count = 0;
  let waiting = '';
  async function flush(): Promise<void> {
    const text = waiting;
    waiting = '';
    await (machine ? stdout.write(safeJson(text)) : printer.raw(text));
  }
  return {
    async row({ row, requests }: RowPlan): Promise<void> {
      if (idsOnly) return;
      for (const { method, url, headers, body } of requests()) {
        const isFirst = count++ === 0;
        const json = (): string => JSON.stringify({ row, method, url, headers, body: body ?? null });
        if (oneDocument) waiting += `${isFirst ? '{"requests":[' : ','}\n${json()}`;
        else if (machine) waiting += `${json()}\n`;
        else waiting += `${isFirst ? '' : '\n'}${asHttp({ method, url, headers, body } as PreparedRequest)}\n`;
      }
      if (waiting.length >= BLOCK || (waiting !== '' && stdout.isTTY)) await flush();
    },
    async end(summary: Readonly<Record<string, unknown>>): Promise<void> {
      if (oneDocument) waiting += `${count === 0 ? '{"requests":[' : '\n'}],${JSON.stringify(summary).slice(1)}\n`;
      if (waiting !== '') await flush();
    },
  };
}

const MAX_EXIST_MESSAGES = 20;

export async function bulkDryRun(dryRun: BulkDryRun, context: Context): Promise<void> {
  const { verb, job, references, isDraft, concurrency, limit = Number.POSITIVE_INFINITY } = dryRun;
  const { manifest, folder } = job;
  const isBusy = !isDraft && lockOwner(lockFile(job), context.now()) !== undefined;
  const journal = isBusy ? undefined : await Journal.open(journalFile(job), manifest.rows);
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
  const state = (row: number): State => journal?.state(row) ?? 'planned';
  try {
    const client = await context.client();
    const snapshot = snapshotOf(client);
    const digests = readRows(job);
    const left = journal === undefined ? 1 : summaryOf(manifest, journal.counts(), rowsIn(manifest), 0).left;
    // Running a finished job again checks created items, and repeats changes.
    const isOver = !isDraft && left === 0;
    if (isOver && !verb.creates) {
      await pinRows({ ...dryRun, folder, manifest, skipped: new Set(), signal: context.signal });
      references.restartToday();
    }
    const isLeft = (row: number): boolean => !isDone(state(row));
    const isKnown = (): boolean => isOver && isUnkeyed(verb);
    const earlier = verb.creates
      ? await earlierRows(context.env, job, digests, isLeft, isKnown, context.now())
      : new Map<number, EarlierRow>();
    const knownOf = (row: number): KnownRow | undefined => {
      if (journal !== undefined && verb.creates && isDone(state(row)) && (isOver || journal.isDeleted(row)))
        return ownRow(journal.outcome(row), wordFor(manifest), earlier.get(row));
      const other = earlier.get(row);
      if (other !== undefined) return { ...other, isOwn: false };
      const mayBeSent = verb.creates && ['sending', 'unknown'].includes(state(row));
      return mayBeSent && journal !== undefined
        ? ownRow(journal.outcome(row), wordFor(manifest), undefined)
        : undefined;
    };
    const check = equalsWarnings({ ...dryRun, journal, earlier, snapshot, signal: context.signal });
    for (const warning of await context.during('Comparing with existing items', check))
      await context.warn(warning, true);
    const planning: Planning = {
      dryRun,
      client,
      snapshot,
      reads: new RowReads(
        {
          verb,
          journal: { outcome: (row) => journal?.outcome(row) ?? { state: 'planned' } },
          knownCount: isOver ? manifest.rows : earlier.size,
        },
        { client, snapshot, now: context.now, throttle: { backOff: ({ error }) => Promise.reject(error) } },
      ),
      codes: codeProbe(snapshot, Math.min(rowsIn(manifest), limit)),
    };
    const input = await openRows(folder, manifest);
    const valuesOf = valuesReader(verb, input, manifest.values, references);
    const coded = withCodes(verb, digests, context);
    const out = await planWriter(context);
    let existMessages = 0;
    const note = async (plan: RowPlan): Promise<void> => {
      counts[plan.kind]++;
      for (const { warnings = [] } of plan.writes ?? [])
        for (const warning of warnings) await context.warn(warning, true);
      if (plan.why !== undefined && (plan.kind !== 'exist' || existMessages++ < MAX_EXIST_MESSAGES))
        await notify(`row ${plan.row}: ${plan.why}`, context);
      await out.row(plan);
    };
    let waiting: Promise<RowPlan>[] = [];
    const drain = async (): Promise<void> => {
      for (const plan of await Promise.all(waiting)) await note(plan);
      waiting = [];
    };
    let room = limit;
    for await (const rows of rowsOf(input, manifest.rows)) {
      for (const row of rows) {
        context.signal.throwIfAborted();
        if (!isIn(manifest.shard ?? undefined, row.number)) continue;
        // While other rows are left, a run does not retry those that failed.
        if (state(row.number) === 'invalid' || (isFailed(state(row.number)) && !isOver)) {
          await note({ row: row.number, kind: 'fail', why: journal?.outcome(row.number).error ?? '', requests: none });
          continue;
        }
        const known = knownOf(row.number);
        if (isDone(state(row.number)) && known === undefined && !(isOver && !verb.creates)) {
          counts[state(row.number) === 'unchanged' ? 'same' : 'done']++;
          continue;
        }
        const source = coded(row.number, valuesOf(row));
        const isKnownRow = (known !== undefined && isDone(known.outcome.state)) || source.claim !== undefined;
        if (!isKnownRow && room-- <= 0) break;
        const isOpen = state(row.number) === 'sending';
        const recorded = known?.outcome ?? (isOpen ? journal?.outcome(row.number) : undefined);
        const queued = { ...withRecordedCode(source, verb, recorded), number: row.number, known, earlier: false };
        waiting.push(planRow(queued, planning));
        if (waiting.length >= concurrency) await drain();
      }
    }
    await drain();
    const assumed = planning.codes.assumedFree();
    if (assumed > 0)
      await notify(`${assumed} codes are not in your licences; another organization may have some of them.`, context);
    await out.end({ command: manifest.path, rows: rowsIn(manifest), ...counts });
    const parts = WORDS.filter(([kind]) => counts[kind] > 0).map(([kind, word]) => `${counts[kind]} ${word}`);
    const planned = Math.min(rowsIn(manifest), counts.done + limit);
    await notify(
      `Plan for ${planned === rowsIn(manifest) ? '' : `${planned} of `}${rowsIn(manifest)} rows: ${parts.join(', ') || 'nothing to do'}. Nothing was sent.`,
      context,
    );
  } finally {
    await journal?.close();
    if (isDraft) removeFolder(folder);
  }
}
