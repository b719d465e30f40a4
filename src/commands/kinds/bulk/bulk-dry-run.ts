/** `--dry-run` with `--from` or `--count`: what a job would do, found out by reads alone, and the requests it would send. */
import type { References } from '../../../bulk/input/resolve-references.js';
import { openRows, rowsOf, valuesReader } from '../../../bulk/input/source.js';
import { type JobFolder, journalFile, lockFile, removeFolder, rowsIn } from '../../../bulk/job/job-store.js';
import { Journal } from '../../../bulk/job/journal.js';
import { type CodedRow, withCodes } from '../../../bulk/job/license-codes.js';
import { isIn } from '../../../bulk/job/shard.js';
import { isDone } from '../../../bulk/job/states.js';
import type { Call, RowWrite, Verb } from '../../../bulk/row-command.js';
import { snapshotOf } from '../../../bulk/send/cached-reader.js';
import type { OnExisting } from '../../../bulk/send/row-attempts.js';
import { updateOf } from '../../../bulk/send/update-existing.js';
import type { Context } from '../../../cli/context.js';
import { keyOf, lookUp, type Reader } from '../../../client/create/find-by-key.js';
import type { PreparedRequest } from '../../../client/request/client.js';
import { EduError } from '../../../core/errors.js';
import { holderOf } from '../../../core/fs/lock.js';
import { asHttp, requestsOf } from '../dry-run.js';
import { talk } from './report.js';

export interface Rehearsal {
  readonly verb: Verb;
  readonly job: JobFolder;
  readonly references: References;
  /** The folder is there for this plan only. */
  readonly isDraft: boolean;
  readonly onExisting: OnExisting;
  readonly concurrency: number;
  /** Rows to plan at most; those that are done are not counted. */
  readonly limit: number | undefined;
}

type Fate = 'create' | 'update' | 'exist' | 'conflict' | 'fail' | 'done';

interface RowPlan {
  readonly row: number;
  readonly fate: Fate;
  readonly why?: string;
  readonly requests: readonly PreparedRequest[];
  readonly warnings?: readonly string[];
}

/** What would become of one row. */
async function planRow(
  row: number,
  { values, hasOwnKey }: CodedRow,
  { verb, onExisting }: Rehearsal,
  reader: Reader,
  prepare: (write: RowWrite | Call) => readonly PreparedRequest[],
): Promise<RowPlan> {
  let writes: readonly RowWrite[];
  try {
    writes = await verb.plan(values);
  } catch (error) {
    if (
      !(error instanceof EduError) ||
      ['unreachable', 'unavailable', 'unauthenticated', 'interrupted', 'terminated'].includes(error.kind)
    )
      throw error;
    return { row, fate: 'fail', why: error.message, requests: [] };
  }
  const [first] = writes;
  const warnings = writes.flatMap((write) => write.warnings ?? []);
  const requests = writes.flatMap(prepare);
  if (first === undefined || keyOf(first.endpoint, first.input) === undefined) {
    return { row, fate: first?.endpoint.repeat === 'safe' ? 'update' : 'create', requests, warnings };
  }
  const finding = await lookUp(reader, first.endpoint, first.input);
  if (finding.is === 'absent') return { row, fate: 'create', requests };
  if (finding.is === 'ours' || (finding.is === 'invisible' && hasOwnKey))
    return { row, fate: onExisting === 'fail' ? 'fail' : 'exist', why: 'exists already', requests: [] };
  if (finding.is === 'invisible') return { row, fate: 'conflict', why: 'exists, and is not yours', requests: [] };
  const update = onExisting === 'update' ? updateOf(first, finding.found) : undefined;
  if (update !== undefined) return { row, fate: 'update', requests: prepare(update) };
  return { row, fate: 'conflict', why: finding.differences.join('; '), requests: [] };
}

const WORDS: readonly (readonly [Fate, string])[] = [
  ['create', 'would be created'],
  ['update', 'would be changed'],
  ['exist', 'exist already'],
  ['conflict', 'are in conflict with something that exists'],
  ['fail', 'would fail'],
  ['done', 'are done already'],
];

/** Prints a plan as its rows come. */
async function planWriter(context: Context) {
  const { io } = context;
  const printer = await context.printer();
  const { machine, oneDocument, idsOnly } = printer.traits;
  const { safeJson } = await import('../../../output/sanitize.js');
  let count = 0;
  const write = (text: string): Promise<void> => (machine ? io.stdout.write(safeJson(text)) : printer.raw(text));
  return {
    async row({ row, requests }: RowPlan): Promise<void> {
      for (const { method, url, headers, body } of requests) {
        const request = { row, method, url, headers, body: body ?? null };
        const before = count++ === 0 ? '' : ',';
        if (oneDocument) await write(`${count === 1 ? '{"requests":[' : before}\n${JSON.stringify(request)}`);
        else if (machine) await write(`${JSON.stringify(request)}\n`);
        else if (!idsOnly)
          await write(`${count === 1 ? '' : '\n'}${asHttp({ method, url, headers, body } as PreparedRequest)}\n`);
      }
    },
    async end(summary: Readonly<Record<string, unknown>>): Promise<void> {
      if (!oneDocument) return;
      await write(`${count === 0 ? '{"requests":[' : '\n'}],${JSON.stringify(summary).slice(1)}\n`);
    },
  };
}

/** Shows what a job would do. Reads only. */
export async function rehearse(rehearsal: Rehearsal, context: Context): Promise<void> {
  const { verb, job, references, isDraft, concurrency, limit = Number.POSITIVE_INFINITY } = rehearsal;
  const { manifest, folder } = job;
  const isBusy = !isDraft && holderOf(lockFile(job), context.now()) !== undefined;
  const journal = isDraft || isBusy ? undefined : await Journal.open(journalFile(job), manifest.rows);
  const counts: Record<Fate, number> = { create: 0, update: 0, exist: 0, conflict: 0, fail: 0, done: 0 };
  try {
    const client = await context.client();
    const reader = snapshotOf(client);
    const input = await openRows(folder, manifest);
    const valuesOf = valuesReader(verb, input, manifest.values, references);
    const coded = withCodes(verb, manifest, context);
    const out = await planWriter(context);
    const prepare = (write: RowWrite | Call): readonly PreparedRequest[] => requestsOf(write, client);
    const note = async (plan: RowPlan): Promise<void> => {
      counts[plan.fate]++;
      for (const warning of plan.warnings ?? []) await context.warn(warning, true);
      if (plan.why !== undefined && plan.fate !== 'exist') await talk(`row ${plan.row}: ${plan.why}`, context);
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
        if (journal !== undefined && isDone(journal.state(row.number))) {
          counts.done++;
          continue;
        }
        if (room-- <= 0) break;
        const values = coded(row.number, valuesOf(row));
        waiting.push(planRow(row.number, values, rehearsal, reader, prepare));
        if (waiting.length >= concurrency) await drain();
      }
    }
    await drain();
    const { create, update, exist, conflict, fail, done } = counts;
    const facts = { create, update, exist, conflict, fail, done };
    await out.end({ command: manifest.path, rows: rowsIn(manifest), ...facts });
    const parts = WORDS.filter(([fate]) => counts[fate] > 0).map(([fate, word]) => `${counts[fate]} ${word}`);
    const planned = Math.min(rowsIn(manifest), counts.done + limit);
    await talk(
      `Plan for ${planned === rowsIn(manifest) ? '' : `${planned} of `}${rowsIn(manifest)} rows: ${parts.join(', ') || 'nothing to do'}. Nothing was sent.`,
      context,
    );
  } finally {
    await journal?.close();
    if (isDraft) removeFolder(folder);
  }
}
