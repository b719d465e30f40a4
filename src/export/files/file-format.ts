/** The three file formats of an export: the line of an item, and the text before, between and after lines. */
import type { Field } from '../../contract/vocabulary.js';
import { csv } from '../../output/writers/csv.js';
import { FILE_LAYOUT } from '../../output/writers/writer.js';
import { canonicalWriter, setSorter } from './canonical.js';

export const FORMATS = ['ndjson', 'json', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

export interface FileFormat {
  /** An item as a line, with its line break. */
  readonly line: (item: unknown) => string;
  readonly before: string;
  /** Stands before the line break between two lines. */
  readonly separator: '' | ',';
  readonly after: string;
  /** The content of a file without items. */
  readonly nothing: string;
}

export function fileFormat(format: Format, shape: Field): FileFormat {
  if (format !== 'csv') {
    const written = canonicalWriter(shape);
    const line = (item: unknown): string => `${written(item)}\n`;
    if (format === 'ndjson') return { line, before: '', separator: '', after: '', nothing: '' };
    // One item per line, so that the document can also be searched and compared by line.
    return { line, before: '[\n', separator: ',', after: '\n]\n', nothing: '[]\n' };
  }
  const sorted = setSorter(shape);
  const header = String(csv.list(shape, FILE_LAYOUT).end());
  const rows = csv.list(shape, { ...FILE_LAYOUT, header: false });
  const line = (item: unknown): string => String(rows.page([sorted(item)]));
  return { line, before: header, separator: '', after: '', nothing: header };
}

/** `licenses.ndjson.gz` */
export const fileName = (name: string, format: Format, gzip: boolean): string =>
  `${name}.${format}${gzip ? '.gz' : ''}`;
