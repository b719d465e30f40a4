/** The output formats: their traits and writers. */
import type { Writer } from './writers/writer.js';

/** Properties of a format; absent means false. */
export interface FormatTraits {
  readonly load: () => Promise<Writer>;
  /** For programs: errors are JSON. */
  readonly machine?: true;
  /** Each item is printed as compact JSON, like the service sends it. */
  readonly compact?: true;
  /** A list is one document of nested values, such as JSON, and invalid until it is complete. */
  readonly oneDocument?: true;
  /** The columns must be known before the first item is printed. */
  readonly columns?: true;
  /** For people: fits the width of the terminal and may use a pager. */
  readonly people?: true;
  /** A record is a row of cells. */
  readonly cells?: true;
  /** Bytes, which a terminal cannot show. */
  readonly binary?: true;
  /** A value keeps its structure, and columns have names without a header. */
  readonly nested?: true;
  readonly idsOnly?: true;
  /** One record per line, with backslash escapes. */
  readonly escaped?: true;
}

/** In the order of messages. */
const TRAITS = {
  table: { people: true, columns: true, load: async () => (await import('./table/table.js')).table },
  tsv: { cells: true, columns: true, escaped: true, load: async () => (await import('./writers/tsv.js')).tsv },
  json: { machine: true, oneDocument: true, load: async () => (await import('./writers/json-writer.js')).json },
  ndjson: { machine: true, compact: true, load: async () => (await import('./writers/json-writer.js')).ndjson },
  csv: { cells: true, columns: true, load: async () => (await import('./writers/csv.js')).csv },
  ids: { idsOnly: true, escaped: true, load: async () => (await import('./writers/ids.js')).ids },
  yaml: { machine: true, oneDocument: true, load: async () => (await import('./writers/yaml.js')).yaml },
  parquet: {
    columns: true,
    nested: true,
    binary: true,
    load: async () => (await import('./writers/parquet.js')).parquet,
  },
  xlsx: { cells: true, columns: true, binary: true, load: async () => (await import('./writers/xlsx.js')).xlsx },
  markdown: { columns: true, load: async () => (await import('./writers/markdown.js')).markdown },
} as const satisfies Readonly<Record<string, FormatTraits>>;

export type Format = keyof typeof TRAITS;

export const FORMATS = Object.keys(TRAITS) as readonly Format[];

/** Other endings of file names than the format's name. */
const ENDINGS: Readonly<Partial<Record<Format, string>>> = { tsv: 'tab', ndjson: 'jsonl', yaml: 'yml', markdown: 'md' };

/** The format that the ending of a file name means. */
export const formatOfEnding = (ending: string): Format | undefined =>
  FORMATS.find((format) => format === ending || ENDINGS[format] === ending);

export const traitsOfFormat = (format: Format): FormatTraits => TRAITS[format];

/** True if a name is that of a format for programs. */
export const isMachineFormat = (name: string | undefined): boolean =>
  FORMATS.some((format) => format === name?.toLowerCase() && traitsOfFormat(format).machine === true);
