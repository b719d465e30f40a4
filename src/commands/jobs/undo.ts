/** Runs `edu jobs undo`, which is a job of its own. */
import type { JobRun } from '../../bulk/job/job.js';
import { nameOf } from '../../bulk/job/job-manifest.js';
import { type JobFolder, journalFile, lockFile, requireJob, wordFor } from '../../bulk/job/job-store.js';
import { Journal } from '../../bulk/job/journal.js';
import type { MadeRow } from '../../bulk/job/undo-job.js';
import { doneIn, emptySummary } from '../../bulk/results/summary.js';
import { internalVerb, type Verb } from '../../bulk/row-command.js';
import { type Command, type Commands, isOn, textOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { resources } from '../../contract/index.js';
import type { Resource } from '../../contract/resource.js';
import { EduError, isKind, type Problem, usageError } from '../../core/errors.js';
import { takeLock } from '../../core/fs/lock.js';
import { plural } from '../../core/plural.js';
import { shellLine } from '../../core/shell.js';
import { paceOf, retryOf } from '../kinds/bulk/bulk-options.js';
import { checkOutputs, printSummary, runBulkJob } from '../kinds/bulk/report.js';
import { LOOK_UP } from '../kinds/bulk/run.js';
import { confirmedLine, requireYes } from '../kinds/confirm.js';
import { sayFolderProfile } from '../kinds/define.js';
import { notify } from '../kinds/print-result.js';
import { isDryRun } from '../kinds/spec.js';
import { commandOf } from './run-jobs.js';

const MAX_NAMED = 20;

/** The command that lists what a job did. */
const resultsLine = (job: JobFolder): string =>
  shellLine('edu', 'jobs', 'show', wordFor(job), '--results', 'results.csv');

function resourceOfJob(job: JobFolder): Resource {
  const { manifest } = job;
  const [group = '', verb = ''] = manifest.path.split(' ');
  const found = resources.find(({ name }) => name === group);
  if (found !== undefined && (verb === 'create' || verb === 'upload')) return found;
  throw usageError(
    `Cannot undo the job ${nameOf(manifest)}: its command, ${manifest.path}, creates nothing that could be deleted.`,
    `To see what it did: ${resultsLine(job)}`,
  );
}

const amountOf = (count: number, { noun }: Resource): string => plural(count, ...noun);

/** The error for a job whose items the API cannot delete. */
function cannotUndo(job: JobFolder, resource: Resource, count: number, first: readonly MadeRow[]): EduError {
  const [noun] = resource.noun;
  const details: Problem[] = first.map(({ row, id }) => ({
    where: `row ${row}`,
    message: id === undefined ? `one ${noun} may have been created` : `${noun} ${id} stays`,
  }));
  if (count > first.length) details.push({ message: `… and ${count - first.length} more` });
  const what = `the API cannot delete ${amountOf(count, resource)}. Nothing was sent.`;
  const hint = `To list all IDs: ${resultsLine(job)}`;
  return new EduError('partial', `Cannot undo the job ${nameOf(job.manifest)}: ${what}`, { hint, details });
}

const confirm = (job: JobFolder, resource: Resource, count: number, line: string, context: Context): Promise<void> => {
  const what = `${amountOf(count, resource)} created by the job ${nameOf(job.manifest)}`;
  return requireYes({ action: `delete ${what}`, question: `Delete ${what}?`, line }, context);
};

async function undoVerb(resource: Resource, cancels: boolean, context: Context): Promise<Verb> {
  const { undo } = resource;
  if (undo === undefined) throw new TypeError(`The resource ${resource.name} has no undo.`);
  const { planUndo } = await import('../../bulk/send/plan-undo.js');
  const client = await context.client();
  return internalVerb({
    path: 'jobs undo',
    columns: ['row', 'id', 'code', 'doubtful'].map((name) => ({
      name,
      spellings: [],
      description: name,
      read: (cell) => ({ value: name === 'doubtful' ? true : String(cell) }),
    })),
    destroys: true,
    plan: planUndo({ resource, undo, client, cancels, signal: context.signal }),
  });
}

/** The verb and the references, of which it has none, of a job that undoes another one. */
async function undoOf(undo: JobFolder, resource: Resource, cancels: boolean, context: Context) {
  const { References } = await import('../../bulk/input/resolve-references.js');
  const verb = await undoVerb(resource, cancels, context);
  const organization = (): Promise<never> => Promise.reject(new TypeError('An undo has no references.'));
  const references = new References(verb, { ...context, organization });
  return { verb, job: undo, references, onExisting: 'skip' as const };
}

/** Runs the undo, and records in the first job's journal which of its rows were undone. */
async function runUndo(
  job: JobFolder,
  resource: Resource,
  undo: JobFolder,
  cancels: boolean,
  flags: Values,
  retry: JobRun['retry'],
  context: Context,
): Promise<void> {
  const { noteUndone } = await import('../../bulk/job/undo-job.js');
  const { rows } = undo.manifest;
  const plan = await undoOf(undo, resource, cancels, context);
  try {
    await runBulkJob({ ...paceOf(flags), ...plan, retry }, context);
  } catch (error) {
    if (!isKind(error, 'partial')) throw error;
    const left = rows - doneIn(await Journal.count(journalFile(undo), rows));
    const what = `${left} of ${amountOf(rows, resource)} created by the job ${nameOf(job.manifest)}`;
    throw error.with({ message: `${what} could not be undone.` });
  } finally {
    await noteUndone(job, undo, context.now());
  }
}

/** Says that a job has nothing to undo: to programs with a document without rows. */
async function sayNothing(job: JobFolder, dryRun: boolean, context: Context): Promise<void> {
  const nothing = `Nothing to do: the job ${nameOf(job.manifest)} created nothing, or has been undone before.`;
  if ((await context.printer()).traits.machine !== true) return notify(nothing, context);
  if (!dryRun) return printSummary(emptySummary({ ...job.manifest, path: 'jobs undo' }), context);
  const { printPlans } = await import('../kinds/bulk/bulk-dry-run.js');
  await printPlans('jobs undo', 0, [], context);
}

export async function undoJob(command: Command, values: Values, context: Context, commands: Commands): Promise<void> {
  const job = requireJob(context.env, textOf(values, 'job') ?? '');
  const resource = resourceOfJob(job);
  const dryRun = isDryRun(values);
  const cancels = isOn(values, 'cancel-activated');
  const { madeIn, undoJobOf } = await import('../../bulk/job/undo-job.js');
  const { count, first } = await madeIn(job, MAX_NAMED);
  const { updated } = await Journal.count(journalFile(job), job.manifest.rows);
  const line = confirmedLine(command, values, context);
  await sayFolderProfile(context);
  const stay = `${amountOf(updated, resource)} that existed before, which cannot be undone`;
  if (updated > 0) await context.warn(`The job updated ${stay}. To list all rows: ${resultsLine(job)}`);
  if (count === 0) return sayNothing(job, dryRun, context);
  if (resource.undo !== undefined && !dryRun && !context.canAsk) await confirm(job, resource, count, line, context);
  const { checkOwner } = await import('../../bulk/job/owner.js');
  await checkOwner(job, context);
  const pace = paceOf(values);
  await checkOutputs({ ...pace, dryRun }, context);
  if (resource.undo === undefined) throw cannotUndo(job, resource, count, first);
  const unlock = await takeLock(lockFile(job), context.machine, 'This job is being run');
  try {
    if ((await madeIn(job)).isAnyDoubtful) {
      const own = await commandOf(job, commands);
      await own.resume?.(job.manifest.id, { retry: LOOK_UP }, context);
    }
    const found = await undoJobOf(job, { cancels, dryRun }, context);
    if (found === undefined) return await sayNothing(job, dryRun, context);
    const { job: undo, isKnown, isDraft } = found;
    if (dryRun) {
      const { bulkDryRun } = await import('../kinds/bulk/bulk-dry-run.js');
      const plan = await undoOf(undo, resource, cancels, context);
      return await bulkDryRun({ ...plan, isDraft, concurrency: pace.concurrency, limit: undefined }, context);
    }
    if (context.canAsk) await confirm(job, resource, undo.manifest.rows, line, context);
    await runUndo(job, resource, undo, cancels, values, isKnown ? 'failed' : undefined, context);
  } finally {
    unlock();
  }
}

/** Resumes an interrupted undo, or retries its failed rows. */
export async function resumeUndo(id: string, flags: Values, context: Context): Promise<void> {
  const undo = requireJob(context.env, id);
  const { of = '', 'cancel-activated': cancels } = undo.manifest.values;
  const job = requireJob(context.env, String(of));
  const { checkOwner } = await import('../../bulk/job/owner.js');
  await checkOwner(undo, context);
  const unlock = await takeLock(lockFile(job), context.machine, 'This job is being run');
  try {
    await runUndo(job, resourceOfJob(job), undo, cancels === true, flags, retryOf(flags), {
      ...context,
      path: 'jobs undo',
    });
  } finally {
    unlock();
  }
}
