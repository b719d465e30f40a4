/** Adopts rows of earlier jobs that were created, or may have been. */
import type { Env } from '../../core/io.js';
import { getOrSet } from '../../core/maps.js';
import type { KnownRow } from '../send/known-row.js';
import { type EarlierRow, earlierRows } from './earlier.js';
import { nameOf } from './job-manifest.js';
import type { JobFolder } from './job-store.js';
import type { Journal } from './journal.js';
import { isDone, isFailed } from './states.js';

/**
 * Finds rows of other jobs with the same identity as remaining rows of this one. A row that may have been sent there is
 * recorded as sent here too, so that it is reconciled instead of sent again, unless the user asked to send rows of
 * unknown outcome. The caller must flush the journal.
 * @param withKnown also find other items of rows that this job created, which may have been deleted since
 * @param running of `earlierRows`
 * @returns those that were created
 */
export async function adoptEarlier(
  env: Env,
  job: JobFolder,
  digests: Buffer,
  journal: Journal,
  now: number,
  {
    withKnown,
    sendsUnknown,
    running,
  }: {
    readonly withKnown: boolean;
    readonly sendsUnknown: boolean;
    readonly running?: ReadonlySet<string> | undefined;
  },
): Promise<ReadonlyMap<number, EarlierRow>> {
  const isLeft = (row: number): boolean => !isDone(journal.state(row)) && !isFailed(journal.state(row));
  const isKnown = (row: number): boolean => withKnown && isDone(journal.state(row));
  const found = await earlierRows(env, job, digests, isLeft, isKnown, now, running);
  const made = new Map<number, EarlierRow>();
  /** The numbers of copied lists of existing items. */
  const copies = new Map<ReadonlySet<string>, number>();
  const copyOf = ({ listed, job: other }: EarlierRow): number | undefined =>
    listed && getOrSet(copies, listed, () => journal.keepListing(`of the job ${other}`, listed));

  for (const [row, earlier] of found) {
    const { state, code, key = code } = earlier.outcome;
    if (isDone(state)) made.set(row, earlier);
    else if (journal.state(row) === 'planned' && !sendsUnknown) void journal.sending(row, key, copyOf(earlier));
  }
  return made;
}

/**
 * The rows whose items were created before this run.
 * @param withOwn which rows that this job created are checked again: all, or those whose items an undo deleted
 */
export function knownRows(
  { manifest }: JobFolder,
  journal: Journal,
  earlier: ReadonlyMap<number, EarlierRow>,
  withOwn: 'all' | 'undone' | 'none',
): { readonly count: number; readonly own: number; readonly of: (row: number) => KnownRow | undefined } {
  const isOwn = (row: number): boolean => {
    const state = journal.state(row);
    if (withOwn === 'none' || !isDone(state) || state === 'updated') return false;
    return withOwn === 'all' || journal.isDeleted(row);
  };
  let own = 0;
  if (withOwn !== 'none') for (let row = 1; row <= manifest.rows; row++) if (isOwn(row)) own++;
  return {
    count: own + earlier.size,
    own,
    of: (row) => {
      const found = earlier.get(row);
      if (isOwn(row)) {
        const others = found && [found, ...(found.others ?? [])];
        return { outcome: journal.outcome(row), job: nameOf(manifest), isOwn: true, ...(others && { others }) };
      }
      return found === undefined || isDone(journal.state(row)) ? undefined : { ...found, isOwn: false };
    },
  };
}
