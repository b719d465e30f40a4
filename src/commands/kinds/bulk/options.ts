/** Reads the bulk flags of a command line, and the values for every row. */

import type { Reading } from '../../../bulk/input/reading.js';
import type { BulkOptions } from '../../../bulk/job/bulk-request.js';
import type { Verb } from '../../../bulk/row-command.js';
import { maxErrorsOf } from '../../../bulk/send/error-limit.js';
import type { OnExisting } from '../../../bulk/send/row-attempts.js';
import { BULK_NAMES, ON_EXISTING } from '../../../cli/bulk-flags.js';
import { isOn, textOf, textsOf, type Values } from '../../../cli/command.js';
import type { Context } from '../../../cli/context.js';
import { shown } from '../../../cli/read-value.js';
import { usageError } from '../../../core/errors.js';
import { isDryRun } from '../spec.js';

const CONCURRENCY = 8;

const wholeOf = (values: Values, name: string): number | undefined => {
  const value = values[name];
  return typeof value === 'number' ? value : undefined;
};

/** What is to be done about rows that exist already. @param said as the command line or a job's manifest says it */
export const onExistingOf = (said: string | undefined): OnExisting =>
  ON_EXISTING.find((choice) => choice === said) ?? 'skip';

/** Requests per second as `50/s` or `50`. @throws a usage error for anything else */
function rateOf(values: Values): number | undefined {
  const text = textOf(values, 'rate');
  if (text === undefined) return undefined;
  const rate = Number(/^(\d+(?:\.\d+)?)(?:\/s)?$/.exec(text.trim())?.[1]);
  if (rate > 0) return rate;
  throw usageError(`--rate must be a number of requests per second, such as 50/s, not ${shown(text)}.`);
}

/**
 * How a file is read; undefined when the command line says nothing about it.
 * @param excel it was written for Excel
 */
export function readingOf(values: Values, excel: boolean): Reading | undefined {
  const [map, ignore] = [textsOf(values, 'map'), textsOf(values, 'ignore')];
  const [dateFormat, sheet] = [textOf(values, 'date-format'), textOf(values, 'sheet')];
  const reading: Reading = {
    ...(map.length === 0 ? {} : { map }),
    ...(ignore.length === 0 ? {} : { ignore }),
    ...(isOn(values, 'ignore-unknown') ? { ignoreUnknown: true } : {}),
    ...(dateFormat === undefined ? {} : { dateFormat }),
    ...(sheet === undefined ? {} : { sheet }),
    ...(excel ? { excel: true } : {}),
  };
  return Object.keys(reading).length === 0 ? undefined : reading;
}

/** How the job is run. @param excel its file was written for Excel */
export function optionsOf(values: Values, excel = false): BulkOptions {
  const maxErrors = textOf(values, 'max-errors');
  return {
    from: textOf(values, 'from'),
    count: wholeOf(values, 'count'),
    concurrency: wholeOf(values, 'concurrency') ?? CONCURRENCY,
    maxRate: rateOf(values),
    results: textOf(values, 'results'),
    failed: textOf(values, 'failed'),
    job: textOf(values, 'job'),
    batch: textOf(values, 'batch'),
    onExisting: onExistingOf(textOf(values, 'on-existing')),
    maxErrors: maxErrors === undefined ? undefined : maxErrorsOf(maxErrors),
    skipsInvalid: isOn(values, 'skip-invalid'),
    shard: textOf(values, 'shard'),
    encoding: textOf(values, 'encoding'),
    delimiter: textOf(values, 'delimiter'),
    reading: readingOf(values, excel),
    dryRun: isDryRun(values),
  };
}

/** What the line says for every row: everything but how the job is run. */
export const lineOf = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => value !== undefined && !BULK_NAMES.has(name) && name !== 'dry-run',
    ),
  );

/** What settings say for the rows of a command that the rows leave open: kept with the job, also when they change later. */
export function defaultsOf({ columns }: Verb, context: Context): Values {
  const takes = (wanted: string): boolean => columns.some(({ name }) => name === wanted);
  const organization = takes('organization') ? context.configuredOrganization() : undefined;
  return {
    ...(organization === undefined ? {} : { organization: organization.id }),
    ...(organization?.type === undefined ? {} : { 'organization-type': organization.type }),
    ...(takes('language') ? { language: context.language() } : {}),
  };
}
