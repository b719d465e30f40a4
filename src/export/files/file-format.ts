/** The three file formats of an export: the line of an item, and the text before, between and after lines. */
import type { Field } from '../../contract/vocabulary.js';
import { excerpt } from '../../core/clean-text.js';
import { EduError } from '../../core/errors.js';
import { csv } from '../../output/writers/csv.js';
import { excelDelimiter } from '../../output/writers/csv-line.js';
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

/** @throws EduError for a lone surrogate, which UTF-8 cannot represent, so that writing it would change the text */
function wellFormed(line: string): string {
  if (line.isWellFormed()) return line;
  const message = `a text with half of a surrogate pair, which csv cannot contain: ${excerpt(line, 80)}`;
  throw new EduError('invalid_response', message, { hint: 'Export it as ndjson or json, which keep it.' });
}

/** @param language of Excel, which csv is written for; undefined for plain csv */
export function fileFormat(format: Format, shape: Field, language?: string): FileFormat {
  if (format !== 'csv') {
    const written = canonicalWriter(shape);
    const line = (item: unknown): string => `${written(item)}\n`;
    if (format === 'ndjson') return { line, before: '', separator: '', after: '', nothing: '' };
    // One item per line, so that the document can also be searched and compared by line.
    return { line, before: '[\n', separator: ',', after: '\n]\n', nothing: '[]\n' };
  }
  const sorted = setSorter(shape);
  const excel = language === undefined ? undefined : excelDelimiter(language);
  const layout = { ...FILE_LAYOUT, header: false, excel };
  const header = String(csv.list(shape, { ...layout, header: true }).end());
  const rows = csv.list(shape, layout);
  let isFirst = excel !== undefined;
  const line = (item: unknown): string => {
    const row = String(rows.page([sorted(item)]));
    // The first row begins with the byte order mark, which the header already has.
    const own = isFirst ? row.slice(1) : row;
    isFirst = false;
    return wellFormed(own);
  };
  return { line, before: header, separator: '', after: '', nothing: header };
}

/** `licenses.ndjson.gz` */
export const fileName = (name: string, format: Format, gzip: boolean): string =>
  `${name}.${format}${gzip ? '.gz' : ''}`;
