/** Reads the bulk flags of a command line, and the values for every row. */

import type { BulkOptions } from '../../../bulk/job/bulk-request.js';
import type { Retry } from '../../../bulk/results/failures.js';
import type { Verb } from '../../../bulk/row-command.js';
import { maxErrorsOf } from '../../../bulk/send/error-limit.js';
import type { OnExisting } from '../../../bulk/send/row-attempts.js';
import { BULK_NAMES, ON_EXISTING } from '../../../cli/bulk-flags.js';
import { isOn, numberOf, textOf, type Values } from '../../../cli/command.js';
import type { Context } from '../../../cli/context.js';
import { shown } from '../../../cli/read-value.js';
import { readingOf } from '../../../cli/reading-flags.js';
import { usageError } from '../../../core/errors.js';
import { isDryRun } from '../spec.js';

const CONCURRENCY = 8;

/** @param text from the command line or a job's manifest */
export const onExistingOf = (text: string | undefined): OnExisting =>
  ON_EXISTING.find((choice) => choice === text) ?? 'skip';

/** Parses requests per second: `50/s` or `50`. @throws EduError `usage` for anything else */
export function rateOf(values: Values): number | undefined {
  const text = textOf(values, 'rate');
  if (text === undefined) return undefined;
  const rate = Number(/^(\d+(?:\.\d+)?)(?:\/s)?$/.exec(text.trim())?.[1]);
  if (rate > 0) return rate;
  throw usageError(`--rate must be a number of requests per second, such as 50/s, not ${shown(text)}.`);
}

/** Maximum number of rows to send (`--limit`). */
export const limitOf = ({ globals }: Pick<Context, 'globals'>): number | undefined => numberOf(globals, 'limit');

/** How a job is run, as `PACE_FLAGS` say. */
export function paceOf(values: Values) {
  const maxErrors = textOf(values, 'max-errors');
  return {
    concurrency: numberOf(values, 'concurrency') ?? CONCURRENCY,
    maxRate: rateOf(values),
    results: textOf(values, 'results'),
    failed: textOf(values, 'failed'),
    maxErrors: maxErrors === undefined ? undefined : maxErrorsOf(maxErrors),
  };
}

/** The rows that `edu jobs retry` sends again. */
export const retryOf = ({ retry }: Values): Retry | undefined =>
  retry === 'failed' || retry === 'unknown' ? retry : undefined;

export function optionsOf(values: Values): BulkOptions {
  return {
    ...paceOf(values),
    from: textOf(values, 'from'),
    count: numberOf(values, 'count'),
    job: textOf(values, 'job'),
    batch: textOf(values, 'batch'),
    onExisting: onExistingOf(textOf(values, 'on-existing')),
    skipsInvalid: isOn(values, 'skip-invalid'),
    shard: textOf(values, 'shard'),
    reading: readingOf(values),
    dryRun: isDryRun(values),
  };
}

/** The values on the command line that apply to every row, without those that control the job. */
export const lineOf = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => value !== undefined && !BULK_NAMES.has(name) && name !== 'dry-run',
    ),
  );

/** Values from the settings for rows that do not set them, stored with the job so that later changes do not matter. */
export function defaultsOf({ columns }: Verb, context: Context): Values {
  const takes = (wanted: string): boolean => columns.some(({ name }) => name === wanted);
  const organization = takes('organization') ? context.configuredOrganization() : undefined;
  return {
    ...(organization === undefined ? {} : { organization: organization.id }),
    ...(organization?.type === undefined ? {} : { 'organization-type': organization.type }),
    ...(takes('language') ? { language: context.language() } : {}),
  };
}
