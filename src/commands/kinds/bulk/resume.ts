/** `edu jobs resume` and `retry`: goes on with a job that its own folder tells all about. */
import type { JobFolder } from '../../../bulk/job/job-store.js';
import { type Command, textOf, type Values } from '../../../cli/command.js';
import type { Context } from '../../../cli/context.js';
import { organizationFor } from '../../../cli/organization-flags.js';
import { usageError } from '../../../core/errors.js';
import type { WriteSpec } from '../define.js';
import { verbOf } from './columns-of-flags.js';
import { calledOf, carryOut, sayKnown } from './finish.js';
import { onExistingOf, optionsOf, settingsOf } from './options.js';
import { checkPlaces } from './report.js';

/** The job was made for one service and caller; another one must not get the rest of it. */
function checkPlace({ manifest }: JobFolder, baseUrl: string, context: Context): void {
  const called = calledOf(manifest);
  if (manifest.baseUrl !== baseUrl) {
    const offline = manifest.baseUrl.endsWith('.invalid')
      ? 'Add --offline.'
      : `Add --base-url ${manifest.baseUrl}, or the --profile of that service.`;
    throw usageError(`The job ${called} belongs to ${manifest.baseUrl}, and this is ${baseUrl}.`, offline);
  }
  const now = settingsOf(context);
  for (const [name, value] of Object.entries(manifest.settings)) {
    if (now[name] === value) continue;
    throw usageError(
      `The job ${called} was started with ${name} ${value ?? 'not set'}, and it is ${now[name] ?? 'not set'} now.`,
      'Give the same flags and environment as at its start.',
    );
  }
}

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
  checkPlace(job, (await context.client()).baseUrl, context);
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
