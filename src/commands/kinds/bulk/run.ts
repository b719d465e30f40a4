/** Runs a write for each row of a file or a number of times: creates a job and runs it. */
import type { BulkRequest, ResetRow } from '../../../bulk/job/bulk-request.js';
import type { Verb } from '../../../bulk/row-command.js';
import { type Command, isOn, type Values } from '../../../cli/command.js';
import type { Context } from '../../../cli/context.js';
import { organizationFor } from '../../../cli/organization-flags.js';
import { problemsError } from '../../../cli/parser.js';
import { shown } from '../../../cli/read-value.js';
import { usageError } from '../../../core/errors.js';
import type { Reset, WriteSpec } from '../spec.js';
import { verbOf } from './columns-of-flags.js';
import { carryOut, limitOf, sayKnown } from './finish.js';
import { defaultsOf, lineOf, optionsOf } from './options.js';
import { checkPlaces } from './report.js';

/** What one row of a kind would be asked for, when there is no file: the usual complaints about the line. */
function checkLine(spec: WriteSpec, values: Values, line: Values, context: Context, verb: Verb): void {
  if (values.from !== undefined && values.count !== undefined) {
    throw usageError('--count cannot be given together with --from; the file determines the number of rows.');
  }
  if (values.count === undefined) return;
  if (spec.key !== undefined && line[spec.key] !== undefined && Number(values.count) > 1) {
    throw usageError(
      `--${spec.key} cannot be given together with --count: all ${values.count} would have the same ${spec.key}.`,
    );
  }
  const problems = [
    ...verb
      .missing(line)
      .map(({ name, description }) => ({ where: `--${name}`, message: `is missing: ${description}` })),
    ...verb.check(line),
  ];
  if (problems.length > 0) throw problemsError(problems, context.path);
}

async function confirm(spec: WriteSpec, rows: number, context: Context): Promise<void> {
  if (isOn(context.globals, 'yes')) return;
  const count = `${rows} ${rows === 1 ? 'item' : 'items'}`;
  const act = spec.act ?? 'Change';
  if (!context.canAsk) {
    throw usageError(
      `Refusing to ${act.toLowerCase()} ${count} without confirmation; nothing was sent.`,
      'Pass --yes to confirm.',
    );
  }
  const question = `${act} ${count}?${spec.forGood ? ' This cannot be undone.' : ''}`;
  const prompt = await context.prompt();
  if (!(await prompt.confirm(question))) throw usageError('Not confirmed. Nothing was sent.');
}

/** Rows that an error or a question names. */
const MAX_NAMED = 20;

/** Decides about rows that would reset a property: by a question, else not at all. @throws EduError `usage` */
async function decideReset({ flag, what }: Reset, rows: readonly ResetRow[], context: Context): Promise<Values> {
  const count = rows.length === 1 ? '1 row refers to' : `${rows.length} rows refer to`;
  if (!context.canAsk) {
    const details = rows.slice(0, MAX_NAMED).map(({ line, value }) => ({
      where: `line ${line}`,
      message: `shows the ${what} ${shown(value)}, which this update may reset`,
    }));
    const more = rows.length - details.length;
    throw usageError(
      `Refusing to update: ${count} items with a ${what} that this may reset. Nothing was sent.`,
      `Pass --license-category ID to set it, or --${flag} to accept the default.`,
      [...details, ...(more > 0 ? [{ message: `… and ${more} more` }] : [])],
    );
  }
  const first = rows[0];
  const question = `${count} items with a ${what}, such as ${shown(first?.value ?? '')} in line ${first?.line}. Reset all to the default?`;
  const prompt = await context.prompt();
  if (!(await prompt.confirm(question))) throw usageError('Not confirmed. Nothing was sent.');
  return { [flag]: true };
}

const resetsOf = (reset: Reset, context: Context): Pick<BulkRequest, 'findReset' | 'decideReset'> => ({
  findReset: (row) => reset.find(row, context),
  decideReset: (rows) => decideReset(reset, rows, context),
});

/** Runs a write command with `--from` or `--count`. */
export async function bulk(command: Command, spec: WriteSpec, values: Values, context: Context): Promise<void> {
  const options = optionsOf(values, isOn(context.globals, 'excel'));
  const line = lineOf(values);
  const verb = verbOf(command, spec, context);
  if (isOn(values, 'template') || options.from === '--template') {
    const { printTemplate } = await import('./template.js');
    return printTemplate(verb, context);
  }
  checkLine(spec, values, line, context, verb);
  await checkPlaces(options, context);
  const request: BulkRequest = {
    verb,
    line,
    options,
    defaults: verb.creates ? defaultsOf(verb, context) : {},
    organization: (row) => organizationFor(row, context),
    canConfirm: context.canAsk || isOn(context.globals, 'yes'),
    confirm: (rows) => confirm(spec, Math.min(rows, limitOf(context) ?? rows), context),
    ...(spec.reset === undefined ? {} : resetsOf(spec.reset, context)),
  };
  const { prepare } = await import('../../../bulk/job/prepare.js');
  const { job, references, isKnown, isDraft, equal } = await prepare(request, context);
  if (equal > 0 && options.from !== undefined) {
    const rows = equal === 1 ? '1 row equals' : `${equal} rows equal`;
    await context.warn(`${rows} an earlier row; each creates another item.`);
  }
  if (options.dryRun) {
    const { rehearse } = await import('./bulk-dry-run.js');
    return rehearse(
      {
        verb,
        job,
        references,
        isDraft,
        onExisting: options.onExisting,
        concurrency: options.concurrency,
        limit: limitOf(context),
      },
      context,
    );
  }
  const { concurrency, maxRate, onExisting, maxErrors, results, failed } = options;
  // What exists and differs was left alone by an earlier run of the line; now it is to be changed.
  const retry = isKnown && onExisting === 'update' ? 'conflict' : undefined;
  const onStart = isKnown ? { onStart: sayKnown(job, context), isRepeated: true } : {};
  await carryOut(
    { verb, job, references, concurrency, maxRate, onExisting, maxErrors, results, failed, retry, ...onStart },
    context,
  );
}
