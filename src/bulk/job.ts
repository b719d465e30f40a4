/** A job from its folder to its summary: locked, run, reported. Used by every write with `--from`, and by `edu jobs`. */
import { accessSync, constants, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Context } from '../context.js';
import { EduError, type Problem, usageError } from '../errors.js';
import { codeBytes } from './identity.js';
import type { InputRow, Rows } from './input/rows.js';
import { Journal } from './journal.js';
import { takeLock } from './lock.js';
import type { References } from './references.js';
import { chance } from './request.js';
import { fileSink, type ResultParts, type ResultShape, resultText, shapeFor } from './results.js';
import { type RunEnd, runRows } from './run.js';
import { codeSecret } from './secret.js';
import type { OnExisting } from './settle-context.js';
import { isIn } from './shard.js';
import { openRows, rowsOf, valuesReader } from './source.js';
import { isDone, isFailed, type Outcome } from './states.js';
import { type JobFolder, keepStanding, type Manifest } from './store.js';
import { doneIn, type Summary, summaryOf } from './summary.js';
import type { Values, Verb } from './verb.js';

export interface JobRun {
  readonly verb: Verb;
  readonly job: JobFolder;
  readonly references: References;
  readonly concurrency: number;
  readonly onExisting: OnExisting;
  readonly maxErrors: number | undefined;
  readonly results: string | undefined;
  readonly failed: string | undefined;
  /** Try rows again that failed; those of unknown outcome without a look-up only when that is asked for. */
  readonly retry?: 'failed' | 'unknown' | undefined;
  /** Called when the journal is open and nothing has been sent: how many rows are done already. */
  readonly onStart?: (done: number, rows: number) => Promise<void>;
}

export interface JobEnd {
  readonly summary: Summary;
  readonly end: RunEnd;
  /** Rows that were sent in this run. */
  readonly sent: number;
  /** The first rows that failed. */
  readonly failures: readonly Problem[];
  /** Results as text for stdout. */
  readonly text: (shape: ResultShape) => AsyncGenerator<string>;
  readonly ids: () => AsyncGenerator<string>;
  readonly close: () => Promise<void>;
}

/** Rows that failed, as an error shows them. */
const MOST_SHOWN = 20;
/** Attempts of a row after the first, unless --retries says otherwise. */
const RETRIES = 3;
/** Warnings about rows that are shown. */
const MOST_WARNINGS = 10;

/** Text that is handed on at a time, in UTF-16 units. */
const BLOCK = 64 * 1024;

const LOCK = 'lock';
const JOURNAL = 'journal.ndjson';

export const lockFile = (job: JobFolder): string => join(job.folder, LOCK);
export const journalFile = (job: JobFolder): string => join(job.folder, JOURNAL);

/** Rows of a job's shard. */
export function rowsIn({ rows, shard }: Manifest): number {
  return shard === null ? rows : Math.max(0, Math.floor((rows - shard.index) / shard.of) + 1);
}

/** @throws a usage error when a file could not be written at the end */
function checkTarget(flag: string, file: string | undefined): void {
  if (file === undefined || file === '-') return;
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw usageError(`${flag}: ${file} is a folder.`);
    accessSync(dirname(resolve(file)), constants.W_OK);
  } catch (error) {
    if (error instanceof EduError) throw error;
    throw usageError(`${flag}: ${file} can't be written: its folder does not exist or may not be written to.`);
  }
}

/** Gives a row its code. */
export function withCodes(verb: Verb, manifest: Manifest, context: Context): (row: number, values: Values) => Values {
  const { codeOf } = verb;
  if (codeOf === undefined) return (_, values) => values;
  let secret: string | undefined;
  return (row, values) => {
    if (values.code !== undefined) return values;
    secret ??= codeSecret(context.env, context.effective().profile.value, context.machine.unique);
    return { ...values, code: codeOf(codeBytes(secret, manifest.identity, row)) };
  };
}

function retryRows(journal: Journal, manifest: Manifest, how: 'failed' | 'unknown'): void {
  for (let row = 1; row <= manifest.rows; row++) {
    const state = journal.state(row);
    if (!isFailed(state)) continue;
    // A row that may have been done is looked up before it is sent again.
    journal.settled(row, { state: state === 'unknown' && how === 'failed' ? 'sending' : 'planned' });
  }
}

function failuresIn(journal: Journal, { rows }: Manifest): Problem[] {
  const shown: Problem[] = [];
  for (let row = 1; row <= rows && shown.length < MOST_SHOWN; row++) {
    const state = journal.state(row);
    if (isFailed(state)) shown.push({ where: `row ${row}`, message: `${state}: ${journal.outcome(row).error ?? ''}` });
  }
  return shown;
}

/** `--failed` has the form of the input, so that `--from` with the same flags reads it. */
function shapeOfInput(file: string, { encoding, marked }: Manifest): (rows: Rows | undefined) => ResultShape {
  return (rows) => {
    if (rows === undefined) return shapeFor(file);
    return { format: rows.format, delimiter: rows.delimiter ?? ',', encoding: encoding ?? 'utf-8', marked };
  };
}

async function writeResults(run: JobRun, parts: ResultParts, context: Context): Promise<void> {
  const unique = context.machine.unique();
  const { manifest } = run.job;
  const targets = [
    { file: run.results, shapeOf: () => shapeFor(run.results ?? ''), encoding: 'utf-8' as const, failedOnly: false },
    {
      file: run.failed,
      shapeOf: shapeOfInput(run.failed ?? '', manifest),
      encoding: manifest.encoding ?? 'utf-8',
      failedOnly: true,
    },
  ];
  for (const { file, shapeOf, encoding: written, failedOnly } of targets) {
    if (file === undefined) continue;
    const text = resultText(parts, shapeOf, failedOnly, failedOnly && run.verb.codeOf !== undefined);
    if (file === '-') {
      for await (const piece of text) await context.io.stdout.write(piece);
      continue;
    }
    const sink = fileSink(file, written, unique);
    try {
      for await (const piece of text) sink.write(piece);
      sink.end();
    } catch (error) {
      sink.drop();
      throw error;
    }
  }
}

/** Runs a job. The caller prints, and closes at the end. */
export async function runJob(run: JobRun, context: Context): Promise<JobEnd> {
  const { verb, job } = run;
  const { manifest, folder } = job;
  checkTarget('--results', run.results);
  checkTarget('--failed', run.failed);
  const unlock = takeLock(lockFile(job), context.now, context.machine.unique);
  let journal: Journal | undefined;
  try {
    journal = await Journal.open(journalFile(job), manifest.rows);
    const open = journal;
    if (run.retry !== undefined) retryRows(open, manifest, run.retry);
    const total = rowsIn(manifest);
    const before = doneIn(open.counts());
    await run.onStart?.(before, total);
    const rows = await openRows(folder, manifest);
    const valuesFor = valuesReader(verb, rows, manifest.values, run.references);
    const coded = withCodes(verb, manifest, context);
    const warned = new Set<string>();
    let sent = 0;
    const progress = await context.progress();
    const bar = progress.bar(`edu ${manifest.path}`, total, 'items');
    const failedBefore = total - before - summaryOf(manifest, open.counts(), total, 0).left;
    let failed = failedBefore;
    const began = context.now();
    const end = await runRows({
      verb,
      client: await context.client(),
      journal: open,
      rows: rowsOf(rows, manifest.rows),
      valuesOf: (row: InputRow) => coded(row.number, valuesFor(row)),
      shard: manifest.shard ?? undefined,
      concurrency: run.concurrency,
      retries: context.effective().retries?.value ?? RETRIES,
      onExisting: run.onExisting,
      maxErrors: run.maxErrors,
      signal: context.signal,
      now: context.now,
      random: chance(context),
      warn: (text) => {
        if (warned.has(text) || warned.size >= MOST_WARNINGS) return;
        warned.add(text);
        void context.warn(text);
      },
      onRow: (outcome: Outcome) => {
        sent++;
        if (isFailed(outcome.state)) failed++;
        bar.at(before + failedBefore + sent, failed === 0 ? undefined : `${failed} failed`);
      },
    });
    bar.done();
    const summary = summaryOf(manifest, open.counts(), total, (context.now() - began) / 1000);
    const parts: ResultParts = {
      rows: () => openRows(folder, manifest),
      count: manifest.rows,
      shard: manifest.shard ?? undefined,
      journal: open,
    };
    await writeResults(run, parts, context);
    const standing = { journal: open.size, counts: open.counts(), ended: new Date(context.now()).toISOString() };
    keepStanding(folder, standing, context.machine.unique());
    return {
      summary,
      end,
      sent,
      failures: failuresIn(open, manifest),
      text: (shape) => resultText(parts, () => shape, false, false),
      ids: () => idsOf(open, manifest),
      close: async () => {
        await open.close();
        unlock();
      },
    };
  } catch (error) {
    await journal?.close().catch(() => {});
    unlock();
    throw error;
  }
}

async function* idsOf(journal: Journal, { rows, shard }: Manifest): AsyncGenerator<string> {
  let text = '';
  for (let row = 1; row <= rows; row++) {
    if (!isIn(shard ?? undefined, row) || !isDone(journal.state(row))) continue;
    const { id } = journal.outcome(row);
    if (id !== undefined) text += `${id}\n`;
    if (text.length < BLOCK) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}
