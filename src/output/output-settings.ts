/** Derives the output settings from flags, environment, profile and terminal. */
import { usageError } from '../core/errors.js';
import { FORMATS, type Format, traitsOfFormat } from '../core/formats.js';
import type { Env, Io } from '../core/io.js';
import { didYouMean } from '../core/suggest.js';
import { wantsColor } from './color.js';
import { readSort, type Sorting } from './select/sort.js';

/** The output flags, as the user gave them. */
export interface OutputFlags {
  readonly output?: string | undefined;
  readonly json?: boolean | undefined;
  /** `a,b.c` */
  readonly fields?: string | undefined;
  readonly query?: string | undefined;
  readonly sort?: string | undefined;
  /** True for `--header`, false for `--no-header`. */
  readonly header?: boolean | undefined;
  readonly excel?: boolean | undefined;
  /** `--language`. Excel expects semicolons in languages other than English. */
  readonly language?: string | undefined;
  readonly wide?: boolean | undefined;
  readonly quiet?: boolean | undefined;
  readonly noColor?: boolean | undefined;
  readonly noPager?: boolean | undefined;
  readonly limit?: number | undefined;
}

export interface OutputSettings {
  readonly format: Format;
  readonly fields: readonly string[] | undefined;
  readonly query: string | undefined;
  readonly sort: Sorting | undefined;
  readonly header: boolean | undefined;
  readonly excel: boolean;
  /** CSV for Excel in a language with decimal commas. */
  readonly semicolons: boolean;
  readonly wide: boolean;
  readonly quiet: boolean;
  /** Colours on stdout. */
  readonly color: boolean;
  /** Command line of the pager; undefined for none. */
  readonly pager: string | undefined;
  readonly limit: number | undefined;
}

function readFormat(text: string, where: string): Format {
  const format = FORMATS.find((name) => name === text.toLowerCase());
  if (format !== undefined) return format;
  throw usageError(
    `${where}: there is no format "${text}".`,
    didYouMean(text, FORMATS) ?? `Use ${FORMATS.join(', ')}.`,
  );
}

/**
 * In this order: format flags (`--output`, `--json`, `--excel`), `--quiet` (IDs only), environment, profile, and by
 * default a table on a terminal, else TSV.
 */
function formatOf(flags: OutputFlags, io: Io, env: Env, profile: string | undefined): Format {
  const named = [
    ...(flags.output === undefined ? [] : [readFormat(flags.output, '--output')]),
    ...(flags.json === true ? (['json'] as const) : []),
    ...(flags.excel === true ? (['csv'] as const) : []),
  ];
  const [first, ...others] = [...new Set(named)];
  if (others.length > 0) throw usageError(`Use one output format, not ${[first, ...others].join(' and ')}.`);
  if (first !== undefined) return first;
  if (flags.quiet === true) return 'ids';
  if (env.EDU_OUTPUT) return readFormat(env.EDU_OUTPUT, 'EDU_OUTPUT');
  if (profile) return readFormat(profile, "the profile's output");
  return io.stdout.isTTY ? 'table' : 'tsv';
}

function readFields(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.every((name) => name !== '')) return [...new Set(names)];
  throw usageError(`--fields: "${text}" contains an empty name.`, 'Write it as --fields id,name,organization.id.');
}

function pagerOf(flags: OutputFlags, io: Io, env: Env, format: Format): string | undefined {
  if (traitsOfFormat(format).people !== true || flags.noPager === true || !io.stdout.isTTY || env.TERM === 'dumb')
    return undefined;
  // If less is not installed, the output is printed without a pager.
  const pager = (env.EDU_PAGER ?? env.PAGER ?? 'less').trim();
  return pager === '' || pager === 'cat' ? undefined : pager;
}

/** @throws EduError `usage` for a flag that does not apply to the format */
function checkFlags({ header, fields, query }: OutputFlags, format: Format): void {
  const { columns, idsOnly } = traitsOfFormat(format);
  if (header !== undefined && columns !== true)
    throw usageError(`--${header ? '' : 'no-'}header does not apply: ${format} has no line of column names.`);
  if (fields !== undefined && query === undefined && idsOnly === true)
    throw usageError(`--fields ${fields} does not apply: only IDs are printed.`, 'Choose another format: --output tsv');
}

/**
 * @param profile the format in the profile, if any
 * @throws EduError `usage` for an unknown format, contradicting formats, or fields and sorting that cannot be parsed.
 *   `Printer.check` checks them against the command's shape later.
 */
export function outputSettings(flags: OutputFlags, io: Io, env: Env, profile?: string): OutputSettings {
  const format = formatOf(flags, io, env, profile);
  checkFlags(flags, format);
  return {
    format,
    fields: flags.fields === undefined ? undefined : readFields(flags.fields),
    query: flags.query,
    sort: flags.sort === undefined ? undefined : readSort(flags.sort),
    header: flags.header,
    excel: flags.excel === true,
    semicolons: flags.excel === true && flags.language !== undefined && flags.language !== 'EN',
    wide: flags.wide === true,
    quiet: flags.quiet === true,
    color: wantsColor(flags.noColor === true, env, io.stdout.isTTY),
    pager: pagerOf(flags, io, env, format),
    limit: flags.limit,
  };
}
