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
  /** Cells are separated by a delimiter. */
  readonly delimited?: true;
  readonly idsOnly?: true;
  /** One record per line, with backslash escapes. */
  readonly escaped?: true;
}

/** In the order of messages. */
const TRAITS = {
  table: { people: true, columns: true, load: async () => (await import('./table/table.js')).table },
  tsv: { delimited: true, columns: true, escaped: true, load: async () => (await import('./writers/tsv.js')).tsv },
  json: { machine: true, oneDocument: true, load: async () => (await import('./writers/json-writer.js')).json },
  ndjson: { machine: true, compact: true, load: async () => (await import('./writers/json-writer.js')).ndjson },
  csv: { delimited: true, columns: true, load: async () => (await import('./writers/csv.js')).csv },
  ids: { idsOnly: true, escaped: true, load: async () => (await import('./writers/ids.js')).ids },
  yaml: { machine: true, oneDocument: true, load: async () => (await import('./writers/yaml.js')).yaml },
  markdown: { columns: true, load: async () => (await import('./writers/markdown.js')).markdown },
} as const satisfies Readonly<Record<string, FormatTraits>>;

export type Format = keyof typeof TRAITS;

export const FORMATS = Object.keys(TRAITS) as readonly Format[];

export const traitsOfFormat = (format: Format): FormatTraits => TRAITS[format];

/** Whether a name is that of a format for programs. */
export const isMachineFormat = (name: string | undefined): boolean =>
  FORMATS.some((format) => format === name?.toLowerCase() && traitsOfFormat(format).machine === true);
