/** Runs a bulk job for a command, and prints its summary. */
import type { JobRun } from '../../../bulk/job/job.js';
import type { JobFolder, Manifest } from '../../../bulk/job/job-store.js';
import { numberOf } from '../../../cli/command.js';
import type { Context } from '../../../cli/context.js';
import { errorOf, notify, printEnd } from './report.js';

/** The name of a job in messages. */
export const calledOf = ({ name, id }: Manifest): string => name ?? id;

/** Maximum number of rows to send (`--limit`). */
export const limitOf = ({ globals }: Pick<Context, 'globals'>): number | undefined => numberOf(globals, 'limit');

/** @throws EduError when the job is not done */
export async function runBulkJob(run: Omit<JobRun, 'limit'>, context: Context): Promise<void> {
  const { runJob } = await import('../../../bulk/job/job.js');
  const limit = limitOf(context);
  const ended = await runJob({ ...run, limit }, context);
  try {
    await printEnd(ended, run.results !== undefined || run.failed !== undefined, context);
  } finally {
    await ended.close();
  }
  const error = errorOf(ended);
  if (error !== undefined) throw error;
  const { left, resume } = ended.summary;
  if (limit === undefined || left === 0) return;
  const rows = left === 1 ? '1 row is' : `${left} rows are`;
  await notify(`${rows} left by --limit. To continue, run the same command without it, or: ${resume}`, context);
}

const day = (manifest: Manifest): string => manifest.created.slice(0, 10);

export const announceResumed =
  (job: JobFolder, context: Context) =>
  async (done: number, rows: number): Promise<void> => {
    const which = `Job ${calledOf(job.manifest)} of ${day(job.manifest)}`;
    await notify(`${which} is resumed: ${done} of ${rows} rows are done.`, context);
  };
