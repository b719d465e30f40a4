/** Removes the bulk jobs of the bundled service when its data is replaced, because their outcomes no longer hold. */
import { allJobs, lockFile, removeFolder } from '../../bulk/job/job-store.js';
import type { Context } from '../../cli/context.js';
import { OFFLINE_BASE_URL } from '../../client/transport/local.js';
import { lockOwner } from '../../core/fs/lock.js';

/** Keeps jobs that are being run. */
export async function forgetOfflineJobs(context: Context): Promise<void> {
  const jobs = allJobs(context.env).filter(
    (job) => job.manifest.baseUrl === OFFLINE_BASE_URL && lockOwner(lockFile(job), context.now()) === undefined,
  );
  for (const { folder } of jobs) removeFolder(folder);
  if (jobs.length === 0) return;
  await context.say(`Removed with the former data: ${jobs.length === 1 ? '1 bulk job' : `${jobs.length} bulk jobs`}.`);
}
