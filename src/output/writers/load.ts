/** Loads the writer of a format when it is needed. */
import type { Format } from '../../core/formats.js';
import type { Writer } from './writer.js';

const WRITERS: Readonly<Record<Format, () => Promise<Writer>>> = {
  table: async () => (await import('../table/table.js')).table,
  tsv: async () => (await import('./tsv.js')).tsv,
  json: async () => (await import('./json.js')).json,
  ndjson: async () => (await import('./json.js')).ndjson,
  csv: async () => (await import('./csv.js')).csv,
  ids: async () => (await import('./ids.js')).ids,
  yaml: async () => (await import('./yaml.js')).yaml,
  markdown: async () => (await import('./markdown.js')).markdown,
};

export const loadWriter = (format: Format): Promise<Writer> => WRITERS[format]();
