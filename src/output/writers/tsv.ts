/** Prints tab-separated records: one per line, with tabs, line breaks and control characters escaped. */
import type { Field } from '../../contract/vocabulary.js';
import { forRecord, forTable } from '../sanitize.js';
import { cellText, recordColumns, rowWriter } from './records.js';
import type { Layout, ListWriter, Writer } from './writer.js';

function tsvWriter(shape: Field, layout: Layout): ListWriter {
  const columns = recordColumns(shape, layout.fields);
  const written = layout.header === true ? forTable : forRecord;
  return rowWriter(
    () => (layout.header === true ? `${columns.map(({ name }) => forRecord(name)).join('\t')}\n` : ''),
    (item) => `${columns.map(({ read }) => written(cellText(read(item)))).join('\t')}\n`,
  );
}

export const tsv: Writer = { list: tsvWriter };
