/** Prints tab-separated records: one per line, with tabs, line breaks and control characters escaped. */
import type { Field } from '../../contract/vocabulary.js';
import { forRecord } from '../sanitize.js';
import { cellText, printableShape, recordColumns, rowWriter } from './records.js';
import type { Layout, ListWriter, Writer } from './writer.js';

const tsvWriter = (shape: Field, layout: Layout): ListWriter =>
  rowWriter({
    columnsFor: (items) => recordColumns(printableShape(shape, items), layout.fields),
    head: (columns) => (layout.header === true ? `${columns.map(({ name }) => forRecord(name)).join('\t')}\n` : ''),
    row: (item, columns) => `${columns.map(({ read }) => forRecord(cellText(read(item)))).join('\t')}\n`,
  });

export const tsv: Writer = {
  list: tsvWriter,
  item: (value, shape, layout) => tsvWriter(shape, layout).page([value]),
};
