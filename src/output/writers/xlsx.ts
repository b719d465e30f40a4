/** Prints an Excel workbook of one sheet: a header and a row for each record. */
import type { Field } from '../../contract/vocabulary.js';
import { columnType } from '../column-types.js';
import { type RecordColumn, recordColumns } from './records.js';
import { WorkbookWriter } from './workbook-writer.js';
import type { ListWriter, Writer } from './writer.js';

/** The column of a sheet for a field. */
export const sheetColumn = ({ name, kind }: RecordColumn) => ({
  name: name || 'value',
  type: kind === undefined ? ('text' as const) : columnType({ kind }).cell,
});

function listWriter(shape: Field, { fields, header, title }: Parameters<Writer['list']>[1]): ListWriter {
  const columns = recordColumns(shape, fields);
  const book = new WorkbookWriter();
  book.sheet(title, columns.map(sheetColumn), header !== false);
  return {
    page(items) {
      for (const item of items) book.row(columns.map(({ read }) => read(item)));
      return book.take();
    },
    end() {
      book.end();
      return book.take();
    },
  };
}

export const xlsx: Writer = { list: listWriter };
