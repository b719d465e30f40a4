/** Predicts the outcome of one row of a dry run with reads only. */
import type { QueuedRow, RowReads } from '../../../bulk/job/row-stages.js';
import type { Outcome } from '../../../bulk/job/states.js';
import type { RowWrite, Verb } from '../../../bulk/row-command.js';
import { type codeProbe, isSameRow } from '../../../bulk/send/known-row.js';
import type { OnExisting } from '../../../bulk/send/row-attempts.js';
import { updateOf } from '../../../bulk/send/update-existing.js';
import { keyOf, lookUp, type Reader } from '../../../client/create/find-by-key.js';
import type { Client, PreparedRequest } from '../../../client/request/client.js';
import { requestsOf } from '../dry-run.js';

/** The predicted outcome of a row. */
export type Kind = 'create' | 'update' | 'same' | 'exist' | 'conflict' | 'doubt' | 'fail' | 'done';

export interface RowPlan {
  readonly row: number;
  readonly kind: Kind;
  readonly why?: string;
  /** Prepared only when they are printed. */
  readonly requests: () => readonly PreparedRequest[];
  /** Those of an item that would be created, whose warnings are shown. */
  readonly writes?: readonly RowWrite[];
}

export const none = (): readonly PreparedRequest[] => [];

export interface Planning {
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
    ...(why === undefined ? {} : { why }),
  };
}

/** What a look-up that makes a request unnecessary says about a row. */
function settledPlan(
  { number: row, known }: QueuedRow,
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
export async function planRow(row: QueuedRow, planning: Planning): Promise<RowPlan> {
  const { number } = row;
  const fails = planning.onExisting === 'fail';
  const writes = await planning.reads.plan(row);
  if (writes === 'left') throw new TypeError('A dry run leaves no row for another run.');
  if ('state' in writes) return settledPlan(row, writes, fails);
  const [first] = writes;
  if (first === undefined) return { row: number, kind: 'done', requests: none };
  const isKeyed = keyOf(first.endpoint, first.input) !== undefined;
  if (row.earlier && !isKeyed)
    return { row: number, kind: 'doubt', why: 'may have been sent by an earlier run', requests: none };
  const found = await planning.reads.find(row, writes);
  if (found === 'left') throw new TypeError('A dry run leaves no row for another run.');
  if (typeof found === 'object') return settledPlan(row, found, fails);
  if (found === 'gone') return toCreate(row, writes, planning, 'had been created, and was deleted since');
  return isKeyed ? byKey(row, writes, first, planning) : toCreate(row, writes, planning);
}

/** Predicts the outcome of a row with a natural key by what the service has under it. */
async function byKey(
  row: QueuedRow,
  writes: readonly RowWrite[],
  first: RowWrite,
  planning: Planning,
): Promise<RowPlan> {
  const { number, known, hasOwnKey } = row;
  const { onExisting } = planning;
  const isSent = row.earlier || known !== undefined || row.claim !== undefined;
  if (!isSent && !(await planning.mayBeTaken(first))) return toCreate(row, writes, planning);
  const finding = await lookUp(planning.snapshot, first.endpoint, first.input);
  if (finding.is === 'absent') return toCreate(row, writes, planning);
  const isSame = finding.is === 'different' && known !== undefined && isSameRow(first, finding.differences);
  if (finding.is === 'ours' || hasOwnKey || isSame || (finding.is === 'invisible' && known !== undefined)) {
    const why = known === undefined ? 'exists already' : `created by the job ${known.job}`;
    return { row: number, kind: onExisting === 'fail' ? 'fail' : 'exist', why, requests: none };
  }
  if (finding.is === 'invisible')
    return { row: number, kind: 'conflict', why: 'exists, but belongs to another organization', requests: none };
  const update = onExisting === 'update' ? updateOf(first, finding.found) : undefined;
  if (update !== undefined) return { row: number, kind: 'update', requests: () => requestsOf(update, planning.client) };
  return { row: number, kind: 'conflict', why: finding.differences.map(({ text }) => text).join('; '), requests: none };
}
