/** The summary of a job: one or two sentences for people, one object for programs. */
import { plural } from '../../core/plural.js';
import { shellLine } from '../../core/shell.js';
import { type Manifest, rowsIn } from '../job/job-manifest.js';
import type { RunEnd } from '../job/run-rows.js';
import { type Counts, isDone, STATES } from '../job/states.js';

export type Summary = Readonly<ReturnType<typeof summaryOf>>;

/**
 * The summary of a job.
 * @param seconds duration of this run
 * @param called the word for the job on a command line
 */
export function summaryOf(
  manifest: Pick<Manifest, 'id' | 'name' | 'path' | 'rows' | 'shard'>,
  { planned: _, sending: __, ...settled }: Counts,
  seconds = 0,
  { learnedRate, refusals }: Pick<RunEnd, 'learnedRate' | 'refusals'> = { learnedRate: undefined, refusals: 0 },
  called = manifest.id,
) {
  const { id, name, path } = manifest;
  const rows = rowsIn(manifest);
  const left = rows - Object.values(settled).reduce((sum, count) => sum + count, 0);
  const failed = settled.rejected + settled.conflict + settled.unknown;
  return {
    job: id,
    name,
    command: path,
    rows,
    ...settled,
    /** Rows not yet sent, or sent and not yet looked up. */
    left,
    done: left === 0 && failed + settled.invalid === 0,
    seconds: Math.round(seconds * 10) / 10,
    /** Requests per second to which the service throttled this run; null if it did not. */
    throttledTo: learnedRate === undefined ? null : Math.round(learnedRate * 10) / 10,
    /** Requests of this run that the service answered with 429. */
    throttled: refusals,
    resume: left === 0 ? null : shellLine('edu', 'jobs', 'resume', called),
    results: shellLine('edu', 'jobs', 'show', called, '--results', 'results.csv'),
    retry: failed === 0 ? null : shellLine('edu', 'jobs', 'retry', called),
  };
}

const NO_ROWS = Object.fromEntries(STATES.map((state) => [state, 0])) as Counts;

/** The summary of a job without rows. */
export const emptySummary = (job: Pick<Manifest, 'id' | 'name' | 'path'>): Summary =>
  summaryOf({ ...job, rows: 0, shard: null }, NO_ROWS);

const WORDS = {
  created: 'created',
  updated: 'done',
  unchanged: 'unchanged',
  exists: 'existed already',
  rejected: 'rejected',
  conflict: 'in conflict with existing items',
  invalid: 'invalid and skipped',
  unknown: 'of unknown outcome',
  left: 'left',
} as const;

/** `498 created, 1 existed already, 1 rejected, in 12 s (41/s).` */
export function summaryText(summary: Summary, sent: number): string {
  const states = Object.keys(WORDS) as (keyof typeof WORDS)[];
  const parts = states.filter((state) => summary[state] > 0).map((state) => `${summary[state]} ${WORDS[state]}`);
  const rate = summary.seconds >= 1 && sent > 0 ? ` (${Math.round(sent / summary.seconds)}/s)` : '';
  const rows = `Job ${summary.name ?? summary.job}, ${plural(summary.rows, 'row')}`;
  const { throttledTo: to } = summary;
  const what = to === null ? plural(summary.throttled, 'request') : `requests to ${to}/s`;
  const throttled = summary.throttled === 0 ? '' : ` The service throttled ${what}.`;
  return `${rows}: ${parts.join(', ') || 'nothing to do'}; ${summary.seconds} s${rate}.${throttled}`;
}

export const doneIn = (counts: Counts): number => STATES.filter(isDone).reduce((sum, state) => sum + counts[state], 0);
