/** Runs a write for each row of a file, or a number of times, as a job, and runs such jobs again for `edu jobs`. */
import type { BulkRequest, ResetRow } from '../../../bulk/job/bulk-request.js';
import type { JobFolder } from '../../../bulk/job/job-store.js';
import { excelOf } from '../../../bulk/results/result-files.js';
import type { Verb } from '../../../bulk/row-command.js';
import { type Command, isOn, textOf, type Values } from '../../../cli/command.js';
import type { Context } from '../../../cli/context.js';
import { wordHint } from '../../../cli/hints.js';
import { organizationFor } from '../../../cli/organization-flags.js';
import { problemsError } from '../../../cli/parser.js';
import { shown } from '../../../cli/read-value.js';
import { type Fields, object, text } from '../../../contract/vocabulary.js';
import { firstProblems, usageError } from '../../../core/errors.js';
import { plural } from '../../../core/plural.js';
import { shellLine } from '../../../core/shell.js';
import { traitsOfFormat } from '../../../output/formats.js';
import { forPeople } from '../../../output/sanitize.js';
import { FILE_LAYOUT, type Text } from '../../../output/writers/writer.js';
import { askReset, confirmedLine, confirmRisks, destroyQuestion, ITEMS, requireYes } from '../confirm.js';
import type { Reset, WriteSpec } from '../spec.js';
import { defaultsOf, limitOf, lineOf, onExistingOf, optionsOf, paceOf, retryOf } from './bulk-options.js';
import { verbOf } from './columns-of-flags.js';
import { announceResumed, checkOutputs, runBulkJob } from './report.js';

function checkCount(spec: WriteSpec, values: Values, line: Values, context: Context, verb: Verb): void {
  if (values.from !== undefined && values.count !== undefined) {
    throw usageError(
      '--count cannot be given together with --from; the file determines the number of rows.',
      'A column named count in the file creates several items from one row.',
    );
  }
  if (values.count === undefined) return;
  if (spec.key !== undefined && line[spec.key] !== undefined && Number(values.count) > 1) {
    throw usageError(
      `--${spec.key} cannot be given together with --count: all ${values.count} would have the same ${spec.key}.`,
    );
  }
  const problems = [
    ...verb.missing(line).map(({ name }) => ({ where: `--${name}`, message: 'is missing' })),
    ...verb.check(line),
  ];
  if (problems.length > 0) throw problemsError(problems, context.path);
}

const MAX_NAMED = 20;

async function decideReset(reset: Reset, rows: readonly ResetRow[], context: Context): Promise<Values> {
  const { flag, keep, what } = reset;
  if (!context.canAsk) {
    const details = rows.map(({ line, value }) => ({
      where: `line ${line}`,
      message: `shows the ${what} ${shown(value)}, which this update may reset`,
    }));
    throw usageError(
      `Refusing to update: ${plural(rows.length, 'row shows', 'rows show')} a ${what} that this may reset. Nothing was sent.`,
      `Pass --${keep} ID to set it, or --${flag} to accept the default.`,
      firstProblems(details, MAX_NAMED),
    );
  }
  const [{ line, value } = { line: 0, value: '' }, ...others] = rows;
  const message = `${plural(others.length + 1, 'row shows', 'rows show')} a ${what}, such as ${shown(value)} in line ${line}, which an update may reset:`;
  return askReset(reset, message, context);
}

/** Warns of items of rows that were corrected or removed in the file: nothing changes or deletes them. */
async function warnOfLost(job: JobFolder, context: Context): Promise<void> {
  const { lostRows } = await import('../../../bulk/job/earlier.js');
  const lost = await lostRows(context.env, job);
  if (lost === undefined) return;
  const { job: earlier, rows } = lost;
  const [are, stay] = rows === 1 ? ['1 row is', 'its item stays'] : [`${rows} rows are`, 'their items stay'];
  const undo = wordHint(`\`${shellLine('edu', 'jobs', 'undo', earlier)}\``, context.globals);
  await context.warn(
    `${are} no longer in ${job.manifest.input} that the job ${earlier} created: ${stay} beside the new ones. ${undo} deletes ` +
      'what that job created, where the API can; this command then creates the rest again. If the file is another one, give it a --batch NAME.',
  );
}

export async function bulk(command: Command, spec: WriteSpec, values: Values, context: Context): Promise<void> {
  const options = optionsOf(values);
  const line = lineOf(values);
  const verb = verbOf(command, spec, line, context);
  if (isOn(values, 'template') || options.from === '--template') {
    return printTemplate(verb, spec, context);
  }
  checkCount(spec, values, line, context, verb);
  await checkOutputs(options, context);
  const { reset } = spec;
  const request: BulkRequest = {
    verb,
    line,
    options,
    defaults: verb.creates ? defaultsOf(verb, context) : {},
    organization: (row) => organizationFor(row, context),
    canConfirm: context.canAsk || isOn(context.globals, 'yes'),
    confirm: (rows, counts = []) => {
      const limit = Math.min(rows, limitOf(context) ?? rows);
      const what = plural(limit, ...(spec.noun ?? ITEMS));
      const action = `${(spec.act ?? 'Change').toLowerCase()} ${what}`;
      const question = destroyQuestion(spec, what, limit < rows ? [] : counts);
      return requireYes({ action, question, line: confirmedLine(command, values, context) }, context);
    },
    confirmRisks: (rows) => confirmRisks(rows, options.dryRun, confirmedLine(command, values, context), context),
    ...(reset === undefined ? {} : { decideReset: (rows) => decideReset(reset, rows, context) }),
  };
  const { prepare } = await import('../../../bulk/job/prepare.js');
  const { job, isKnown, isDraft, equal, ...made } = await prepare(request, context);
  const equals = plural(equal, 'row equals', 'rows equal');
  if (equal > 0) await context.warn(`${equals} an earlier row; each creates another item.`);
  if (verb.creates && !isKnown) await warnOfLost(job, context);
  const { onExisting, concurrency } = options;
  if (options.dryRun) {
    const files = Object.entries({ '--results': options.results, '--failed': options.failed });
    for (const [flag, file] of files)
      if (file !== undefined) await context.warn(`${flag} is not written: a dry run has no outcomes.`);
    const { bulkDryRun } = await import('./bulk-dry-run.js');
    return bulkDryRun({ ...made, verb, job, isDraft, onExisting, concurrency, limit: limitOf(context) }, context);
  }
  const onStart = isKnown ? { onStart: announceResumed(job, context), isRepeated: true } : {};
  await runBulkJob({ ...paceOf(values), ...made, verb, job, onExisting, ...onStart }, context);
}

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

/** The header of an input file in the chosen format. @throws EduError `usage` for a format that is no table of cells */
async function header(columns: Fields, context: Context): Promise<Text> {
  const { format, traits } = await context.printer('csv');
  if (traits.cells !== true && (isOn(context.globals, 'json') || textOf(context.globals, 'output') !== undefined))
    throw usageError(
      `--template prints a header as csv, tsv or xlsx, not as ${format}.`,
      'Leave the output format out.',
    );
  const { load } = traitsOfFormat(traits.cells === true ? format : 'csv');
  const layout = { ...FILE_LAYOUT, header: true, excel: excelOf(context) };
  return (await load()).list(object(columns, 'a row'), layout).end();
}

async function printTemplate(verb: Verb, { flags = [] }: WriteSpec, context: Context): Promise<void> {
  // A licence can be given by ID and by code, in columns of the same name; the template lists only one.
  const columns = verb.columns.filter(
    ({ name, unlisted }, index) => unlisted !== true && verb.columns.findIndex((one) => one.name === name) === index,
  );
  const names = columns.map(({ name }) => name);
  const fields = Object.fromEntries(columns.map(({ name, description }) => [name, text(description)]));
  await context.io.stdout.write(await header(fields, context));
  if (context.quiet) return;
  const widest = Math.max(...columns.map(({ name }) => name.length));
  const lines = columns.map(
    ({ name, description, required }) => `  ${name.padEnd(widest)}  ${required ? 'required: ' : ''}${description}`,
  );
  // The columns of arguments are no flags.
  const example = names.find((name) => flags.some((flag) => flag.name === name));
  const help = [
    `Columns of edu ${verb.path} --from FILE:`,
    ...lines,
    'They may be in any order. Leave out what you do not need.',
    ...(example === undefined ? [] : [`What is the same for every row can be a flag instead, such as --${example}.`]),
  ];
  await context.io.stderr.write(`${help.map((line) => forPeople(line)).join('\n')}\n`);
}
