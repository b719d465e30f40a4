/** The output formats and their traits. The compiler requires a writer for each (output/writers/load.ts). */

/** What is true of a format; what is left out is false. */
export interface FormatTraits {
  /** Read by a program: errors are JSON, and nothing else disturbs the stream. */
  readonly machine?: true;
  /** A list is one document, which is not whole before its end. */
  readonly oneDocument?: true;
  /** Its columns must be known before the first item is printed. */
  readonly columns?: true;
  /** Made for people at a terminal: it fits the width and may go through a pager. */
  readonly people?: true;
  /** Records of cells with a delimiter between them. */
  readonly delimited?: true;
  /** Nothing but ids. */
  readonly idsOnly?: true;
  /** One record a line, in which backslashes begin an escape. */
  readonly escaped?: true;
}

export const FORMAT_TRAITS = {
  table: { people: true, columns: true },
  tsv: { delimited: true, columns: true, escaped: true },
  json: { machine: true, oneDocument: true },
  ndjson: { machine: true },
  csv: { delimited: true, columns: true },
  ids: { idsOnly: true, escaped: true },
  yaml: { machine: true, oneDocument: true },
  markdown: { columns: true },
} as const satisfies Readonly<Record<string, FormatTraits>>;

export type Format = keyof typeof FORMAT_TRAITS;

export const FORMATS = Object.keys(FORMAT_TRAITS) as readonly Format[];

/** The traits of a format. */
export const traitsOfFormat = (format: Format): FormatTraits => FORMAT_TRAITS[format];

/** Returns true for the name of a format whose reader is a program. */
export const isMachineFormat = (name: string | undefined): boolean =>
  FORMATS.some((format) => format === name?.toLowerCase() && traitsOfFormat(format).machine === true);
