/** `--dry-run` with `--from` or `--count`: predicts the outcome of each row with reads only, and shows its requests. */
import { existsSync } from 'node:fs';
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
  undoneFile,
  wordFor,
} from '../../../bulk/job/job-store.js';
import { Journal } from '../../../bulk/job/journal.js';
import { type CodedRow, withCodes, withRecordedCode } from '../../../bulk/job/license-codes.js';
import { pinRows } from '../../../bulk/job/pin-rows.js';
import { isIn } from '../../../bulk/job/shard.js';
import { isDone, isFailed, type State } from '../../../bulk/job/states.js';
import { summaryOf } from '../../../bulk/results/summary.js';
import { isUnkeyed, markOwnKey, type RowWrite, type Verb } from '../../../bulk/row-command.js';
import { snapshotOf } from '../../../bulk/send/cached-reader.js';
import { type Claim, claimChecker } from '../../../bulk/send/check-claim.js';
import { equalsFinder, type FindEquals } from '../../../bulk/send/equal-listed.js';
import { codeProbe, equalClass, isSameRow, type KnownRow, presence } from '../../../bulk/send/known-row.js';
import type { OnExisting } from '../../../bulk/send/row-attempts.js';
import { updateOf } from '../../../bulk/send/update-existing.js';
import type { Context } from '../../../cli/context.js';
import { keyOf, lookUp, type Reader } from '../../../client/create/find-by-key.js';
import type { Client, PreparedRequest } from '../../../client/request/client.js';
import { EduError } from '../../../core/errors.js';
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

type Kind = 'create' | 'update' | 'exist' | 'conflict' | 'doubt' | 'fail' | 'done';

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
  readonly findEquals: FindEquals;
  readonly lookAt: ReturnType<typeof presence>;
  readonly codes: ReturnType<typeof codeProbe>;
  readonly checkClaim: ReturnType<typeof claimChecker>;
}

const ENDS_PLAN = ['unreachable', 'unavailable', 'unauthenticated', 'interrupted', 'terminated'];

function toCreate(row: number, writes: readonly RowWrite[], { dryRun, client }: Planning, why?: string): RowPlan {
  return {
    row,
    kind: writes[0]?.endpoint.repeat === 'safe' && !dryRun.verb.creates ? 'update' : 'create',
    requests: () => writes.flatMap((write) => requestsOf(write, client)),
    writes,
    ...(why === undefined ? {} : { why }),
  };
}

/**
 * Predicts the outcome of a row.
 * @param known the outcome of the row in this or another job
 * @returns a promise only if it waits, because one for each of a million new rows costs a tenth of the time
 */
function planRow(
  row: number,
  { values, hasOwnKey, claim }: CodedRow,
  known: KnownRow | undefined,
  planning: Planning,
): RowPlan | Promise<RowPlan> {
  const failed = (error: unknown): RowPlan => {
    if (!(error instanceof EduError) || ENDS_PLAN.includes(error.kind)) throw error;
    return { row, kind: 'fail', why: error.message, requests: none };
  };
  const planned = (plan: readonly RowWrite[]): RowPlan | Promise<RowPlan> => {
    const writes = hasOwnKey ? markOwnKey(plan) : plan;
    const [first] = writes;
    if (first === undefined) return { row, kind: 'done', requests: none };
    if (claim !== undefined) return claimed({ row, writes, first, hasOwnKey, known, isTaken: true }, claim, planning);
    const isNew = known === undefined && keyOf(first.endpoint, first.input) !== undefined;
    const isTaken = isNew ? planning.codes.isTaken(first) : undefined;
    return isTaken === false
      ? toCreate(row, writes, planning)
      : compared({ row, writes, first, hasOwnKey, known, isTaken }, planning);
  };
  try {
    const plan = planning.dryRun.verb.plan(values);
    return plan instanceof Promise ? plan.then(planned, failed) : planned(plan);
  } catch (error) {
    return failed(error);
  }
}

interface ComparedRow extends Pick<CodedRow, 'hasOwnKey'> {
  readonly row: number;
  readonly writes: readonly RowWrite[];
  readonly first: RowWrite;
  readonly known: KnownRow | undefined;
  /** Whether the key of `first` may be taken; undefined if that was not looked at. */
  readonly isTaken: boolean | Promise<boolean> | undefined;
}

/** Predicts the outcome of a row that a results file marks as created. */
async function claimed(compare: ComparedRow, claim: Claim, planning: Planning): Promise<RowPlan> {
  const { row, first, known, writes } = compare;
  const checked = await planning.checkClaim(first, claim, known?.outcome.id);
  if (typeof checked === 'object') {
    const { state, id, error } = checked;
    if (state !== 'exists') return { row, kind: 'conflict', why: error ?? '', requests: none };
    return { row, kind: 'exist', why: `exists already: ${id}`, requests: none };
  }
  if (checked === 'gone' && known === undefined)
    return toCreate(row, writes, planning, `${claim.id} of edu_id has been deleted since`);
  return compared(compare, planning);
}

/** Predicts the outcome of a row from what jobs know about it and the service has. */
async function compared(
  { row, writes, first, hasOwnKey, known, isTaken }: ComparedRow,
  planning: Planning,
): Promise<RowPlan> {
  const { onExisting } = planning.dryRun;
  const create = (why?: string): RowPlan => toCreate(row, writes, planning, why);
  const exists = (why: string): RowPlan => {
    return { row, kind: onExisting === 'fail' ? 'fail' : 'exist', why, requests: none };
  };
  const isKeyed = keyOf(first.endpoint, first.input) !== undefined;
  // What the service has under its key decides about a row that this job may have sent.
  const earlier = known?.isOwn && !isDone(known.outcome.state) ? undefined : known;
  const from = earlier === undefined ? 'exists already' : `created by the job ${earlier.job}`;
  if (known !== undefined && !isDone(known.outcome.state) && !isKeyed) {
    return { row, kind: 'doubt', why: `may have been sent by the job ${known.job}`, requests: none };
  }
  if (earlier !== undefined && isDone(earlier.outcome.state)) {
    const { is, job } = await planning.lookAt(first, earlier);
    if (is === 'there') return exists(`created by the job ${job}`);
    if (is === 'gone') return create(`${from}, and deleted since`);
  }
  if (!isKeyed) {
    const equal = await equalClass(planning.findEquals, first);
    return equal === undefined ? create() : exists(`exists already: ${equal}`);
  }
  if (earlier === undefined && !(await (isTaken ?? planning.codes.isTaken(first)))) return create();
  const finding = await lookUp(planning.snapshot, first.endpoint, first.input);
  if (finding.is === 'absent') return create();
  const isSame = finding.is === 'different' && earlier !== undefined && isSameRow(first, finding.differences);
  if (finding.is === 'ours' || hasOwnKey || isSame) return exists(from);
  if (finding.is === 'invisible' && earlier !== undefined) return exists(from);
  if (finding.is === 'invisible')
    return { row, kind: 'conflict', why: 'exists, but belongs to another organization', requests: none };
  const update = onExisting === 'update' ? updateOf(first, finding.found) : undefined;
  if (update !== undefined) return { row, kind: 'update', requests: () => requestsOf(update, planning.client) };
  return { row, kind: 'conflict', why: finding.differences.join('; '), requests: none };
}

const WORDS: readonly (readonly [Kind, string])[] = [
  ['create', 'would be created'],
  ['update', 'would be changed'],
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
    /** @returns a promise only if it waits */
    row({ row, requests }: RowPlan): Promise<void> | undefined {
      if (idsOnly) return undefined;
      for (const { method, url, headers, body } of requests()) {
        const isFirst = count++ === 0;
        const json = (): string => JSON.stringify({ row, method, url, headers, body: body ?? null });
        if (oneDocument) waiting += `${isFirst ? '{"requests":[' : ','}\n${json()}`;
        else if (machine) waiting += `${json()}\n`;
        else waiting += `${isFirst ? '' : '\n'}${asHttp({ method, url, headers, body } as PreparedRequest)}\n`;
      }
      return waiting.length >= BLOCK || (waiting !== '' && stdout.isTTY) ? flush() : undefined;
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
  const counts: Record<Kind, number> = { create: 0, update: 0, exist: 0, conflict: 0, doubt: 0, fail: 0, done: 0 };
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
    const isUndone = !isDraft && existsSync(undoneFile(job));
    const isLeft = (row: number): boolean => !isDone(state(row));
    const isKnown = (): boolean => isOver && isUnkeyed(verb);
    const earlier = verb.creates
      ? await earlierRows(context.env, job, digests, isLeft, isKnown, context.now())
      : new Map<number, EarlierRow>();
    const knownOf = (row: number): KnownRow | undefined => {
      if (journal !== undefined && (isOver || isUndone) && isDone(state(row)) && verb.creates) {
        const outcome = journal.outcome(row);
        if (isOver || outcome.undone === 'deleted') return ownRow(outcome, wordFor(manifest), earlier.get(row));
      }
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
      findEquals: equalsFinder(snapshot),
      lookAt: presence(client, snapshot, isOver ? manifest.rows : earlier.size),
      checkClaim: claimChecker(client, snapshot),
      codes: codeProbe(client, snapshot, Math.min(rowsIn(manifest), limit)),
    };
    const input = await openRows(folder, manifest);
    const valuesOf = valuesReader(verb, input, manifest.values, references);
    const coded = withCodes(verb, digests, context);
    const out = await planWriter(context);
    const tell = async (plan: RowPlan): Promise<void> => {
      for (const { warnings = [] } of plan.writes ?? [])
        for (const warning of warnings) await context.warn(warning, true);
      if (plan.why !== undefined && (plan.kind !== 'exist' || existMessages++ < MAX_EXIST_MESSAGES))
        await notify(`row ${plan.row}: ${plan.why}`, context);
      await out.row(plan);
    };
    const note = (plan: RowPlan): Promise<void> | undefined => {
      counts[plan.kind]++;
      const isTold = plan.why !== undefined || plan.writes?.some(({ warnings }) => warnings !== undefined) === true;
      return isTold ? tell(plan) : out.row(plan);
    };
    let existMessages = 0;
    let waiting: (RowPlan | Promise<RowPlan>)[] = [];
    const drain = async (): Promise<void> => {
      const plans = waiting.some((plan) => plan instanceof Promise) ? await Promise.all(waiting) : waiting;
      for (const plan of plans as readonly RowPlan[]) {
        const noted = note(plan);
        if (noted !== undefined) await noted;
      }
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
          counts.done++;
          continue;
        }
        const source = coded(row.number, valuesOf(row));
        const isKnownRow = (known !== undefined && isDone(known.outcome.state)) || source.claim !== undefined;
        if (!isKnownRow && room-- <= 0) break;
        const isOpen = state(row.number) === 'sending';
        const recorded = known?.outcome ?? (isOpen ? journal?.outcome(row.number) : undefined);
        const values = withRecordedCode(source, verb, recorded);
        waiting.push(planRow(row.number, values, known, planning));
        if (waiting.length >= concurrency) await drain();
      }
    }
    await drain();
    const assumed = planning.codes.assumedFree();
    if (assumed > 0)
      await notify(
        `${assumed} codes are not in your licences. A sample of the codes was looked up and is free; another organization may have some of the others.`,
        context,
      );
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
