/** The output formats and their traits. The compiler requires a writer for each (output/printer.ts). */

/** Properties of a format; absent means false. */
export interface FormatTraits {
  /** For programs: errors are JSON. */
  readonly machine?: true;
  /** Each item is printed as compact JSON, like the service sends it. */
  readonly compact?: true;
  /** A list is one document, which is invalid until it is complete. */
  readonly oneDocument?: true;
  /** The columns must be known before the first item is printed. */
  readonly columns?: true;
  /** For people: fits the width of the terminal and may use a pager. */
  readonly people?: true;
  /** Cells are separated by a delimiter. */
  readonly delimited?: true;
  readonly idsOnly?: true;
  /** One record per line, with backslash escapes. */
  readonly escaped?: true;
}

export const FORMAT_TRAITS = {
  table: { people: true, columns: true },
  tsv: { delimited: true, columns: true, escaped: true },
  json: { machine: true, oneDocument: true },
  ndjson: { machine: true, compact: true },
  csv: { delimited: true, columns: true },
  ids: { idsOnly: true, escaped: true },
  yaml: { machine: true, oneDocument: true },
  markdown: { columns: true },
} as const satisfies Readonly<Record<string, FormatTraits>>;

export type Format = keyof typeof FORMAT_TRAITS;

export const FORMATS = Object.keys(FORMAT_TRAITS) as readonly Format[];

export const traitsOfFormat = (format: Format): FormatTraits => FORMAT_TRAITS[format];

/** Whether a name is that of a format for programs. */
export const isMachineFormat = (name: string | undefined): boolean =>
  FORMATS.some((format) => format === name?.toLowerCase() && traitsOfFormat(format).machine === true);
