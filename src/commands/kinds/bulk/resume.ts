/** `edu jobs resume` and `retry`: continues a job from its folder. */
import { type Command, textOf, type Values } from '../../../cli/command.js';
import type { Context } from '../../../cli/context.js';
import { organizationFor } from '../../../cli/organization-flags.js';
import type { WriteSpec } from '../spec.js';
import { verbOf } from './columns-of-flags.js';
import { carryOut, sayKnown } from './finish.js';
import { onExistingOf, optionsOf } from './options.js';
import { checkPlaces } from './report.js';

/** Goes on with a job, or tries its failed rows again. */
export async function goOn(
  command: Command,
  spec: WriteSpec,
  id: string,
  flags: Values,
  given: Context,
): Promise<void> {
  const { requireJob } = await import('../../../bulk/job/job-store.js');
  const { keptReferences } = await import('../../../bulk/job/prepare.js');
  const job = requireJob(given.env, id);
  const context: Context = { ...given, path: job.manifest.path };
  const verb = verbOf(command, spec, context);
  const { checkOwner } = await import('../../../bulk/job/owner.js');
  await checkOwner(job, context);
  const options = optionsOf(flags);
  await checkPlaces(options, context);
  const { concurrency, maxRate, maxErrors, results, failed } = options;
  const references = keptReferences({ verb, organization: (row) => organizationFor(row, context) }, job, context);
  const retry = flags.retry === 'failed' || flags.retry === 'unknown' ? flags.retry : undefined;
  await carryOut(
    {
      verb,
      job,
      references,
      concurrency,
      maxRate,
      onExisting: onExistingOf(textOf(flags, 'on-existing') ?? job.manifest.onExisting),
      maxErrors,
      results,
      failed,
      retry,
      onStart: sayKnown(job, context),
    },
    context,
  );
}
