/** Runs a write for each row of a file, or many times: makes a job of it, runs it, and says what came of it. */

import type { JobEnd, JobRun } from '../../bulk/job.js';
import type { BulkOptions, BulkRequest } from '../../bulk/request.js';
import type { OnExisting } from '../../bulk/settle-context.js';
import type { JobFolder, Manifest } from '../../bulk/store.js';
import type { Context } from '../../context.js';
import { EduError, usageError } from '../../errors.js';
import { isDryRun, type WriteSpec } from '../build.js';
import { BULK_NAMES, ON_EXISTING } from '../bulk-flags.js';
import { verbOf } from '../bulk-verb.js';
import { type Command, isOn, textOf, type Values } from '../definition.js';
import { PERSONAS } from '../global-flags.js';
import { organizationFor } from '../organization.js';
import { problemsError } from '../parser.js';
import { printEnd, talk } from './bulk-report.js';

const CONCURRENCY = 8;

const wholeOf = (values: Values, name: string): number | undefined => {
  const value = values[name];
  return typeof value === 'number' ? value : undefined;
};

const onExistingOf = (values: Values): OnExisting =>
  ON_EXISTING.find((choice) => choice === textOf(values, 'on-existing')) ?? 'skip';

function optionsOf(values: Values): BulkOptions {
  return {
    from: textOf(values, 'from'),
    count: wholeOf(values, 'count'),
    concurrency: wholeOf(values, 'concurrency') ?? CONCURRENCY,
    results: textOf(values, 'results'),
    failed: textOf(values, 'failed'),
    job: textOf(values, 'job'),
    newJob: isOn(values, 'new-job'),
    onExisting: onExistingOf(values),
    maxErrors: wholeOf(values, 'max-errors'),
    shard: textOf(values, 'shard'),
    encoding: textOf(values, 'encoding'),
    delimiter: textOf(values, 'delimiter'),
    dryRun: isDryRun(values),
  };
}

/** What the line says for every row: everything but how the job is run. */
const lineOf = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => value !== undefined && !BULK_NAMES.has(name) && name !== 'dry-run',
    ),
  );

/** Settings that end up in requests, so that a job with others is another job. */
function settingsOf(context: Context): Record<string, string | null> {
  const organization = context.configuredOrganization();
  return {
    language: context.language(),
    organization: organization?.id ?? null,
    organizationType: organization?.type ?? null,
    persona: context.isOffline ? (textOf(context.globals, 'as') ?? PERSONAS[0]) : null,
  };
}

/** What one row of a kind would be asked for, when there is no file: the usual complaints about the line. */
function checkLine(
  spec: WriteSpec,
  values: Values,
  line: Values,
  context: Context,
  missing: readonly { name: string; about: string }[],
): void {
  if (values.from !== undefined && values.count !== undefined) {
    throw usageError('--count can not be given together with --from; a file says how many rows there are.');
  }
  if (values.count === undefined) return;
  if (spec.key !== undefined && line[spec.key] !== undefined && Number(values.count) > 1) {
    throw usageError(
      `--${spec.key} can not be given together with --count: ${values.count} would have the same ${spec.key}.`,
    );
  }
  const problems = [
    ...missing.map(({ name, about }) => ({ where: `--${name}`, message: `is missing: ${about}` })),
    ...(spec.check?.(line) ?? []),
  ];
  if (problems.length > 0) throw problemsError(problems, context.path);
}

async function confirm(spec: WriteSpec, rows: number, context: Context): Promise<void> {
  if (isOn(context.globals, 'yes')) return;
  const question = `${spec.act ?? 'Change'} what ${rows} ${rows === 1 ? 'row names' : 'rows name'}?`;
  if (!context.canAsk) {
    throw usageError(
      `${question} Nobody can be asked here, so nothing was sent.`,
      'Say --yes to go ahead without a question.',
    );
  }
  const prompt = await context.prompt();
  if (!(await prompt.confirm(question))) throw usageError('Not confirmed. Nothing was sent.');
}

const calledOf = ({ name, id }: Manifest): string => name ?? id;

/** The error of a job that is not done, with the command that goes on; undefined when it is. */
function errorOf({ summary, end, failures }: JobEnd): EduError | undefined {
  const { reason, tooManyErrors } = end;
  const failed = summary.rejected + summary.conflict + summary.unknown;
  if (reason !== undefined) {
    const { message, status, method, path, requestId, kind } = reason;
    if (kind === 'interrupted' || kind === 'terminated')
      return new EduError(kind, message, {
        hint: `Go on with: ${summary.resume ?? summary.retry ?? 'nothing is left'}`,
      });
    const facts = { status, method, path, requestId, cause: reason };
    if (kind === 'unauthenticated')
      return new EduError(kind, message, {
        ...facts,
        hint: `${reason.hint ?? 'Log in.'} Then go on with: ${summary.resume}`,
      });
    return new EduError(kind === 'unreachable' ? kind : 'busy', `The job was given up for now: ${message}`, {
      ...facts,
      hint: `${summary.left} of ${summary.rows} rows are left. Go on later with: ${summary.resume}`,
    });
  }
  if (failed === 0) return undefined;
  const hints = [
    ...(summary.resume === null ? [] : [`Go on with: ${summary.resume}`]),
    `Try the failed rows again with: ${summary.retry}`,
  ];
  return new EduError(
    'partial',
    `${failed} of ${summary.rows} rows failed.${tooManyErrors ? ' The job was stopped by --max-errors.' : ''}`,
    { hint: hints.join('\n'), details: failures },
  );
}

/** Runs a job and prints its end. */
async function carryOut(run: JobRun, context: Context): Promise<void> {
  const { runJob } = await import('../../bulk/job.js');
  const ended = await runJob(run, context);
  try {
    await printEnd(ended, context);
  } finally {
    await ended.close();
  }
  const error = errorOf(ended);
  if (error !== undefined) throw error;
}

const day = (manifest: Manifest): string => manifest.created.slice(0, 10);

/** Says that a job is not new. */
const sayKnown =
  (job: JobFolder, context: Context) =>
  async (done: number, rows: number): Promise<void> => {
    const which = `Job ${calledOf(job.manifest)} of ${day(job.manifest)}`;
    const text =
      done === rows
        ? `${which} is done: ${rows} of ${rows} rows. --new-job starts another one.`
        : `${which} goes on: ${done} of ${rows} rows are done.`;
    await talk(text, context);
  };

/** Runs a write command with `--from` or `--count`. */
export async function bulk(command: Command, spec: WriteSpec, values: Values, context: Context): Promise<void> {
  const options = optionsOf(values);
  const line = lineOf(values);
  const verb = verbOf(command, spec, context);
  if (isOn(values, 'template') || options.from === '--template') {
    const { printTemplate } = await import('./bulk-template.js');
    return printTemplate(verb, context);
  }
  checkLine(spec, values, line, context, verb.missing(line));
  const request: BulkRequest = {
    verb,
    line,
    options,
    settings: settingsOf(context),
    organization: (row) => organizationFor(row, context),
    confirm: (rows) => confirm(spec, rows, context),
  };
  const { prepare } = await import('../../bulk/prepare.js');
  const { job, references, isKnown, isDraft, identical } = await prepare(request, context);
  if (identical > 0) {
    const rows = identical === 1 ? '1 row is' : `${identical} rows are`;
    await context.warn(`${rows} the same as an earlier one; each is one more of its kind.`);
  }
  if (options.dryRun) {
    const { rehearse } = await import('./bulk-plan.js');
    return rehearse(
      { verb, job, references, isDraft, onExisting: options.onExisting, concurrency: options.concurrency },
      context,
    );
  }
  const { concurrency, onExisting, maxErrors, results, failed } = options;
  const onStart = isKnown ? { onStart: sayKnown(job, context) } : {};
  await carryOut({ verb, job, references, concurrency, onExisting, maxErrors, results, failed, ...onStart }, context);
}

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
  const { requireJob } = await import('../../bulk/store.js');
  const { keptReferences } = await import('../../bulk/prepare.js');
  const job = requireJob(given.env, id);
  const context: Context = { ...given, path: job.manifest.path };
  const verb = verbOf(command, spec, context);
  checkPlace(job, (await context.client()).baseUrl, context);
  const { concurrency, onExisting, maxErrors, results, failed } = optionsOf(flags);
  const references = keptReferences({ verb, organization: (row) => organizationFor(row, context) }, job, context);
  const retry = flags.retry === 'failed' || flags.retry === 'unknown' ? flags.retry : undefined;
  await carryOut(
    {
      verb,
      job,
      references,
      concurrency,
      onExisting,
      maxErrors,
      results,
      failed,
      retry,
      onStart: sayKnown(job, context),
    },
    context,
  );
}
