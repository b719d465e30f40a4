/** The bulk jobs of this machine: listed, shown, gone on with, forgotten. */
import { statSync } from 'node:fs';
import { Journal } from '../../bulk/journal.js';
import { holderOf } from '../../bulk/lock.js';
import type { Counts } from '../../bulk/states.js';
import {
  allJobs,
  type JobFolder,
  journalFile,
  lockFile,
  readStanding,
  removeFolder,
  requireJob,
  rowsIn,
} from '../../bulk/store.js';
import { doneIn, summaryOf } from '../../bulk/summary.js';
import type { Context } from '../../context.js';
import { EduError, usageError } from '../../errors.js';
import { type Command, isGroup, isOn, textOf, textsOf, type Values } from '../definition.js';
import { JOB_SHAPE } from '../jobs.js';
import { findCommand, findEntry } from '../tree.js';
import { complete } from './missing.js';

/** How many rows are in which state: as noted at the end of the last run, or counted anew when a run was killed. */
async function countsOf(job: JobFolder): Promise<Counts> {
  const file = journalFile(job);
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const standing = readStanding(job.folder);
  if (standing?.journal === size) return standing.counts;
  return Journal.count(file, job.manifest.rows);
}

async function shownJob(job: JobFolder, context: Context) {
  const { manifest } = job;
  const counts = await countsOf(job);
  const rows = rowsIn(manifest);
  const { rejected, conflict, unknown, left } = summaryOf(manifest, counts, rows, 0);
  const failed = rejected + conflict + unknown;
  const holder = holderOf(lockFile(job), context.now());
  const ended = left > 0 ? 'not finished' : failed > 0 ? 'failed rows' : 'done';
  return {
    id: manifest.id,
    name: manifest.name,
    command: manifest.path,
    state: holder === undefined ? ended : 'running',
    rows,
    done: doneIn(counts),
    failed,
    left,
    started: manifest.created,
    baseUrl: manifest.baseUrl,
    shard: manifest.shard === null ? null : `${manifest.shard.index}/${manifest.shard.of}`,
  };
}

export async function listJobs(context: Context): Promise<void> {
  const printer = await context.printer();
  await printer.check(JOB_SHAPE);
  async function* pages(): AsyncGenerator<readonly unknown[]> {
    for (const job of allJobs(context.env)) yield [await shownJob(job, context)];
  }
  await printer.list(pages(), { shape: JOB_SHAPE, noun: 'jobs' });
}

async function named(command: Command, given: Values, context: Context): Promise<JobFolder> {
  const values = await complete(command, context.path, given, context);
  return requireJob(context.env, textOf(values, 'job') ?? '');
}

export async function showJob(command: Command, values: Values, context: Context): Promise<void> {
  const job = await named(command, values, context);
  const printer = await context.printer();
  await printer.item(await shownJob(job, context), JOB_SHAPE);
}

/** The write command that a job was made with. @throws EduError when this version of the program does not have it */
async function commandOf({ manifest }: JobFolder): Promise<Command> {
  const [group = '', verb = ''] = manifest.path.split(' ');
  const loaded = await findEntry(group)?.load();
  const command = loaded !== undefined && isGroup(loaded) ? findCommand(loaded, verb) : undefined;
  if (command?.goOn === undefined)
    throw usageError(`The job ${manifest.id} is of the command "edu ${manifest.path}", which this edu does not have.`);
  return command;
}

export async function goOn(
  command: Command,
  values: Values,
  retry: 'failed' | 'unknown' | undefined,
  context: Context,
): Promise<void> {
  const job = await named(command, values, context);
  const own = await commandOf(job);
  const { job: _, unknown: __, ...flags } = values;
  await own.goOn?.(job.manifest.id, { ...flags, retry }, context);
}

async function mayRemove(job: JobFolder, context: Context): Promise<void> {
  const { manifest } = job;
  const called = manifest.name ?? manifest.id;
  const holder = holderOf(lockFile(job), context.now());
  if (holder !== undefined) throw usageError(`The job ${called} is being run by ${holder}.`, 'Stop it first.');
  const { state, left, failed } = await shownJob(job, context);
  if (state === 'done' || isOn(context.globals, 'yes')) return;
  const why = left > 0 ? `${left} rows of it are not finished` : `${failed} rows of it failed`;
  const question = `Forget the job ${called}? ${why}.`;
  if (!context.canAsk) throw usageError(question, 'Say --yes to go ahead without a question.');
  if (!(await (await context.prompt()).confirm(question)))
    throw new EduError('usage', 'Not confirmed. Nothing was removed.');
}

export async function removeJobs(command: Command, given: Values, context: Context): Promise<void> {
  const values = await complete(command, context.path, given, context);
  const jobs = textsOf(values, 'job').map((name) => requireJob(context.env, name));
  for (const job of jobs) await mayRemove(job, context);
  for (const { folder, manifest } of jobs) {
    removeFolder(folder);
    await context.say(`Forgot the job ${manifest.name ?? manifest.id}.`);
  }
}
