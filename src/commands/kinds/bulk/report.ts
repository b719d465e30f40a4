/** Runs a bulk job and reports its end: a summary on stderr, data on stdout in the chosen format, results in files. */
import type { BulkOptions } from '../../../bulk/job/bulk-request.js';
import type { JobEnd, JobRun } from '../../../bulk/job/job.js';
import type { JobFolder } from '../../../bulk/job/job-store.js';
import { stopError } from '../../../bulk/results/failures.js';
import { excelOf, requireWholeRows } from '../../../bulk/results/result-files.js';
import { shapeFor } from '../../../bulk/results/results.js';
import { emptySummary, type Summary, summaryText } from '../../../bulk/results/summary.js';
import { isOn, textOf } from '../../../cli/command.js';
import type { Context } from '../../../cli/context.js';
import { withFlags } from '../../../cli/hints.js';
import { any, number, object, text } from '../../../contract/vocabulary.js';
import { EduError, usageError } from '../../../core/errors.js';
import { isStdout } from '../../../core/fs/output-file.js';
import { orClosed } from '../../../core/io.js';
import { plural } from '../../../core/plural.js';
import { checkForRequests } from '../dry-run.js';
import { notify } from '../print-result.js';
import { limitOf } from './bulk-options.js';

const SUMMARY = object(
  Object.fromEntries(Object.keys(emptySummary({ id: '', name: null, path: '' })).map((name) => [name, any(name)])),
  'summary of a job',
);

/** What a job prints on stdout when it ends, apart from `--results` and `--failed`. */
type Data = 'summary' | 'ids' | 'results' | 'table' | undefined;

/** More codes are printed on a terminal only if a table is asked for. */
const MAX_CODES = 50;

const DONE_ROW = object(
  { row: number('row'), status: text('outcome'), id: text('ID'), code: text('code') },
  'a row that is done',
);

/** @param codes number of created licences */
async function dataFor(codes: number, context: Context, hasFile: boolean): Promise<Data> {
  const { traits } = await context.printer();
  const { globals } = context;
  const asked = textOf(globals, 'query') !== undefined || textOf(globals, 'fields') !== undefined;
  if (asked || !(traits.cells || traits.people || traits.idsOnly)) return 'summary';
  if (traits.idsOnly || isOn(globals, 'quiet')) return 'ids';
  // Nothing in a pipe by default: results are printed only to a file, or if a format is set by flag, environment or profile.
  const isChosen =
    context.effective().output !== undefined ||
    textOf(globals, 'to') !== undefined ||
    isOn(globals, 'header') ||
    (isOn(globals, 'excel') && !hasFile);
  if (traits.people) return isChosen || (!hasFile && codes > 0 && codes <= MAX_CODES) ? 'table' : undefined;
  return traits.cells && isChosen ? 'results' : undefined;
}

/** The last message of a job. */
function endText(summary: Summary, sent: number, doneBefore: number): string {
  const { rows, unchanged, done, command } = summary;
  const isIdle = done && doneBefore === rows && command !== 'jobs undo';
  if (isIdle && rows === 0) return 'Nothing to do: the input has no rows.';
  if (rows > 0 && unchanged === rows)
    return `Nothing to do: ${rows === 1 ? 'the row is' : `all ${rows} rows are`} unchanged.`;
  if (!isIdle) return summaryText(summary, sent);
  return `Nothing to do: ${rows} of ${plural(rows, 'row was', 'rows were')} done before. --batch NAME creates the same again.`;
}

export async function printSummary(summary: Summary, context: Context): Promise<void> {
  const { resume, results, retry } = summary;
  const pasted = (line: string | null) => (line === null ? null : withFlags(line, context.globals));
  const lines = { resume: pasted(resume), results: pasted(results), retry: pasted(retry) };
  await (await context.printer()).item({ ...summary, ...lines }, SUMMARY);
}

/** @param hasFile results were written to the files of `--results` and `--failed` */
export async function printEnd(
  { summary, sent, doneBefore, rows, pieces }: JobEnd,
  hasFile: boolean,
  context: Context,
): Promise<void> {
  const printer = await context.printer();
  await notify(endText(summary, sent, doneBefore), context);
  const { command, created, exists } = summary;
  const createsLicences = command === 'licenses create';
  const hasCodes = createsLicences && limitOf(context) === undefined;
  const data = await dataFor(hasCodes ? created + exists : 0, context, hasFile);
  if (data === undefined && !hasFile && created + exists > 0) {
    await notify(`${createsLicences ? 'Codes and IDs' : 'IDs'} of all rows: ${summary.results}`, context);
  }
  if (data === 'summary') {
    await printSummary(summary, context);
  } else if (data === 'table') {
    await printer.list([...rows()], { shape: DONE_ROW, noun: 'rows', ignoresLimit: true });
  } else if (data === 'ids') {
    let text = '';
    for (const { id } of rows()) if (id !== undefined) text += `${id}\n`;
    await printer.raw(text);
  } else if (data === 'results') {
    for await (const piece of pieces(shapeFor(`.${printer.format}`, excelOf(context)))) await printer.raw(piece);
  }
}

/** Checks that the data of a job can be printed, and apart from its results. @throws EduError `usage` */
export async function checkOutputs(
  { results, failed, dryRun }: Pick<BulkOptions, 'results' | 'failed'> & Partial<BulkOptions>,
  context: Context,
): Promise<void> {
  if (dryRun) return checkForRequests(context, true);
  const data = await dataFor(0, context, true);
  if (data === 'summary') await (await context.printer()).check(SUMMARY, 'item');
  const isPrinted = (file: string | undefined): boolean => file !== undefined && isStdout(file);
  const printed = isPrinted(results) ? '--results' : isPrinted(failed) ? '--failed' : undefined;
  if (data === undefined || data === 'results') requireWholeRows(context.globals);
  if (printed === undefined || data === undefined) return;
  const what = { summary: 'the summary', ids: 'the IDs', results: 'the results', table: 'a table' }[data];
  throw usageError(
    `${printed} - cannot use stdout: the output format prints ${what} there.`,
    `Write to a file: ${printed} FILE`,
  );
}

/** The error of an unfinished job, with the command that resumes it; undefined when it is finished. */
export function errorOf({ summary, end, failures }: JobEnd): EduError | undefined {
  const { reason, stopped } = end;
  const failed = summary.rejected + summary.conflict + summary.unknown + summary.invalid;
  if (reason !== undefined) {
    const { left, rows, resume } = summary;
    const next =
      resume === null ? 'Run the command again.' : `${left} of ${rows} rows are left. Resume with: ${resume}`;
    return stopError(reason, next, 'The job stopped: ');
  }
  if (failed === 0) return undefined;
  const isAlike = stopped?.by === 'alike' && summary.resume !== null;
  const hints = [
    ...(isAlike ? ['Correct the input, or the items that it refers to, and run the command again.'] : []),
    ...(summary.resume === null ? [] : [`Resume with: ${summary.resume}${isAlike ? ' --max-errors none' : ''}`]),
    ...(summary.invalid === 0
      ? []
      : ['Correct the invalid rows in the file that --failed FILE writes, and pass it to --from.']),
    ...(summary.retry === null ? [] : [`Retry the failed rows with: ${summary.retry}`]),
    ...(summary.unknown === 0
      ? []
      : ['Rows with an unknown outcome are looked up first; those without a key are sent again only with --unknown.']),
  ];
  const why =
    stopped === undefined || summary.left === 0
      ? ''
      : stopped.by === 'alike'
        ? ` The job was stopped: its first ${stopped.rows} rows were all rejected with the same error: ${stopped.error}`
        : ' The job was stopped by --max-errors.';
  return new EduError('partial', `${failed} of ${plural(summary.rows, 'row')} failed.${why}`, {
    hint: hints.join('\n'),
    details: failures,
  });
}

/** @throws EduError when the job is not done */
export async function runBulkJob(run: Omit<JobRun, 'limit'>, context: Context): Promise<void> {
  const { runJob } = await import('../../../bulk/job/job.js');
  const limit = limitOf(context);
  const ended = await runJob({ ...run, limit }, context);
  try {
    await printEnd(ended, run.results !== undefined || run.failed !== undefined, context).catch(orClosed);
  } finally {
    await ended.close();
  }
  const error = errorOf(ended);
  if (error !== undefined) throw error;
  const { left, resume } = ended.summary;
  if (limit === undefined || left === 0) return;
  const rows = plural(left, 'row is', 'rows are');
  await notify(`${rows} left by --limit. To continue, run the same command without it, or: ${resume}`, context);
}

export const announceResumed =
  ({ manifest: { name, id, created } }: JobFolder, context: Context) =>
  (done: number, rows: number): Promise<void> =>
    notify(`Job ${name ?? id} of ${created.slice(0, 10)} is resumed: ${done} of ${rows} rows are done.`, context);
