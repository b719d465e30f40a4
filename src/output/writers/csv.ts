/**
 * CSV by RFC 4180 (https://www.rfc-editor.org/rfc/rfc4180), with LF as in Unix tools. `--excel` adds a byte order mark,
 * CRLF, and an apostrophe before text that Excel would read as a formula; in languages other than English also
 * semicolons and decimal commas.
 */
import type { Field } from '../../contract/vocabulary.js';
import { guardFormula } from '../../core/formula.js';
import { forPeople } from '../sanitize.js';
import { cellText, printableShape, recordColumns, rowWriter } from './records.js';
import type { Layout, ListWriter, Writer } from './writer.js';

const BYTE_ORDER_MARK = '\ufeff';

const NEEDS_QUOTES = { ',': /[",\r\n]/, ';': /[";\r\n]/ } as const;

/** @returns a formatter of cells. Only text can be a formula: a negative number is not escaped. */
function cellOf(layout: Layout, delimiter: ',' | ';'): (value: unknown) => string {
  const needsQuotes = NEEDS_QUOTES[delimiter];
  const quoted = (text: string): string => (needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return (value) => {
    const raw = cellText(value);
    const text = layout.terminal ? forPeople(raw) : raw;
    if (!layout.excel) return quoted(text);
    if (typeof value === 'number') return quoted(delimiter === ';' ? text.replace('.', ',') : text);
    return quoted(typeof value === 'boolean' ? text : guardFormula(text));
  };
}

function csvWriter(shape: Field, layout: Layout): ListWriter {
  const lineEnd = layout.excel ? '\r\n' : '\n';
  const delimiter = layout.delimiter ?? ',';
  const cell = cellOf(layout, delimiter);
  // An empty line, which readers skip, would lose a record whose only cell is empty.
  const line = (cells: readonly string[]): string => `${cells.join(delimiter) || '""'}${lineEnd}`;
  return rowWriter({
    columnsFor: (items) => recordColumns(printableShape(shape, items), layout.fields),
    head: (columns) =>
      (layout.excel ? BYTE_ORDER_MARK : '') +
      (layout.header === false ? '' : line(columns.map(({ name }) => cell(name || 'value')))),
    row: (item, columns) => line(columns.map(({ read }) => cell(read(item)))),
  });
}

export const csv: Writer = {
  list: csvWriter,
  item: (value, shape, layout) => csvWriter(shape, layout).page([value]),
};
