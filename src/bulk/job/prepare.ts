/**
 * From a command line to a job that may be run: the input is copied and checked, references are looked up, and the job
 * is found again or made. Nothing is written to the service here.
 */
import { createReadStream, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Context } from '../../cli/context.js';
import { type EduError, type Problem, usageError } from '../../core/errors.js';
import { codeOf } from '../../core/fs/disk-errors.js';
import { readRegularFile } from '../../core/fs/regular-file.js';
import { type Checked, check } from '../input/check-rows.js';
import { copyInput } from '../input/copy-input.js';
import { type Encoding, encodingOf } from '../input/encoding.js';
import { delimiterOf, openInput } from '../input/open.js';
import { type References, references } from '../input/resolve-references.js';
import { INPUT } from '../input/source.js';
import { summaryOf } from '../results/summary.js';
import { type BulkRequest, referenceHost } from './bulk-request.js';
import { identityOf, jobId } from './identity.js';
import {
  allJobs,
  findJob,
  type JobFolder,
  jobsFolder,
  journalFile,
  keepDraft,
  type Manifest,
  makeDraft,
  removeFolder,
  rowsIn,
  unusable,
  unwritable,
  wordFor,
} from './job-store.js';
import { Journal } from './journal.js';
import { decideResets } from './resets.js';
import { shardOf } from './shard.js';

const REFERENCES = 'references.ndjson';
/** Drafts are removed after this time, in milliseconds, when it can't be told whether their process lives. */
const OLD = 24 * 3_600_000;

export interface Prepared {
  readonly job: JobFolder;
  readonly references: References;
  /** It was there before. */
  readonly isKnown: boolean;
  /** Not a job yet: to be kept, or removed. */
  readonly isDraft: boolean;
  readonly identical: number;
}

function removeOldDrafts(context: Context): void {
  const jobs = jobsFolder(context.env);
  for (const name of readdirSync(jobs)) {
    const folder = join(jobs, name);
    const facts = name.startsWith('.draft-') ? statSync(folder, { throwIfNoEntry: false }) : undefined;
    if (facts !== undefined && context.now() - facts.mtimeMs > OLD) removeFolder(folder);
  }
}

function badInput(name: string, checked: Pick<Checked, 'problems' | 'problemCount'>): EduError {
  const { problems, problemCount } = checked;
  const what = problemCount === 1 ? 'One thing is' : `${problemCount} things are`;
  const more = problemCount - problems.length;
  const rest: Problem[] = more > 0 ? [{ message: `… and ${more} more` }] : [];
  return usageError(
    `${what} wrong with ${name === '-' ? 'the input' : name}. Nothing was sent.`,
    'Mend the input and run the command again. A template: add --template. See: edu help bulk',
    [...problems, ...rest],
  );
}

/** Half of what a text may have in V8: some ten million references. */
const MAX_REFERENCES_BYTES = 256 * 1024 * 1024;

/** Reads what was kept with a job. @throws EduError `usage` when that is damaged */
function restore(found: References, folder: string): void {
  const file = join(folder, REFERENCES);
  try {
    found.restore(readRegularFile(file, MAX_REFERENCES_BYTES));
  } catch (error) {
    throw unusable({ id: basename(folder), damage: `${file} is damaged (${codeOf(error) ?? 'not valid JSON'})` });
  }
}

/** Reads what was kept with a job, else looks everything up and keeps it. */
async function resolved(found: References, folder: string, isKnown: boolean, name: string): Promise<void> {
  const file = join(folder, REFERENCES);
  if (isKnown) {
    restore(found, folder);
    return;
  }
  const missing = await found.resolve();
  if (missing.length > 0) {
    const problems = missing.map(({ lines, message }) => ({
      where: `${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}`,
      message,
    }));
    throw badInput(name, { problems, problemCount: problems.length });
  }
  try {
    writeFileSync(file, found.kept(), { mode: 0o600, flush: true });
  } catch (error) {
    throw unwritable(folder, error);
  }
}

/** The references of a job that is there already. */
export function keptReferences(
  request: Pick<BulkRequest, 'verb' | 'organization'>,
  job: JobFolder,
  context: Context,
): References {
  const found = references(request.verb, referenceHost(context, request.organization));
  restore(found, job.folder);
  return found;
}

function sameName(request: BulkRequest, id: string, identity: string, context: Context): void {
  const { job: name, newJob } = request.options;
  if (name === undefined) return;
  const other = allJobs(context.env).find(({ manifest }) => manifest.name === name && manifest.id !== id);
  if (other === undefined || (!newJob && other.manifest.identity === identity)) return;
  throw usageError(
    `There is a job ${JSON.stringify(name)} already, with another command or another input (${other.manifest.path}, ${other.manifest.rows} rows).`,
    `Choose another --job, or remove that one: edu jobs remove ${wordFor(other.manifest)}`,
  );
}

/** Rows of a job that no run has settled: those that `--limit` left have not been asked about. */
async function rowsLeft(job: JobFolder): Promise<number> {
  const counts = await Journal.count(journalFile(job), job.manifest.rows);
  return summaryOf(job.manifest, counts, rowsIn(job.manifest), 0).left;
}

/** @throws EduError `usage` with all that is wrong with the input */
export async function prepare(request: BulkRequest, context: Context): Promise<Prepared> {
  const { verb, options, settings, line } = request;
  const { from, count, dryRun } = options;
  const encoding = options.encoding === undefined ? undefined : encodingOf(options.encoding);
  const delimiter = options.delimiter === undefined ? undefined : delimiterOf(options.delimiter);
  const shard = options.shard === undefined ? undefined : shardOf(options.shard);
  const draft = makeDraft(context.env, context.machine.unique());
  let isDone = false;
  try {
    removeOldDrafts(context);
    const content =
      from === undefined ? `count ${count}` : await copyInput(from, context.io.stdin, draft, context.signal);
    const found = references(verb, referenceHost(context, request.organization));
    let shape: { readonly encoding: Encoding; readonly marked: boolean } | undefined;
    let checked: Checked = { rows: count ?? 0, identical: 0, problems: [], problemCount: 0 };
    if (from !== undefined) {
      const input = await openInput(createReadStream(join(draft, INPUT)), { name: from, encoding, delimiter });
      shape = { encoding: input.encoding, marked: input.marked };
      checked = await context.during('Checking the rows', check(input, verb, line, found, context.signal));
    } else found.note(line, 1);
    if (checked.problemCount > 0) throw badInput(from ?? '', checked);
    const baseUrl = (await context.client()).baseUrl;
    const facts = { baseUrl, path: verb.path, values: line, settings, content, name: options.job ?? null };
    const identity = identityOf({ ...facts, nonce: options.newJob ? context.machine.unique() : null });
    const id = jobId(identity, shard);
    sameName(request, id, identity, context);
    const known = findJob(context.env, id);
    // Before anything is looked up: with nobody to ask, nothing at all is sent.
    const left = known === undefined ? checked.rows : await rowsLeft(known);
    if (verb.destroys && !dryRun && left > 0) await request.confirm(left);
    await context.during('Looking things up', resolved(found, known?.folder ?? draft, known !== undefined, from ?? ''));
    if (known !== undefined) return { job: known, references: found, isKnown: true, isDraft: false, identical: 0 };
    const manifest: Manifest = {
      version: 1,
      id,
      name: options.job ?? null,
      identity,
      path: verb.path,
      baseUrl,
      values: line,
      settings,
      onExisting: options.onExisting,
      input: from ?? null,
      encoding: shape?.encoding ?? null,
      marked: shape?.marked ?? false,
      delimiter: delimiter ?? null,
      shard: shard ?? null,
      rows: checked.rows,
      created: new Date(context.now()).toISOString(),
    };
    const { identical } = checked;
    const decided = await context.during(
      'Reading what is there',
      decideResets(request, draft, manifest, found, context.signal),
    );
    const whole = { ...manifest, values: { ...line, ...decided } };
    if (dryRun) {
      isDone = true;
      return { job: { folder: draft, manifest: whole }, references: found, isKnown: false, isDraft: true, identical };
    }
    isDone = keepDraft(context.env, draft, whole);
    const job = findJob(context.env, id);
    if (job === undefined) throw usageError(`The job ${id} could not be made in ${jobsFolder(context.env)}.`);
    return { job, references: found, isKnown: !isDone, isDraft: false, identical };
  } finally {
    if (!isDone) removeFolder(draft);
  }
}
