/** Runs `edu jobs resume` and `edu jobs retry` for a job of this command, and looks up its rows for `edu jobs undo`. */
import { type Command, textOf, type Values } from '../../../cli/command.js';
import type { Context } from '../../../cli/context.js';
import { organizationFor } from '../../../cli/organization-flags.js';
import type { WriteSpec } from '../spec.js';
import { onExistingOf, paceOf, retryOf } from './bulk-options.js';
import { verbOf } from './columns-of-flags.js';
import { announceResumed, checkOutputs, runBulkJob } from './report.js';

/** The value of `retry` for which rows that may have been sent are only looked up. */
export const LOOK_UP = 'look-up';

export async function resumeRows(
  command: Command,
  spec: WriteSpec,
  id: string,
  flags: Values,
  given: Context,
): Promise<void> {
  const { requireJob } = await import('../../../bulk/job/job-store.js');
  const { References } = await import('../../../bulk/input/resolve-references.js');
  const job = requireJob(given.env, id);
  const context: Context = { ...given, path: job.manifest.path };
  const verb = verbOf(command, spec, job.manifest.values, context);
  const { checkOwner } = await import('../../../bulk/job/owner.js');
  await checkOwner(job, context);
  const pace = paceOf(flags);
  await checkOutputs(pace, context);
  const organization = (row: Values) => organizationFor(row, context);
  const references = new References(verb, { ...context, organization }).restore(job.folder);
  if (flags.retry === LOOK_UP) {
    const { lookUpSent } = await import('../../../bulk/job/look-up-sent.js');
    return lookUpSent(verb, job, references, context);
  }
  const onExisting = onExistingOf(textOf(flags, 'on-existing') ?? job.manifest.onExisting);
  const onStart = announceResumed(job, context);
  const { cwd } = job.manifest;
  await runBulkJob({ ...pace, verb, job, references, cwd, onExisting, retry: retryOf(flags), onStart }, context);
}
