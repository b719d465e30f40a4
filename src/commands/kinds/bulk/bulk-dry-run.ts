/** `--dry-run` with `--from` or `--count`: predicts the outcome of each row with reads only, and shows its requests. */
import { ProblemList } from '../../../bulk/input/problem-list.js';
import { type JobRun, rowWarnings, startRows } from '../../../bulk/job/job.js';
import { rowsIn } from '../../../bulk/job/job-manifest.js';
import { copyJournal, removeFolder } from '../../../bulk/job/job-store.js';
import { Journal } from '../../../bulk/job/journal.js';
import { type QueuedRow, queuedRows, RowReads } from '../../../bulk/job/row-stages.js';
import { isDone, isFailed, type Outcome } from '../../../bulk/job/states.js';
import type { RowWrite, Verb } from '../../../bulk/row-command.js';
import { codeProbe, isSameRow } from '../../../bulk/send/known-row.js';
import type { OnExisting } from '../../../bulk/send/row-attempts.js';
import type { Failure } from '../../../bulk/send/throttle.js';
import type { Context } from '../../../cli/context.js';
import { type Key, keyOf, lookUp, type Reader } from '../../../client/create/find-by-key.js';
import type { Client, PreparedRequest } from '../../../client/request/client.js';
import { systemClock } from '../../../client/request/clock.js';
import { EduError, isKind } from '../../../core/errors.js';
import { forEachConcurrently } from '../../../core/for-each.js';
import { temporaryFolder } from '../../../core/fs/temporary.js';
import { plural } from '../../../core/plural.js';
import { asHttp, formOf, ROW_REQUEST, recordOf, requestsOf } from '../dry-run.js';
import { notify } from '../print-result.js';

type BulkDryRun = Pick<JobRun, 'verb' | 'job' | 'references' | 'digests' | 'onExisting' | 'concurrency' | 'limit'> & {
  /** The folder of the job was created for this dry run only. */
  readonly isDraft: boolean;
};

/** The predicted outcome of a row. */
type Kind = 'create' | 'update' | 'same' | 'exist' | 'conflict' | 'doubt' | 'fail' | 'done';

interface RowPlan {
  readonly row: number;
  readonly kind: Kind;
  readonly why?: string | undefined;
  /** Prepared only when they are printed; absent if none are sent. */
  readonly requests?: () => readonly PreparedRequest[];
  /** Those of an item that would be created, whose warnings are shown. */
  readonly writes?: readonly RowWrite[];
}

interface Planning {
  readonly verb: Verb;
  readonly onExisting: OnExisting;
  readonly client: Client;
  readonly snapshot: Reader;
  readonly reads: RowReads;
  /** Whether a licence with the code of a new row may exist. */
  readonly mayBeTaken: ReturnType<typeof codeProbe>;
}

function toCreate({ number: row }: QueuedRow, writes: readonly RowWrite[], planning: Planning, why?: string): RowPlan {
  const { verb, client } = planning;
  return {
    row,
    kind: writes[0]?.endpoint.repeat === 'safe' && !verb.creates ? 'update' : 'create',
    requests: () => writes.flatMap((write) => requestsOf(write, client)),
    writes,
    why,
  };
}

/** What a look-up that makes a request unnecessary says about a row. */
function settledPlan({ number: row, known }: QueuedRow, { state, id, job, error = '' }: Outcome): RowPlan {
  if (state === 'exists') {
    const by = job ?? known?.job;
    return { row, kind: 'exist', why: by === undefined ? `exists already: ${id}` : `created by the job ${by}` };
  }
  if (state === 'unchanged') return { row, kind: 'same' };
  return { row, kind: state === 'conflict' ? 'conflict' : 'fail', why: error };
}

/** Predicts the outcome of a row, with the stages of a run as far as they only read. */
async function planRow(row: QueuedRow, planning: Planning): Promise<RowPlan> {
  const { number } = row;
  const looked = await planning.reads.look(row);
  if (looked === 'left') throw new TypeError('A dry run leaves no row for another run.');
  if ('state' in looked) return settledPlan(row, looked);
  const { plan: writes, found } = looked;
  const [first] = writes;
  if (first === undefined) return { row: number, kind: 'done' };
  const key = keyOf(first.endpoint, first.input);
  // A run sends writes again that are safe to repeat, with no look-up, such as those of a finished removal.
  if (row.earlier && key === undefined && writes.some(({ endpoint }) => endpoint.repeat !== 'safe'))
    return { row: number, kind: 'doubt', why: 'may have been sent by an earlier run' };
  const why = found === 'gone' ? 'had been created, and was deleted since' : undefined;
  return key ? byKey(row, writes, first, key, planning, why) : toCreate(row, writes, planning, why);
}

/** Predicts the outcome of a row with a natural key by what the service has under it. */
async function byKey(
  row: QueuedRow,
  writes: readonly RowWrite[],
  first: RowWrite,
  key: Key,
  planning: Planning,
  gone: string | undefined,
): Promise<RowPlan> {
  const { number, known, hasOwnKey } = row;
  const { onExisting } = planning;
  const isSent = row.earlier || known !== undefined || row.claim !== undefined;
  if (!isSent && !(await planning.mayBeTaken(first))) return toCreate(row, writes, planning);
  const finding = await lookUp(planning.snapshot, first.endpoint, key, first.input);
  if (finding.is === 'absent') return toCreate(row, writes, planning, gone);
  const isSame = finding.is === 'different' && known !== undefined && isSameRow(first, finding.differences);
  if (finding.is === 'ours' || hasOwnKey || isSame || (finding.is === 'invisible' && known !== undefined)) {
    if (known !== undefined) return { row: number, kind: 'exist', why: `created by the job ${known.job}` };
    return { row: number, kind: onExisting === 'fail' ? 'fail' : 'exist', why: 'exists already' };
  }
  if (finding.is === 'invisible')
    return { row: number, kind: 'conflict', why: 'exists, but belongs to another organization' };
  if (onExisting === 'update' && first.updateExisting !== undefined) {
    const update = await first
      .updateExisting(finding.found)
      .catch((error: unknown) => (isKind(error, 'usage') ? error : Promise.reject(error)));
    if (update instanceof EduError) return { row: number, kind: 'conflict', why: update.message };
    return { row: number, kind: 'update', requests: () => requestsOf(update, planning.client), writes: [update] };
  }
  return { row: number, kind: 'conflict', why: finding.differences.map(({ text }) => text).join('; ') };
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

const MAX_MESSAGES = 20;

/** UTF-16 units of requests that are written at a time, unless a person watches. */
const BLOCK = 64 * 1024;

interface RowRequest {
  readonly row: number;
  readonly request: PreparedRequest;
}

const rowRecord = ({ row, request }: RowRequest) => ({ row, ...recordOf(request) });

/** Prints the requests of rows as they are planned: as HTTP text, or as JSON. */
async function printAsPlanned(
  pages: AsyncIterable<readonly RowRequest[]>,
  isText: boolean,
  end: () => object,
  context: Context,
): Promise<void> {
  const { stdout } = context.io;
  const printer = await context.printer();
  const isDocument = printer.traits.oneDocument === true;
  const { safeJson } = await import('../../../output/sanitize.js');
  let isFirst = true;
  let waiting = '';
  async function flush(): Promise<void> {
    const text = waiting;
    waiting = '';
    await (isText ? printer.raw(text) : stdout.write(safeJson(text)));
  }
  for await (const page of pages) {
    for (const one of page) {
      if (isText) waiting += `${isFirst ? '' : '\n'}${asHttp(one.request)}\n`;
      else if (!isDocument) waiting += `${JSON.stringify(rowRecord(one))}\n`;
      else waiting += `${isFirst ? '{"requests":[' : ','}\n${JSON.stringify(rowRecord(one))}`;
      isFirst = false;
    }
    if (waiting.length >= BLOCK || (waiting !== '' && stdout.isTTY)) await flush();
  }
  if (isDocument) waiting += `${isFirst ? '{"requests":[' : '\n'}],${JSON.stringify(end()).slice(1)}\n`;
  if (waiting !== '') await flush();
}

/**
 * Counts the plans of rows, and prints their requests, in the order of the rows.
 * @throws EduError `partial` if rows would fail, as the run would
 */
export async function printPlans(
  path: string,
  rows: number,
  plans: AsyncIterable<readonly RowPlan[]> | readonly (readonly RowPlan[])[],
  context: Context,
): Promise<void> {
  const counts = Object.fromEntries(WORDS.map(([kind]) => [kind, 0])) as Record<Kind, number>;
  const failures = new ProblemList('row', MAX_MESSAGES);
  async function* requestsOfRows(): AsyncGenerator<readonly RowRequest[]> {
    let existMessages = 0;
    for await (const page of plans) {
      for (const { row, kind, why = '' } of page) {
        counts[kind]++;
        if (kind === 'fail' || kind === 'conflict') failures.add(row, why);
        else if (why !== '' && (kind !== 'exist' || existMessages++ < MAX_MESSAGES))
          await notify(`row ${row}: ${why}`, context);
      }
      yield page.flatMap(({ row, requests }) => requests?.().map((request) => ({ row, request })) ?? []);
    }
  }
  async function* records(): AsyncGenerator<readonly unknown[]> {
    for await (const page of requestsOfRows()) yield page.map(rowRecord);
  }
  const printer = await context.printer();
  const form = formOf(printer, context, true);
  if (form === 'list') {
    await printer.list(records(), { shape: ROW_REQUEST, noun: 'requests', ignoresLimit: true });
  } else {
    await printAsPlanned(requestsOfRows(), form === 'text', () => ({ command: path, rows, ...counts }), context);
  }
  const parts = WORDS.filter(([kind]) => counts[kind] > 0).map(([kind, word]) => `${counts[kind]} ${word}`);
  const planned = WORDS.reduce((sum, [kind]) => sum + counts[kind], 0);
  const of = planned === rows ? '' : `${planned} of `;
  await notify(
    `Plan for ${of}${plural(rows, 'row')}: ${parts.join(', ') || 'nothing to do'}. Nothing was sent.`,
    context,
  );
  if (failures.count > 0) {
    throw new EduError('partial', `${failures.count} of ${plural(rows, 'row')} would fail.`, {
      hint: 'Correct these rows, or the items that they refer to, and run the command again.',
      details: failures.problems(),
    });
  }
}

/** Predicts the outcomes of rows, several at a time, in the order of the rows that are looked up. */
async function* planRows(dryRun: BulkDryRun, journal: Journal, context: Context): AsyncGenerator<readonly RowPlan[]> {
  const { verb, job, isDraft, onExisting, concurrency, limit } = dryRun;
  const { manifest } = job;
  const rows = await startRows({ ...dryRun, isRepeated: !isDraft }, journal, context);
  const { known, client, snapshot, matcher } = rows;
  const { warn, end } = rowWarnings(context);
  const throttle = { backOff: ({ error }: Failure) => Promise.reject(error) };
  const reads = new RowReads(
    { verb, journal, known },
    { client, snapshot, matcher, warn, now: () => systemClock.now(), throttle },
  );
  const mayBeTaken = codeProbe(snapshot, Math.min(rowsIn(manifest), limit ?? manifest.rows));
  const planning: Planning = { verb, onExisting, client, snapshot, reads, mayBeTaken };
  for (let row = 1; row <= manifest.rows; row++) {
    const state = journal.state(row);
    if (isFailed(state)) yield [{ row, kind: 'fail', why: journal.outcome(row).error ?? '' }];
    else if (isDone(state) && known.of(row) === undefined)
      yield [{ row, kind: state === 'unchanged' ? 'same' : 'done' }];
  }
  for await (const batch of queuedRows({ ...rows, journal, limit })) {
    const plans: RowPlan[] = [];
    await forEachConcurrently(batch.entries(), concurrency, async ([at, row]) => {
      context.signal.throwIfAborted();
      plans[at] = await planRow(row, planning);
    });
    for (const { writes = [] } of plans) for (const { warnings: texts = [] } of writes) texts.forEach(warn);
    yield plans;
  }
  await end();
}

/** Predicts with the stages of a run, and a copy of its journal. */
export async function bulkDryRun(dryRun: BulkDryRun, context: Context): Promise<void> {
  const { job, isDraft } = dryRun;
  const { path, remove } = temporaryFolder('files');
  let journal: Journal | undefined;
  try {
    journal = await Journal.open(copyJournal(job, path), job.manifest.rows);
    const { manifest } = job;
    await printPlans(manifest.path, rowsIn(manifest), planRows(dryRun, journal, context), context);
  } finally {
    await journal?.close();
    remove();
    if (isDraft) removeFolder(job.folder);
  }
}
