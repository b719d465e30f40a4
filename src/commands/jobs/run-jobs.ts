/** Runs `edu jobs …`: lists, shows, resumes and removes bulk jobs. */
import { rowsIn } from '../../bulk/job/job-manifest.js';
import {
  isDamaged,
  type JobFolder,
  journalFile,
  lockFile,
  removeFolder,
  removeJobFolder,
  requireJob,
  requireStored,
  type StoredJob,
  storedJobs,
} from '../../bulk/job/job-store.js';
import { Journal } from '../../bulk/job/journal.js';
import { lastRunEnd } from '../../bulk/job/journal-entry.js';
import type { Counts } from '../../bulk/job/states.js';
import { doneIn, summaryOf } from '../../bulk/results/summary.js';
import { type Command, type Commands, isOn, textOf, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { commandAt } from '../../cli/find-command.js';
import { wordHint } from '../../cli/hints.js';
import { parseDuration } from '../../core/duration.js';
import { usageError } from '../../core/errors.js';
import { lockOwner } from '../../core/fs/lock.js';
import { isStdout } from '../../core/fs/output-file.js';
import { plural } from '../../core/plural.js';
import { shellLine } from '../../core/shell.js';
import { asEduError } from '../../output/error-report.js';
import { requireYes } from '../kinds/confirm.js';
import { sayFolderProfile } from '../kinds/define.js';
import { notify } from '../kinds/print-result.js';
import { JOB_SHAPE } from './job-shape.js';

/** The number of rows by state, as recorded at the end of the last run; after a crash all entries are read. */
const countsOf = async (job: JobFolder): Promise<Counts> =>
  lastRunEnd(journalFile(job))?.counts ?? Journal.count(journalFile(job), job.manifest.rows);

/** The state of a job's rows; null where it is unknown. */
interface Progress {
  readonly state: string;
  readonly done: number | null;
  readonly failed: number | null;
  readonly left: number | null;
}

const DAMAGED: Progress = { state: 'damaged', done: null, failed: null, left: null };

/** All fields of a job, whose values are unknown. */
const UNKNOWN = Object.fromEntries(Object.keys(JOB_SHAPE.fields).map((name) => [name, null]));

function shownAs(job: StoredJob, { state, done, failed, left }: Progress) {
  if (isDamaged(job)) return { ...UNKNOWN, id: job.id, state };
  const { id, name, path: command, input: file, organization, created: started, baseUrl, shard } = job.manifest;
  const rows = { state, rows: rowsIn(job.manifest), done, failed, left };
  const part = shard === null ? null : `${shard.index}/${shard.count}`;
  return { id, name, command, file, organization, ...rows, started, baseUrl, shard: part };
}

async function progressOf(job: JobFolder, context: Context): Promise<Progress> {
  const { manifest } = job;
  const counts = await countsOf(job);
  const { rejected, conflict, unknown, invalid, left } = summaryOf(manifest, counts);
  const failed = rejected + conflict + unknown + invalid;
  const owner = lockOwner(lockFile(job), context.now());
  const ended = left > 0 ? 'not finished' : failed > 0 ? 'failed rows' : 'done';
  return { state: owner === undefined ? ended : 'running', done: doneIn(counts), failed, left };
}

/** The progress of any job; `damage` ends without a full stop. Never throws. */
async function examined(job: StoredJob, context: Context): Promise<Progress & { readonly damage?: string }> {
  if (isDamaged(job)) return { ...DAMAGED, damage: job.damage };
  try {
    return await progressOf(job, context);
  } catch (error) {
    return { ...DAMAGED, damage: asEduError(error).message.replace(/\.$/, '') };
  }
}

export async function listJobs(context: Context): Promise<void> {
  async function* pages(): AsyncGenerator<readonly unknown[]> {
    for (const job of storedJobs(context.env)) {
      const { damage, ...progress } = await examined(job, context);
      const entry = shownAs(job, progress);
      if (damage !== undefined) {
        const advice = wordHint(`What to do: ${shellLine('edu', 'jobs', 'show', entry.id)}`, context.globals);
        await context.warn(`The job ${entry.id} is damaged: ${damage}. ${advice}`);
      }
      yield [entry];
    }
  }
  await (await context.printer()).list(pages(), { shape: JOB_SHAPE, noun: 'jobs' });
}

const named = (values: Values, context: Context): JobFolder => requireJob(context.env, textOf(values, 'job') ?? '');

/** A file name with the ending of the output format. @throws EduError `usage` for one that results do not have */
async function formOnStdout(context: Context): Promise<string> {
  if (!isOn(context.globals, 'json') && context.effective().output === undefined) return '.csv';
  const { format } = await context.printer();
  if (['csv', 'tsv', 'json', 'ndjson', 'xlsx'].includes(format)) return `.${format}`;
  throw usageError(`--results - prints csv, tsv, json, ndjson or xlsx, not ${format}.`, 'Add --output csv.');
}

export async function showJob(values: Values, context: Context): Promise<void> {
  const job = named(values, context);
  const results = textOf(values, 'results');
  const printer = await context.printer();
  if (results !== undefined) {
    const isShown = !isStdout(results) && printer.traits.machine === true;
    const { requireWholeRows, writeOutcomes } = await import('../../bulk/results/result-files.js');
    if (!isShown) requireWholeRows(context.globals);
    await writeOutcomes(job, results, context, isStdout(results) ? await formOnStdout(context) : results);
    if (!isShown) return;
  }
  await printer.item(shownAs(job, await progressOf(job, context)), JOB_SHAPE);
}

/** The command that a job runs. @throws EduError `usage` if this version of edu does not have it */
export async function commandOf({ manifest }: JobFolder, commands: Commands): Promise<Command> {
  const command = await commandAt(manifest.path, commands);
  if (command?.resume === undefined)
    throw usageError(`The job ${manifest.id} ran "edu ${manifest.path}", which this version of edu does not have.`);
  return command;
}

export async function resumeJob(
  values: Values,
  retry: 'failed' | 'unknown' | undefined,
  context: Context,
  commands: Commands,
): Promise<void> {
  const job = named(values, context);
  const own = await commandOf(job, commands);
  const { job: _, unknown: __, ...flags } = values;
  await sayFolderProfile(context);
  await own.resume?.(job.manifest.id, { ...flags, retry }, context);
}

const calledOf = (job: StoredJob): string => (isDamaged(job) ? job.id : (job.manifest.name ?? job.manifest.id));

async function removalRisk(job: StoredJob, context: Context): Promise<string | undefined> {
  const { state, left, failed, damage } = await examined(job, context);
  if (damage !== undefined) return `it is unknown what was sent: ${damage}`;
  if (state === 'done') return undefined;
  return left === 0
    ? `${plural(failed ?? 0, 'row')} failed`
    : `${plural(left ?? 0, 'row is', 'rows are')} not finished`;
}

/** @param line removes the jobs without a question */
async function mayRemove(job: StoredJob, line: string, context: Context): Promise<void> {
  const called = calledOf(job);
  const owner = lockOwner(lockFile(job), context.now());
  if (owner !== undefined) throw usageError(`The job ${called} is being run by ${owner}.`, 'Stop it first.');
  const why = await removalRisk(job, context);
  if (why === undefined) return;
  const action = `remove the job ${called} (${why})`;
  await requireYes({ action, question: `Remove the job ${called}? ${why}.`, done: 'removed', line }, context);
}

/** Removes a job's folder. The ledger still lists the created items, unless `forgets` is true. */
async function removeJob(job: StoredJob, forgets: boolean, context: Context): Promise<void> {
  if (!isDamaged(job)) {
    const { dropFromLedger, addToLedger } = await import('../../bulk/job/earlier.js');
    if (forgets) dropFromLedger(context.env, job);
    else await addToLedger(context.env, job);
  }
  removeJobFolder(job.folder);
}

/** The time at which a job ended, or was created if that is unknown, in milliseconds since the epoch. */
const endedAt = (job: JobFolder): number => Date.parse(lastRunEnd(journalFile(job))?.ended ?? job.manifest.created);

export async function pruneJobs(values: Values, context: Context): Promise<void> {
  const text = textOf(values, 'older-than') ?? '90d';
  const age = parseDuration(text);
  // Seconds, as without a unit elsewhere, are hardly meant.
  if (age === undefined || (age > 0 && /\d$/.test(text)))
    throw usageError(`--older-than ${JSON.stringify(text)} must be a duration such as 90d or 12h.`);
  let count = 0;
  for (const job of storedJobs(context.env)) {
    if (isDamaged(job) || context.now() - endedAt(job) < age) continue;
    if ((await examined(job, context)).state !== 'done') continue;
    await removeJob(job, isOn(values, 'forget'), context);
    count++;
  }
  const { endedPlans, oldAssistantFiles } = await import('../../plan/apply/plan-records.js');
  const plans = endedPlans(context, age);
  for (const folder of plans) removeFolder(folder);
  const files = oldAssistantFiles(context, age);
  for (const file of files) removeFolder(file);
  const removed = [
    plural(count, 'finished job'),
    ...(plans.length === 0 ? [] : [`the records of ${plural(plans.length, 'applied plan')}`]),
    ...(files.length === 0 ? [] : [`${plural(files.length, 'file')} of plans of assistants`]),
  ];
  await notify(`Removed ${removed.join(' and ')}.`, context);
}

export async function removeJobs(values: Values, context: Context): Promise<void> {
  const names = textsOf(values, 'job');
  const jobs = names.map((name) => requireStored(context.env, name));
  for (const job of jobs) await mayRemove(job, shellLine('edu', 'jobs', 'remove', ...names, '--yes'), context);
  for (const job of jobs) {
    await removeJob(job, isOn(values, 'forget'), context);
    await context.say(`Removed the job ${calledOf(job)}.`);
  }
}
