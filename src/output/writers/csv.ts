/**
 * CSV by RFC 4180 (https://www.rfc-editor.org/rfc/rfc4180) with LF, as Unix tools write it; `--excel` adds what Excel
 * needs: a byte order mark, CRLF, and a quote before anything that it would take for a formula; in languages other than
 * English also semicolons and decimal commas.
 */
import type { Field } from '../../contract/vocabulary.js';
import { disarmed } from '../../core/formula.js';
import { forPeople } from '../sanitize.js';
import { cellText, printableShape, recordColumns } from './records.js';
import type { Layout, ListWriter, Writer } from './writer.js';

const BYTE_ORDER_MARK = '\ufeff';

const NEEDS_QUOTES = /[",\r\n]/;

const quoted = (text: string, delimiter: string): string =>
  NEEDS_QUOTES.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;

/** A value as one cell. Only text can be a formula: a negative number stays a number. */
function cell(value: unknown, layout: Layout): string {
  const raw = cellText(value);
  const text = layout.terminal ? forPeople(raw) : raw;
  const isText = typeof value !== 'number' && typeof value !== 'boolean';
  if (typeof value === 'number' && layout.excel && layout.delimiter === ';') return text.replace('.', ',');
  return quoted(layout.excel && isText ? disarmed(text) : text, layout.delimiter ?? ',');
}

function csvWriter(shape: Field, layout: Layout): ListWriter {
  const lineEnd = layout.excel ? '\r\n' : '\n';
  let columns: ReturnType<typeof recordColumns> | undefined;

  const line = (cells: readonly string[]): string => {
    const text = cells.join(layout.delimiter ?? ',');
    // A record that is one empty cell would be an empty line, which readers skip.
    return `${text === '' ? '""' : text}${lineEnd}`;
  };

  function start(items: readonly unknown[]): string {
    columns = recordColumns(printableShape(shape, items), layout.fields);
    const header = layout.header === false ? '' : line(columns.map(({ name }) => cell(name || 'value', layout)));
    return (layout.excel ? BYTE_ORDER_MARK : '') + header;
  }

  return {
    page(items) {
      if (items.length === 0) return '';
      let text = columns === undefined ? start(items) : '';
      for (const item of items) text += line(columns?.map(({ read }) => cell(read(item), layout)) ?? []);
      return text;
    },
    end: () => (columns === undefined ? start([]) : ''),
  };
}

export const csv: Writer = {
  list: csvWriter,
  item: (value, shape, layout) => csvWriter(shape, layout).page([value]),
};
