/** Derives the output settings from flags, environment, profile and terminal. */
import { usageError } from '../core/errors.js';
import { isOn, numberOf, textOf, type Values } from '../core/flag-values.js';
import type { Env, Io } from '../core/io.js';
import { shellLine } from '../core/shell.js';
import { didYouMean } from '../core/suggest.js';
import { isPlain, wantsColor } from './color.js';
import { FORMATS, type Format, formatOfEnding, traitsOfFormat } from './formats.js';
import { readSort, type Sorting } from './select/sort.js';
import { excelDelimiter } from './writers/csv-line.js';
import type { Layout } from './writers/writer.js';

export interface OutputSettings extends Omit<Layout, 'title' | 'columns' | 'terminal'> {
  readonly format: Format;
  readonly query: string | undefined;
  readonly sort: Sorting | undefined;
  readonly quiet: boolean;
  /** Command line of the pager; undefined for none. */
  readonly pager: string | undefined;
  readonly limit: number | undefined;
}

/**
 * In this order: format flags (`--output`, `--json`, `--excel`, the ending of `--to`), `--quiet` (IDs only), the setting, and by default a
 * table on a terminal, else TSV.
 */
function formatOf(flags: Values, io: Io, setting: Format | undefined): Format {
  const output = textOf(flags, 'output');
  const to = textOf(flags, 'to');
  const ending = /\.([a-z]+)$/i.exec(to ?? '')?.[1]?.toLowerCase();
  const byEnding = formatOfEnding(ending ?? '');
  const named = [
    ...(output === undefined ? [] : [output as Format]),
    ...(isOn(flags, 'json') ? (['json'] as const) : []),
    ...(isOn(flags, 'excel') ? (['csv'] as const) : []),
    ...(byEnding === undefined ? [] : [byEnding]),
  ];
  const [first, ...others] = [...new Set(named)];
  if (others.length > 0) throw usageError(`Use one output format, not ${[first, ...others].join(' and ')}.`);
  if (first !== undefined) return first;
  if (isOn(flags, 'quiet')) return 'ids';
  if (setting !== undefined) return setting;
  // A .txt is text of any kind, so that it gets the default.
  if (ending !== undefined && ending !== 'txt') {
    const hint = didYouMean(ending, FORMATS) ?? `Use ${FORMATS.join(', ')}.`;
    throw usageError(`${shellLine('--to', to ?? '')}: there is no format "${ending}".`, hint);
  }
  return io.stdout.isTTY ? 'table' : 'tsv';
}

function readFields(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.every((name) => name !== '')) return [...new Set(names)];
  throw usageError(`--fields: "${text}" contains an empty name.`, 'Write it as --fields id,name,organization.id.');
}

/** As with other programs, the setting of `edu`, which may be EDU_PAGER, precedes the general variable `PAGER`. */
function pagerOf(flags: Values, io: Io, env: Env, format: Format, setting: string | undefined): string | undefined {
  const isOff = isOn(flags, 'no-pager') || isPlain(flags, env) || env.TERM === 'dumb';
  if (isOff || !traitsOfFormat(format).people || !io.stdout.isTTY) return undefined;
  // If less is not installed, the output is printed without a pager.
  const pager = (setting ?? env.PAGER ?? 'less').trim();
  return ['', 'cat', 'none'].includes(pager) ? undefined : pager;
}

function checkFlags(flags: Values, format: Format, { stdout }: Io): void {
  const { columns, nested, binary } = traitsOfFormat(format);
  if (binary && stdout.isTTY)
    throw usageError(`Cannot print ${format} on a terminal.`, `Write it to a file: --to FILE.${format}`);
  const header = ['header', 'no-header'].find((name) => isOn(flags, name));
  if (header !== undefined && (columns !== true || nested === true))
    throw usageError(`--${header} does not apply: ${format} has no line of column names.`);
}

/**
 * @param flags the global flags, with the language in effect
 * @param set the format and the pager of environment or profile
 * @throws EduError `usage` for contradicting formats, or fields and sorting that cannot be parsed.
 *   `Printer.check` checks them against the command's shape later.
 */
export function outputSettings(
  flags: Values,
  io: Io,
  env: Env,
  set: { readonly output?: Format | undefined; readonly pager?: string | undefined } = {},
): OutputSettings {
  const format = formatOf(flags, io, set.output);
  checkFlags(flags, format, io);
  const fields = textOf(flags, 'fields');
  const sort = textOf(flags, 'sort');
  return {
    format,
    fields: fields === undefined ? undefined : readFields(fields),
    query: textOf(flags, 'query'),
    sort: sort === undefined ? undefined : readSort(sort),
    header: isOn(flags, 'header') ? true : isOn(flags, 'no-header') ? false : undefined,
    excel: isOn(flags, 'excel') ? excelDelimiter(textOf(flags, 'language') ?? 'EN') : undefined,
    wide: isOn(flags, 'wide'),
    quiet: isOn(flags, 'quiet'),
    idsIfAny: isOn(flags, 'quiet') && textOf(flags, 'output') === undefined,
    color: wantsColor(flags, env, io.stdout.isTTY),
    pager: pagerOf(flags, io, env, format, set.pager),
    limit: numberOf(flags, 'limit'),
  };
}
