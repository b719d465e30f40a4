/** Runs a job from its folder to its summary. Used by every write with `--from`, and by `edu jobs`. */
import { join, resolve } from 'node:path';
import { systemClock } from '../../client/request/clock.js';
import type { EduError } from '../../core/errors.js';
import { lockOwner, takeLock, withLock } from '../../core/fs/lock.js';
import { isIn } from '../../core/shard.js';
import { shellLine } from '../../core/shell.js';
import type { InputRow } from '../../core/table/rows.js';
import type { BulkHost } from '../host.js';
import type { References } from '../input/resolve-references.js';
import { openRows, rowsOf, type SourceRow, valuesReader } from '../input/row-source.js';
import { failuresIn, type Retry, retryRows } from '../results/failures.js';
import { checkTargets, doneRows, writeResults } from '../results/result-files.js';
import { type ResultShape, resultParts, resultPieces } from '../results/results.js';
import { doneIn, summaryOf } from '../results/summary.js';
import { isUnkeyed, type Verb } from '../row-command.js';
import { errorLimit } from '../send/error-limit.js';
import type { OnExisting } from '../send/row-attempts.js';
import { adoptEarlier, knownRows } from './adopt-rows.js';
import type { Pace } from './bulk-request.js';
import { type EarlierRow, outcomesOf } from './earlier.js';
import { pinRows } from './examine-rows.js';
import { type Manifest, rowsIn } from './job-manifest.js';
import { allJobs, type JobFolder, jobsFolder, journalFile, lockFile, wordFor } from './job-store.js';
import { Journal } from './journal.js';
import { type CodeOptions, weakSecret, withCodes } from './license-codes.js';
import { readRows } from './rows-file.js';
import { runParts } from './run-parts.js';
import { runRows } from './run-rows.js';
import { isFailed, type Outcome } from './states.js';

export interface JobRun extends Pace {
  readonly verb: Verb;
  readonly job: JobFolder;
  readonly references: References;
  /** Folder of relative names of files to send (default: the current one). */
  readonly cwd?: string | undefined;
  readonly onExisting: OnExisting;
  /** Max rows to send; completed rows do not count. */
  readonly limit: number | undefined;
  /** Which rows to retry; rows of unknown outcome are sent without a look-up only on request. */
  readonly retry?: Retry | undefined;
  /** The job existed before: its remaining rows are sent, or all rows again if none remains. */
  readonly isRepeated?: boolean;
  /** The identities of its rows, if the job is new; else they are read. */
  readonly digests?: Buffer | undefined;
  /** Called before the first request. @param done number of completed rows */
  readonly onStart?: (done: number, rows: number) => Promise<void>;
}

export type JobEnd = Awaited<ReturnType<typeof runJob>>;

/** Max number of row warnings that are shown. */
const MAX_WARNINGS = 10;

/** Returns a function that completes the relative names of files in a row's values. */
function filesIn(cwd: string | undefined, { columns }: Verb): (source: SourceRow) => SourceRow {
  const names = columns.flatMap(({ name, form }) => (form === 'file' ? name : []));
  if (cwd === undefined || names.length === 0) return (source) => source;
  return ({ values, own }) => {
    const files = names.flatMap((name) =>
      values[name] === undefined ? [] : [[name, resolve(cwd, `${values[name]}`)]],
    );
    return { values: { ...values, ...Object.fromEntries(files) }, own };
  };
}

/**
 * Marks the rows of a finished job as sent before: where the service refuses to remove or assign the same again, this job
 * did it.
 */
function expectDone(journal: Journal, { rows, shard }: Manifest): void {
  for (let row = 1; row <= rows; row++) if (isIn(shard ?? undefined, row)) journal.settled(row, { state: 'sending' });
}

/**
 * Restarts a finished job that is run again, and marks the rows to retry.
 * @param onRestart stores what the rows mean now; a run that is killed after it finds the job finished still
 * @returns whether no row was left before, and whether the job starts again from its first row
 */
async function restart(run: JobStart, journal: Journal, { signal }: BulkHost, onRestart: () => void) {
  const { verb, references, retry } = run;
  const { manifest, folder } = run.job;
  const total = rowsIn(manifest);
  const isLeft = summaryOf(manifest, journal.counts()).left > 0;
  const isOver = run.isRepeated === true && !isLeft;
  const isDone = isOver && !verb.creates && doneIn(journal.counts()) === total;
  // A run that was killed after its last row has not reported the end of the job, which this run does.
  const isRestarted = isDone && journal.isEnded;
  if (isRestarted) {
    references.restart();
    await pinRows({ ...run, folder, manifest, skipped: new Set(), signal });
    onRestart();
    journal.restart();
    // An upload that may have been sent before is not repeated.
    if (verb.columns.every(({ form }) => form !== 'file')) expectDone(journal, manifest);
  } else {
    // A job that was stopped by an outage also goes on with the rows that it failed before.
    const how = retry ?? (isLeft ? 'temporary' : isOver && !isDone ? 'failed' : undefined);
    if (how !== undefined) retryRows(journal, manifest, how);
  }
  return { isOver, isRestarted };
}

/** What a run needs before its first row: a dry run gives it a copy of the journal. */
export interface JobStart
  extends Pick<JobRun, 'verb' | 'job' | 'references' | 'digests' | 'cwd' | 'retry' | 'isRepeated'> {
  /** The jobs that began before this one, and had not ended then. */
  readonly running?: ReadonlySet<string>;
}

/**
 * The remaining rows of a job, with what earlier runs and jobs did with them, and the parts of a run. Writes to the journal
 * only.
 * @param onRestart called before the journal of a finished job starts again
 */
export async function startRows(run: JobStart, journal: Journal, context: BulkHost, onRestart = (): void => {}) {
  const { verb, job } = run;
  const { manifest, folder } = job;
  const { isOver, isRestarted } = await restart(run, journal, context, onRestart);
  const digests = run.digests ?? readRows(job);
  const before = doneIn(journal.counts());
  const how = { withKnown: isOver && isUnkeyed(verb), sendsUnknown: run.retry === 'unknown', running: run.running };
  const earlier = verb.creates
    ? await adoptEarlier(context.env, job, digests, journal, context.now(), how)
    : new Map<number, EarlierRow>();
  // `edu jobs resume` is the same as running the command again.
  const isLine = run.isRepeated === true || run.retry === undefined;
  // The entries of rows that are sent again are read back.
  await journal.flush();
  const known = knownRows(job, journal, earlier, isOver && verb.creates ? 'all' : isLine ? 'undone' : 'none');
  const input = await openRows(folder, manifest);
  const valuesFor = valuesReader(verb, input, manifest.values, run.references);
  const coded = withCodes(verb, digests, context);
  const inFolder = filesIn(run.cwd, verb);
  const takenIds = [...outcomesOf(earlier.values())].flatMap(({ id }) => id ?? []);
  const matched = { journal, rows: manifest.rows, isPart: manifest.shard !== null, takenIds };
  return {
    ...runParts(await context.client(), matched, context),
    isRestarted,
    before,
    verb,
    known,
    rows: rowsOf(input, manifest.rows),
    valuesOf: (row: InputRow, options?: CodeOptions) => coded(row.number, inFolder(valuesFor(row)), options),
    shard: manifest.shard ?? undefined,
  };
}

/** Warns once of each text, up to a number of texts. */
export function rowWarnings(context: BulkHost) {
  const warned = new Set<string>();
  return {
    warn(text: string): void {
      if (warned.has(text)) return;
      warned.add(text);
      if (warned.size <= MAX_WARNINGS) void context.warn(text);
    },
    async end(): Promise<void> {
      const more = warned.size - MAX_WARNINGS;
      if (more > 0) await context.warn(`${more} more warnings like these.`);
    },
  };
}

/** Shows the progress of a job. @param before numbers of rows that earlier runs completed, and of those to check again */
export async function rowProgress(
  { manifest }: JobFolder,
  journal: Journal,
  { done, again }: { readonly done: number; readonly again: number },
  context: BulkHost,
) {
  const total = rowsIn(manifest);
  const failedBefore = total - done - summaryOf(manifest, journal.counts()).left;
  const endedBefore = done - again + failedBefore;
  const label = shellLine('edu', ...manifest.path.split(' '));
  const bar = (await context.progress()).bar(label, total, 'items', endedBefore);
  let sent = 0;
  let failed = failedBefore;
  const show = (learnedRate: number | undefined, failure?: EduError): void => {
    const notes = failed === 0 ? [] : [`${failed} failed`];
    if (learnedRate !== undefined) notes.push(`throttled to ${Math.round(learnedRate)}/s`);
    else if (failure?.status === 429) notes.push('throttled');
    if (failure && failure.status !== 429) notes.push(`retrying after ${failure.status ?? 'no response'}`);
    bar.at(endedBefore + sent, notes.join(', '));
  };
  return {
    /** Number of rows sent in this run. */
    sent: () => sent,
    onRow({ state }: Outcome, learnedRate: number | undefined): void {
      sent++;
      if (isFailed(state)) failed++;
      show(learnedRate);
    },
    onFailure: show,
    done: () => bar.done(),
  };
}

const itemsOf = (rows: number): string => (rows === 1 ? 'The item of 1 row' : `The items of ${rows} rows`);

/** Sends the remaining rows of a job whose journal is open. */
async function sendRows(run: JobRun & JobStart, journal: Journal, context: BulkHost) {
  const { verb, job } = run;
  const { manifest } = job;
  const total = rowsIn(manifest);
  const store = (): void => run.references.store(job.folder);
  const { isRestarted, before, ...rows } = await startRows(run, journal, context, store);
  if (before < total && !isRestarted) await run.onStart?.(before, total);
  const weak = verb.codeOf === undefined || manifest.values.code !== undefined ? undefined : weakSecret(context.env);
  if (weak !== undefined) await context.warn(weak);
  const warnings = rowWarnings(context);
  const progress = await rowProgress(job, journal, { done: before, again: rows.known.own }, context);
  const began = systemClock.now();
  const end = await runRows({
    ...rows,
    concurrency: run.concurrency,
    maxRate: run.maxRate,
    onExisting: run.onExisting,
    endsWith: errorLimit(run.maxErrors, total),
    limit: run.limit,
    warn: warnings.warn,
    onRow: progress.onRow,
    onFailure: progress.onFailure,
  });
  progress.done();
  await warnings.end();
  if (end.gone > 0) await context.warn(`${itemsOf(end.gone)} had been deleted and created again.`);
  const were = end.cancelled === 1 ? 'was' : 'were';
  const cancelled = `${itemsOf(end.cancelled)} ${were} cancelled by \`edu jobs undo\`, and not created again.`;
  if (end.cancelled > 0) await context.warn(cancelled);
  const summary = summaryOf(manifest, journal.countsToSend(), (systemClock.now() - began) / 1000, end, wordFor(job));
  return { end, summary, sent: progress.sent(), before };
}

/**
 * Takes the lock of a job. One job after the other does so, so that of two that begin at the same time and have equal rows
 * only one finds the other running.
 * @returns also the IDs of the jobs that were running
 */
const begin = ({ env, machine, now }: BulkHost, job: JobFolder) =>
  withLock(join(jobsFolder(env), '.beginning'), machine, async () => {
    const others = allJobs(env).filter((one) => lockOwner(lockFile(one), now()) !== undefined);
    const unlock = await takeLock(lockFile(job), machine, 'This job is being run');
    return { unlock, running: new Set(others.map(({ manifest }) => manifest.id)) };
  });

/** Runs a job. The caller prints the results and then calls `close`. */
export async function runJob(run: JobRun, context: BulkHost) {
  const { verb, job } = run;
  const { manifest } = job;
  checkTargets(run, manifest.rows, context);
  const { unlock, running } = await begin(context, job);
  let opened: Journal | undefined;
  try {
    const journal = await Journal.open(journalFile(job), manifest.rows);
    opened = journal;
    const { end, summary, sent, before } = await sendRows({ ...run, running }, journal, context);
    const results = resultParts(job, journal);
    const ended = new Date(context.now()).toISOString();
    await writeResults(run, manifest, results, verb.codeOf !== undefined, context);
    return {
      summary,
      end,
      /** Number of rows sent in this run. */
      sent,
      /** Number of rows completed before this run. */
      doneBefore: before - end.gone + end.found,
      failures: failuresIn(journal, manifest),
      /** Results for stdout. */
      pieces: (shape: ResultShape) => resultPieces(results, () => shape),
      rows: () => doneRows(journal, manifest),
      close: async (): Promise<void> => {
        journal.endRun(ended);
        await journal.close();
        unlock();
      },
    };
  } catch (error) {
    await opened?.close().catch(() => {});
    unlock();
    throw error;
  }
}
