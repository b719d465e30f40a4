/** `edu diff`: the differences between two exports. */

import { open } from 'node:fs/promises';
import { flag, isGiven, isOn, numberOf, textOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { LOCAL_LIST } from '../../cli/traits.js';
import { EXPORTABLE } from '../../contract/index.js';
import { any, choice, type Endpoint, type Field, integer, list, object, text } from '../../contract/vocabulary.js';
import { EduError, EXIT, usageError } from '../../core/errors.js';
import { describeErrno, diskError } from '../../core/fs/disk-errors.js';
import { orClosed } from '../../core/io.js';
import { plural } from '../../core/plural.js';
import type { Compared, Difference, Key } from '../../export/diff/diff.js';
import { painter, wantsColor } from '../../output/color.js';
import { noteText } from '../../output/error-report.js';
import { traitsOfFormat } from '../../output/formats.js';
import { FILE_LAYOUT } from '../../output/writers/writer.js';
import { namedResources, resourceProblems } from '../export/check-flags.js';
import { plainCommand } from '../kinds/define.js';
import { wantsRecords } from '../kinds/spec.js';
import {
  countText,
  differenceText,
  KINDS,
  nameOf,
  newTally,
  noCount,
  shownValue,
  summaryLines,
  type Tally,
  tallied,
  totals,
} from './difference-text.js';

const RESOURCE = text('resource');
const CHANGE = choice(KINDS, 'kind of change');
const KEY = text('ID or natural key of the item; path of the field');

const DIFFERENCE = object(
  {
    resource: RESOURCE,
    change: CHANGE,
    key: KEY,
    fields: list(
      object({ path: text('field'), before: any('value in A'), after: any('value in B') }, 'field'),
      'the fields that changed',
    ),
    before: any('the item in A'),
    after: any('the item in B'),
    note: text('number of items with a new or missing field', { nullable: true }),
  },
  'difference',
);

/** One changed field, as a row of a table. */
const DIFFERENCE_ROW = object(
  {
    resource: RESOURCE,
    change: CHANGE,
    key: KEY,
    name: text('name of the item'),
    field: text('field that changed', { nullable: true }),
    before: text('value in A', { nullable: true }),
    after: text('value in B', { nullable: true }),
  },
  'difference',
);

/** One resource with `--summary`. */
const DIFFERENCE_COUNTS = object(
  { resource: RESOURCE, ...Object.fromEntries(KINDS.map((kind) => [kind, integer('number of such differences')])) },
  'resource',
);

const DIFFERENT = 1;

type Comparison = AsyncIterable<Compared>;

const maxOf = ({ globals }: Context): number => numberOf(globals, 'limit') ?? Number.POSITIVE_INFINITY;

const noteCut = (max: number, noun: string, { io }: Context): Promise<void> =>
  io.stderr.write(noteText(`cut by --limit after ${plural(max, noun)}; there are more`, false));

/** Prints at most `--limit` differences, each resource under a heading, then the totals. */
async function printText(comparison: Comparison, tally: Tally, context: Context): Promise<void> {
  const { io, env, globals, quiet } = context;
  const max = maxOf(context);
  const paint = painter(wantsColor(globals, env, io.stdout.isTTY));
  const print = async (text: string): Promise<void> => {
    if (!quiet) await io.stdout.write(text);
  };
  let left = max;
  for await (const { resource, differences } of comparison) {
    let isBegun = false;
    for await (const some of differences) {
      if (left > 0 && !isBegun) await print(`${paint('bold', resource)}\n`);
      isBegun = true;
      const texts = some.slice(0, left).map((one) => differenceText(one, paint));
      await print(texts.join(''));
      // After a cut, the totals would be incomplete.
      if (some.length > left) return noteCut(max, 'difference', context);
      left -= some.length;
    }
  }
  await print(`${totals(tally)}\n`);
}

/** JSON has no undefined, so a missing value is null. */
const recordOf = ({ fields, ...rest }: Difference) => ({
  ...rest,
  fields: fields.map(({ before = null, after = null, ...path }) => ({ ...path, before, after })),
});

function rowsOf(difference: Difference): readonly unknown[] {
  const { resource, change, key, fields, note } = difference;
  const row = { resource, change, key, name: nameOf(difference), field: note, before: null, after: null };
  if (fields.length === 0) return [row];
  return fields.map((one) => ({
    ...row,
    field: one.path,
    before: shownValue(one, 'before') ?? null,
    after: shownValue(one, 'after') ?? null,
  }));
}

async function printRecords(comparison: Comparison, context: Context): Promise<void> {
  const printer = await context.printer();
  const isTable = printer.format === 'table' || printer.format === 'markdown';
  const shape: Field = isTable ? DIFFERENCE_ROW : DIFFERENCE;
  async function* records(): AsyncGenerator<readonly unknown[]> {
    for await (const { differences } of comparison) {
      for await (const some of differences) yield isTable ? some.flatMap(rowsOf) : some.map(recordOf);
    }
  }
  await printer.list(records(), { shape, noun: 'differences' });
}

async function readAll(comparison: Comparison): Promise<void> {
  for await (const { differences } of comparison) for await (const _ of differences);
}

async function printSummary(comparison: Comparison, tally: Tally, context: Context): Promise<void> {
  await readAll(comparison);
  if (!wantsRecords(context)) {
    const max = maxOf(context);
    const lines = summaryLines(tally);
    if (!context.quiet) await context.io.stdout.write(`${lines.slice(0, max).join('')}${totals(tally)}\n`);
    if (lines.length > max) await noteCut(max, 'resource', context);
    return;
  }
  const printer = await context.printer();
  const rows = [...tally.byResource].map(([resource, count]) => ({ resource, ...noCount(), ...count }));
  await printer.list(rows, { shape: DIFFERENCE_COUNTS, noun: 'resources' });
}

/** A table in Markdown, and the totals. */
async function* markdown(comparison: Comparison, tally: Tally): AsyncGenerator<string> {
  const table = (await traitsOfFormat('markdown').load()).list(DIFFERENCE_ROW, FILE_LAYOUT);
  for await (const { differences } of comparison)
    for await (const some of differences) yield String(table.page(some.flatMap(rowsOf)));
  yield `${table.end()}\n${totals(tally)}\n`;
}

async function printForGithub(comparison: Comparison, tally: Tally, { io, env, globals }: Context): Promise<void> {
  const flags = ['json', 'output', 'excel', 'query', 'fields', 'sort', 'limit', 'header'];
  const ofData = flags.find((name) => isGiven(globals, name));
  if (ofData !== undefined) throw usageError(`--${ofData} does not apply to --github, which prints annotations.`);
  const path = env.GITHUB_STEP_SUMMARY;
  if (path === undefined || path === '') await readAll(comparison);
  else await appendSummary(path, markdown(comparison, tally));
  await io.stdout.write(annotations(tally));
}

async function print(comparison: Comparison, tally: Tally, values: Values, context: Context): Promise<void> {
  if (isOn(values, 'github')) return printForGithub(comparison, tally, context);
  if (isOn(values, 'summary')) return printSummary(comparison, tally, context);
  return wantsRecords(context) ? printRecords(comparison, context) : printText(comparison, tally, context);
}

function exitCodeOf({ total, hidden }: Tally): number {
  // A list can be read in only one of the exports.
  if (total.not_visible > 0 || hidden.length > 0) return EXIT.partial;
  return Object.values(total).some((count) => count > 0) ? DIFFERENT : EXIT.done;
}

/** Returns a function that reads an item by its ID. @throws EduError `usage` if an export is of another service */
async function liveReader(folders: readonly string[], context: Context) {
  const { readManifest } = await import('../../export/files/manifest.js');
  const client = await context.client();
  for (const folder of folders) {
    const { baseUrl } = (await readManifest(folder)).manifest;
    if (baseUrl !== client.baseUrl)
      throw usageError(`--verify asks ${client.baseUrl}, and ${folder} is an export of ${baseUrl}.`);
  }
  const { fateOf } = await import('../../export/collect/movers.js');
  return (endpoint: Endpoint, id: string) => fateOf(client, endpoint, id, context.signal);
}

/** @returns the exit code */
async function runDiff(values: Values, context: Context): Promise<number> {
  const [a = '', b = ''] = [textOf(values, 'a'), textOf(values, 'b')];
  const { diff } = await import('../../export/diff/diff.js');
  const wanted = namedResources(values);
  const key = (textOf(values, 'key') ?? 'id') as Key;
  const fateOf = isOn(values, 'verify') ? await liveReader([a, b], context) : undefined;
  const how = { key, wanted, force: isOn(values, 'force'), fateOf, signal: context.signal };
  const comparison = (tally: Tally): Comparison => tallied(diff(a, b, how), tally);
  try {
    const printed = newTally();
    let isCut = isGiven(context.globals, 'limit');
    await print(comparison(printed), printed, values, context).catch((error: unknown) => {
      orClosed(error);
      isCut = true;
    });
    // Differences that were not printed count for the exit code, too.
    const tally = isCut ? newTally() : printed;
    if (isCut) await readAll(comparison(tally));
    for (const text of [...tally.hidden, ...tally.unseen]) await context.warn(`cannot compare ${text}`);
    return exitCodeOf(tally);
  } catch (error) {
    if (isOn(values, 'github') && error instanceof EduError)
      await context.io.stdout.write(`::error title=edu diff::${message(error.message)}\n`);
    // Exit code 1 would mean that the exports differ.
    if (!(error instanceof Error)) throw error;
    const known = error instanceof EduError ? error : diskError(error);
    if (known?.exitCode !== DIFFERENT) throw error;
    throw known.with({ kind: 'partial' });
  }
}

/** GitHub's limit is 1 MiB per step; the rest is left to other commands of the step. */
const MAX_SUMMARY_BYTES = 900 * 1024;

/** The message of a workflow command, as the runner decodes it (actions/runner, ActionCommand.cs). */
const message = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/** Workflow commands, which GitHub shows as annotations. */
function annotations({ byResource, hidden, unseen }: Tally): string {
  const differences = [...byResource].flatMap(([resource, count]) => {
    const words = countText(count);
    return words === '' ? [] : [`::notice title=edu diff ${resource}::${message(words)}\n`];
  });
  const warnings = [...hidden, ...unseen].map((text) => `::warning title=edu diff::${message(text)}\n`);
  return [...differences, ...warnings].join('');
}

async function appendSummary(path: string, pieces: AsyncIterable<string>): Promise<void> {
  let text = '';
  let size = 0;
  for await (const piece of pieces) {
    size += Buffer.byteLength(piece);
    if (size <= MAX_SUMMARY_BYTES) text += piece;
  }
  const more = size > MAX_SUMMARY_BYTES ? '\n… and more than a step summary can hold.\n' : '';
  const file = await open(path, 'a').catch((error: unknown) => {
    throw usageError(`GITHUB_STEP_SUMMARY: ${path} cannot be written: ${describeErrno(error)}.`);
  });
  await file.write(`## Differences\n\n${text}${more}`).finally(() => file.close());
}

export const diffCommand = plainCommand({
  name: 'diff',
  summary: 'Compare two exports: list added, removed and changed items.',
  details:
    'The exit code is 0 if the exports are equal, 1 if they differ, 2 if they cannot be compared, and 3 if a list can be ' +
    'read in only one of them. Items of such a list are "not visible", never added or removed. A field that is missing ' +
    'from every item of one export counts as one difference. The default output is text, also in a pipe; json, ndjson, ' +
    'csv and tsv print one record per difference. To compare exports of two services, use --key natural: it matches ' +
    'licences, subscriptions and classes by code, publishers and schools by name, users by e-mail address, books and ' +
    'readers by EAN.',
  arguments: [
    { name: 'a', description: 'folder of the earlier export', names: 'file' },
    { name: 'b', description: 'folder of the later export', names: 'file' },
    {
      name: 'resource',
      description: 'resources to compare (default: all)',
      many: true,
      optional: true,
      words: EXPORTABLE,
    },
  ],
  flags: [
    flag('--key KEY', 'field that matches items (default id)', { kind: 'choice', choices: ['id', 'natural'] }),
    flag('--summary', 'print the number of differences per resource'),
    flag('--github', 'write annotations and the step summary of a GitHub Actions job'),
    flag('--verify', 'read users that are missing from B by ID: only those that do not exist are removed'),
    flag('--force', 'compare exports of different accounts, organizations, services, languages or schemas'),
  ],
  examples: {
    'List the changes since yesterday:': 'edu diff yesterday today',
    'List changed licences as JSON:': 'edu diff yesterday today licenses --json',
    'List removed users, without those who moved while B was made:': 'edu diff yesterday today users --verify',
    'Count the changes:': 'edu diff yesterday today --summary',
  },
  shape: DIFFERENCE,
  prints: 'list',
  traits: (values) => (isOn(values, 'verify') ? [...LOCAL_LIST, 'service'] : LOCAL_LIST),
  check: resourceProblems,
  run: runDiff,
});
