/** The three forms of an export's files: how an item becomes a line, and what stands before, between and behind lines. */
import type { Field } from '../../contract/vocabulary.js';
import { csv } from '../../output/writers/csv.js';
import type { Layout } from '../../output/writers/writer.js';
import { canonicalWriter, setSorter } from './canonical.js';

export const FORMATS = ['ndjson', 'json', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

export interface FileFormat {
  /** An item as a line, with its line break. */
  readonly line: (item: unknown) => string;
  readonly before: string;
  /** Takes the place of the line break between two lines. */
  readonly between: string;
  /** The same behind the last line. */
  readonly after: string;
  /** The whole file when there is nothing in it. */
  readonly nothing: string;
}

const LAYOUT: Layout = {
  fields: undefined,
  header: false,
  excel: false,
  wide: true,
  columns: undefined,
  terminal: false,
  color: false,
};

/** @param shape of the items: the order of their keys, the columns of a csv */
export function fileFormat(format: Format, shape: Field): FileFormat {
  const line = canonicalWriter(shape);
  const sorted = setSorter(shape);
  switch (format) {
    case 'ndjson':
      return { line: (item) => `${line(item)}\n`, before: '', between: '\n', after: '\n', nothing: '' };
    case 'json':
      // One item a line: a document that can also be read, compared and searched line by line.
      return {
        line: (item) => `${line(item)}\n`,
        before: '[\n',
        between: ',\n',
        after: '\n]\n',
        nothing: '[]\n',
      };
    case 'csv': {
      const header = String(csv.list(shape, { ...LAYOUT, header: true }).end());
      const rows = csv.list(shape, LAYOUT);
      return {
        line: (item) => String(rows.page([sorted(item)])),
        before: header,
        between: '\n',
        after: '\n',
        nothing: header,
      };
    }
  }
}

/** `licenses.ndjson.gz` */
export const fileName = (name: string, format: Format, gzip: boolean): string =>
  `${name}.${format}${gzip ? '.gz' : ''}`;
