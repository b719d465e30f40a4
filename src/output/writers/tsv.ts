/** Prints tab-separated records: one per line, uncut, with tabs, line breaks and control characters escaped. */
import type { Field } from '../../contract/vocabulary.js';
import { forRecord } from '../sanitize.js';
import { cellText, printableShape, recordColumns } from './records.js';
import type { Layout, ListWriter, Writer } from './writer.js';

function tsvWriter(shape: Field, layout: Layout): ListWriter {
  let columns: ReturnType<typeof recordColumns> | undefined;

  function start(items: readonly unknown[]): string {
    columns = recordColumns(printableShape(shape, items), layout.fields);
    return layout.header === true ? `${columns.map(({ name }) => forRecord(name)).join('\t')}\n` : '';
  }

  return {
    page(items) {
      if (items.length === 0) return '';
      let text = columns === undefined ? start(items) : '';
      for (const item of items) {
        text += `${columns?.map(({ read }) => forRecord(cellText(read(item)))).join('\t')}\n`;
      }
      return text;
    },
    end: () => (columns === undefined ? start([]) : ''),
  };
}

export const tsv: Writer = {
  list: tsvWriter,
  item: (value, shape, layout) => tsvWriter(shape, layout).page([value]),
};
